/** Records recent changes to a store, so that its earlier state can be read. */

import type { AspectStore, StoredAspect } from "./aspect-store.ts";

/** A change to an aspect. `before` is undefined if the aspect did not exist. */
interface Change {
  readonly urn: string;
  readonly aspect: string;
  readonly before: StoredAspect | undefined;
}

/** The recent changes to a store. */
export interface ChangeLog {
  /** A store that records its writes. */
  readonly store: AspectStore;
  /** Returns the first change to each aspect after the given time, keyed by URN and aspect. Discards older changes. */
  since(time: number): ReadonlyMap<string, Change>;
}

/** Starts recording all writes to a store. Writes in a failed transaction are not recorded. */
export function changeLog(plain: AspectStore, now: () => number): ChangeLog {
  const changes: (Change & { readonly time: number })[] = [];
  let firsts: Map<string, Change> | undefined;
  const inTransaction = <T>(work: () => T): T => {
    const last = changes.at(-1);
    try {
      return plain.transaction(work);
    } catch (error) {
      while (changes.length > 0 && changes.at(-1) !== last) changes.pop();
      firsts = undefined;
      throw error;
    }
  };
  const recorded = <T>(urn: string, aspects: readonly string[], write: () => T): T =>
    inTransaction(() => {
      for (const aspect of aspects)
        changes.push({ urn, aspect, before: plain.latest(urn, aspect), time: now() });
      firsts = undefined;
      return write();
    });
  return {
    store: {
      ...plain,
      put: (urn, aspect, value, audit) => recorded(urn, [aspect], () => plain.put(urn, aspect, value, audit)),
      deleteAspect: (urn, aspect) => recorded(urn, [aspect], () => plain.deleteAspect(urn, aspect)),
      deleteEntity: (urn) => recorded(urn, plain.aspectNames(urn), () => plain.deleteEntity(urn)),
      transaction: inTransaction,
    },
    since(time) {
      const kept = changes.findIndex((change) => change.time > time);
      const old = kept < 0 ? changes.length : kept;
      if (old > 0) {
        changes.splice(0, old);
        firsts = undefined;
      }
      return (firsts ??= new Map(
        changes.toReversed().map((change) => [`${change.urn} ${change.aspect}`, change]),
      ));
    },
  };
}

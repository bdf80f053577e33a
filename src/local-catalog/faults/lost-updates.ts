/** Separates a mutation's read from its write so that updates can be lost, as in DataHub, and counts overlapping mutations. */

import type { AspectStore } from "../store/aspect-store.ts";
import type { FaultReport } from "./report.ts";

/** A recorded write that has not been applied yet. */
interface TriedWrite {
  readonly urn: string;
  /** Applies the write. Returns whether the replaced value differs from the value that the mutation read. */
  apply(store: AspectStore): boolean;
}

/** A mutation's recorded writes, and its result. */
export interface DryRun<T> {
  readonly urns: ReadonlySet<string>;
  /** Applies all writes in one transaction. Returns whether any of them overwrote a concurrent update. */
  write(): boolean;
  /** Returns the mutation's result, or throws its error. */
  result(): T;
}

/**
 * Runs a mutation, records its writes and rolls them back, so that they can be applied later. This imitates DataHub, which reads
 * an aspect, changes it, and writes the entire aspect in a separate transaction (AspectUtils, MutationUtils.java).
 */
export function dryRun<T>(store: AspectStore, mutate: (store: AspectStore) => T): DryRun<T> {
  const writes: TriedWrite[] = [];
  const rolledBack = new Error("rolled back");
  let result = (): T => {
    throw rolledBack;
  };
  try {
    store.transaction(() => {
      try {
        const value = mutate(recording(store, writes));
        result = () => value;
      } catch (error) {
        result = () => {
          throw error;
        };
      }
      throw rolledBack;
    });
  } catch (error) {
    if (error !== rolledBack) throw error;
  }
  return {
    urns: new Set(writes.map(({ urn }) => urn)),
    write: () => store.transaction(() => writes.map((write) => write.apply(store)).some(Boolean)),
    result,
  };
}

function recording(store: AspectStore, writes: TriedWrite[]): AspectStore {
  // A deletion never counts as a lost update, because it does not depend on the current value.
  const deleting = <T>(urn: string, work: (of: AspectStore) => T): T => {
    writes.push({ urn, apply: (real) => (work(real), false) });
    return work(store);
  };
  return {
    ...store,
    put(urn, aspect, value, audit) {
      const seen = versionOf(store, urn, aspect);
      writes.push({
        urn,
        apply: (real) => {
          const isUnseen = versionOf(real, urn, aspect) !== seen;
          return real.put(urn, aspect, value, audit) && isUnseen;
        },
      });
      return store.put(urn, aspect, value, audit);
    },
    deleteAspect: (urn, aspect) => deleting(urn, (of) => of.deleteAspect(urn, aspect)),
    deleteEntity: (urn) => deleting(urn, (of) => of.deleteEntity(urn)),
    keepRemoval: (removal) => deleting(removal.urn, (of) => of.keepRemoval(removal)),
    // Discards the recorded writes if the transaction fails.
    transaction(work) {
      const before = writes.length;
      try {
        return store.transaction(work);
      } catch (error) {
        writes.length = before;
        throw error;
      }
    },
  };
}

function versionOf(store: AspectStore, urn: string, aspect: string): string | undefined {
  return store.latest(urn, aspect)?.systemMetadata.version;
}

/** Delays mutations between their read and their write, and counts overlapping mutations. */
export interface UpdateWindows {
  /**
   * Waits until a second mutation has also read one of these entities, or until the time limit expires. This makes mutations
   * overlap reliably, regardless of the machine's speed.
   */
  wait(urns: ReadonlySet<string>, milliseconds: number): Promise<void>;
  /** Marks entities that a mutation has read but not yet written. Returns a function that removes the mark. */
  writing(urns: ReadonlySet<string>): () => void;
  /** Ends all waits. */
  release(): void;
}

interface Waiting {
  readonly urns: ReadonlySet<string>;
  readonly end: () => void;
}

/** Creates the update windows for one catalog. */
export function updateWindows(report: FaultReport): UpdateWindows {
  const waiting = new Set<Waiting>();
  const open = new Map<string, number>();
  const change = (urn: string, by: number): void => {
    const count = (open.get(urn) ?? 0) + by;
    if (count === 0) open.delete(urn);
    else open.set(urn, count);
    if (count > report.overlapping_writes.greatest) report.overlapping_writes = { greatest: count, urn };
  };
  return {
    wait(urns, milliseconds) {
      const others = [...waiting].filter((other) => [...urns].some((urn) => other.urns.has(urn)));
      for (const { end } of others) end();
      if (others.length > 0) return Promise.resolve();
      return new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(own);
          resolve();
        };
        const own: Waiting = { urns, end };
        // `unref` prevents the timer from keeping the process alive.
        const timer = setTimeout(end, milliseconds).unref();
        waiting.add(own);
      });
    },
    writing(urns) {
      for (const urn of urns) change(urn, 1);
      return () => {
        for (const urn of urns) change(urn, -1);
      };
    },
    release() {
      for (const { end } of waiting) end();
    },
  };
}

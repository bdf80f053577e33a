import { compareText, type JsonObject } from "../../model/json.ts";
import type { AspectReads } from "./aspect-reader.ts";
import type { AspectStore, VisitAspect } from "./aspect-store.ts";
import { changeLog, type ChangeLog } from "./change-log.ts";

/** A store whose writes are recorded, and its state some time ago. */
export interface LaggingStore {
  readonly store: AspectStore;
  readonly index: AspectReads;
}

/**
 * A store with an index that follows `lag` milliseconds later, as DataHub's search index does. What is written to `plain` itself,
 * and what was written before, is in the index at once.
 */
export function laggingStore(plain: AspectStore, lag: number, now: () => number): LaggingStore {
  if (lag === 0) return { store: plain, index: plain };
  const log = changeLog(plain, now);
  return { store: log.store, index: stateBefore(plain, () => log.since(now() - lag)) };
}

/** The store as it was before some changes. */
function stateBefore(store: AspectStore, changes: () => ReturnType<ChangeLog["since"]>): AspectReads {
  const older = (isMeant: (urn: string, aspect: string) => boolean, read: (visit: VisitAspect) => void) => {
    const found = new Map<string, Parameters<VisitAspect>>();
    read((urn, aspect, value) => void found.set(`${urn} ${aspect}`, [urn, aspect, value]));
    for (const [place, { urn, aspect, before }] of changes()) {
      if (!isMeant(urn, aspect)) continue;
      if (before) found.set(place, [urn, aspect, before]);
      else found.delete(place);
    }
    return [...found.values()].toSorted((a, b) => compareText(a[0], b[0]) || compareText(a[1], b[1]));
  };
  const isUnder = (prefix: string, aspect: string) => (urn: string, name: string) =>
    name === aspect && urn.startsWith(prefix);
  return {
    valueAt(urn, aspect, version) {
      const changed = version === 0 ? changes().get(`${urn} ${aspect}`) : undefined;
      return changed ? changed.before : store.valueAt(urn, aspect, version);
    },
    aspectNames(urn) {
      const none: JsonObject = {};
      const names = (visit: VisitAspect) =>
        store.aspectNames(urn).forEach((aspect) => visit(urn, aspect, none));
      return older((each) => each === urn, names).map(([, aspect]) => aspect);
    },
    eachLatest(urns, aspects, visit) {
      const [among, named] = [new Set(urns), new Set(aspects)];
      const read = (each: VisitAspect) => store.eachLatest(urns, aspects, each);
      for (const found of older((urn, aspect) => among.has(urn) && named.has(aspect), read)) visit(...found);
    },
    eachLatestUnder(prefix, aspect, visit) {
      const read = (each: VisitAspect) => store.eachLatestUnder(prefix, aspect, each);
      for (const found of older(isUnder(prefix, aspect), read)) visit(...found);
    },
    urnsUnder(prefix, aspect) {
      const none: JsonObject = {};
      const read = (each: VisitAspect) =>
        store.urnsUnder(prefix, aspect).forEach((urn) => each(urn, aspect, none));
      return older(isUnder(prefix, aspect), read).map(([urn]) => urn);
    },
    eachContaining(text, visit) {
      const [read, needle] = [(each: VisitAspect) => store.eachContaining(text, each), JSON.stringify(text)];
      for (const [urn, aspect, value] of older(() => true, read))
        if (JSON.stringify(value).includes(needle)) visit(urn, aspect, value);
    },
  };
}

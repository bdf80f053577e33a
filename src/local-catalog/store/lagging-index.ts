/** Creates an index that follows the store with a delay, like DataHub's search index, and creates a delayed replica. */

import { compareText, type JsonObject } from "../../model/json.ts";
import type { AspectReads, AspectStore, VisitAspect } from "./aspect-store.ts";
import { changeLog, type ChangeLog } from "./change-log.ts";

/**
 * Creates a store, and an index that follows the store with a delay of `lag` milliseconds. The index immediately shows writes
 * that precede this call, and writes that are made directly to `plain`.
 */
export function laggingStore(
  plain: AspectStore,
  lag: number,
  now: () => number,
): { readonly store: AspectStore; readonly index: AspectReads } {
  if (lag === 0) return { store: plain, index: plain };
  const log = changeLog(plain, now);
  const removed = removedNodes(plain, 2 * lag, now);
  const index = stateBefore(plain, () => log.since(now() - lag));
  return {
    store: { ...log.store, deleteEntity: (urn) => (removed.note(urn), log.store.deleteEntity(urn)) },
    index: {
      ...index,
      eachContaining: (text, visit) =>
        index.eachContaining(text, (urn, aspect, value) => {
          if (!removed.has(text, urn, aspect)) visit(urn, aspect, value);
        }),
    },
  };
}

/** Creates a store, and a second store that shows the first store's state `lag` milliseconds ago, like a database replica. */
export function laggingReads(
  plain: AspectStore,
  lag: number,
  now: () => number,
): { readonly store: AspectStore; readonly reads: AspectStore } {
  const log = changeLog(plain, now);
  const { store } = log;
  const changes = (): ReturnType<ChangeLog["since"]> => log.since(now() - lag);
  const latest: AspectStore["latest"] = (urn, aspect) => {
    const change = changes().get(`${urn} ${aspect}`);
    return change ? change.before : store.latest(urn, aspect);
  };
  const before = stateBefore(store, changes);
  const reads: AspectStore = {
    ...store,
    ...before,
    latest,
    storedValue: (urn, aspect) => latest(urn, aspect)?.value,
    has: (urn, aspect) => latest(urn, aspect) !== undefined,
    latestOf: (urn) =>
      new Map(
        before.aspectNames(urn).flatMap((aspect) => {
          const found = latest(urn, aspect);
          return found ? [[aspect, found] as const] : [];
        }),
      ),
  };
  return { store, reads };
}

/**
 * Records the relationships that the index loses when their target is deleted (ElasticSearchGraphService.removeNode), although
 * the references themselves are removed later. Discards deletions after `kept` milliseconds.
 */
function removedNodes(store: AspectStore, kept: number, now: () => number) {
  const nodes = new Map<string, { readonly time: number; readonly referrers: ReadonlySet<string> }>();
  return {
    note(urn: string): void {
      const referrers = new Set<string>();
      store.eachContaining(urn, (referrer, aspect) => referrers.add(`${referrer} ${aspect}`));
      nodes.set(urn, { time: now(), referrers });
    },
    has(urn: string, referrer: string, aspect: string): boolean {
      const node = nodes.get(urn);
      if (node && node.time < now() - kept) nodes.delete(urn);
      return nodes.get(urn)?.referrers.has(`${referrer} ${aspect}`) === true;
    },
  };
}

/** Returns a view of the store as it was before the given changes. */
function stateBefore(store: AspectStore, changes: () => ReturnType<ChangeLog["since"]>): AspectReads {
  // Runs a read, and then replaces changed values in its result with the values before the changes.
  const before = (selects: Selects, read: (visit: VisitAspect) => void): readonly Found[] => {
    const found = new Map<string, Found>();
    read((urn, aspect, value) => found.set(`${urn} ${aspect}`, [urn, aspect, value]));
    for (const [place, change] of changes()) {
      if (!selects(change.urn, change.aspect)) continue;
      if (change.before) found.set(place, [change.urn, change.aspect, change.before.value]);
      else found.delete(place);
    }
    return [...found.values()].toSorted((a, b) => compareText(a[0], b[0]) || compareText(a[1], b[1]));
  };
  return {
    valueAt(urn, aspect, version) {
      const change = version === 0 ? changes().get(`${urn} ${aspect}`) : undefined;
      return change ? change.before?.value : store.valueAt(urn, aspect, version);
    },
    aspectNames(urn) {
      const read = (visit: VisitAspect): void =>
        store.aspectNames(urn).forEach((aspect) => visit(urn, aspect, unread));
      return before((each) => each === urn, read).map(([, aspect]) => aspect);
    },
    eachLatest(urns, aspects, visit) {
      const [among, named] = [new Set(urns), new Set(aspects)];
      const selects: Selects = (urn, aspect) => among.has(urn) && named.has(aspect);
      for (const found of before(selects, (each) => store.eachLatest(urns, aspects, each))) visit(...found);
    },
    eachLatestUnder(prefix, aspect, visit) {
      const read = (each: VisitAspect): void => store.eachLatestUnder(prefix, aspect, each);
      for (const found of before(under(prefix, aspect), read)) visit(...found);
    },
    urnsUnder(prefix, aspect) {
      const read = (visit: VisitAspect): void =>
        store.urnsUnder(prefix, aspect).forEach((urn) => visit(urn, aspect, unread));
      return before(under(prefix, aspect), read).map(([urn]) => urn);
    },
    eachContaining(text, visit) {
      const contained = JSON.stringify(text);
      for (const [urn, aspect, value] of before(all, (each) => store.eachContaining(text, each)))
        if (JSON.stringify(value).includes(contained)) visit(urn, aspect, value);
    },
  };
}

type Found = Parameters<VisitAspect>;
type Selects = (urn: string, aspect: string) => boolean;

/** A placeholder for a value that the caller does not use. */
const unread: JsonObject = {};

const all: Selects = () => true;

function under(prefix: string, aspect: string): Selects {
  return (urn, name) => name === aspect && urn.startsWith(prefix);
}

/** Reads aspects for one request, and caches them. */

import type { JsonObject } from "../../model/json.ts";
import type { AspectReads, EntityReads } from "./aspect-store.ts";

/** Reads aspects for one request, and can fetch them in advance. */
export interface AspectReader extends EntityReads {
  aspect(urn: string, aspect: string): JsonObject | undefined;
  /** Returns an aspect's latest values for all URNs that start with `prefix`, sorted by URN. */
  aspectUnder(prefix: string, aspect: string): ReadonlyMap<string, JsonObject>;
  /** Reads the given aspects of the given entities in one query, so that later calls to `aspect` do not need a query. */
  prefetch(urns: readonly string[], aspects: readonly string[]): void;
  /** Clears the cache. Call this function before a mutation, so that the mutation reads the stored values. */
  clear(): void;
}

/** Creates a reader for one request. */
export function aspectReader(store: AspectReads): AspectReader {
  const byUrn = new Map<string, Map<string, JsonObject | undefined>>();
  const byPrefix = new Map<string, Map<string, JsonObject>>();
  const urnsByPrefix = new Map<string, readonly string[]>();
  // A request can contain many searches of the same entities.
  const prefetched = new Map<readonly string[], Set<string>>();
  const valuesOf = (urn: string): Map<string, JsonObject | undefined> => {
    const values = byUrn.get(urn) ?? new Map<string, JsonObject | undefined>();
    byUrn.set(urn, values);
    return values;
  };
  return {
    aspect(urn, aspect) {
      const values = valuesOf(urn);
      if (!values.has(aspect)) values.set(aspect, store.valueAt(urn, aspect, 0));
      return values.get(aspect);
    },
    aspectNames: (urn) => store.aspectNames(urn),
    aspectUnder(prefix, aspect) {
      const key = `${aspect} ${prefix}`;
      const known = byPrefix.get(key);
      if (known) return known;
      const values = new Map<string, JsonObject>();
      store.eachLatestUnder(prefix, aspect, (urn, _aspect, value) => values.set(urn, value));
      byPrefix.set(key, values);
      return values;
    },
    urnsUnder(prefix, aspect) {
      const key = `${aspect} ${prefix}`;
      const urns = urnsByPrefix.get(key) ?? store.urnsUnder(prefix, aspect);
      urnsByPrefix.set(key, urns);
      return urns;
    },
    eachContaining: (text, visit) => store.eachContaining(text, visit),
    prefetch(urns, aspects) {
      const known = prefetched.get(urns) ?? new Set<string>();
      const more = aspects.filter((aspect) => !known.has(aspect));
      if (urns.length === 0 || more.length === 0) return;
      for (const aspect of more) known.add(aspect);
      prefetched.set(urns, known);
      for (const urn of urns) for (const aspect of more) valuesOf(urn).set(aspect, undefined);
      store.eachLatest(urns, more, (urn, aspect, value) => valuesOf(urn).set(aspect, value));
    },
    clear() {
      byUrn.clear();
      byPrefix.clear();
      urnsByPrefix.clear();
      prefetched.clear();
    },
  };
}

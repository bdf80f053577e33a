/** Reads aspects for one request, and caches them. */

import type { JsonObject } from "../../model/json.ts";
import type { AspectReads, EntityReads } from "./aspect-store.ts";

/** Reads aspects for one request, each at most once. */
export interface AspectReader extends EntityReads {
  aspect(urn: string, aspect: string): JsonObject | undefined;
  /** The value at a version; 0 is the latest. */
  aspectAt(urn: string, aspect: string, version: number): JsonObject | undefined;
  /** The latest values of an aspect for all URNs that start with `prefix`, by URN, in order. */
  aspectUnder(prefix: string, aspect: string): ReadonlyMap<string, JsonObject>;
  /** Reads these aspects of these entities in one query, for later calls of `aspect`. */
  prefetch(urns: readonly string[], aspects: readonly string[]): void;
  /** Empties the cache, because aspects will change. */
  clear(): void;
}

/** Creates the reader of a store for one request. */
export function aspectReader(store: AspectReads): AspectReader {
  const byUrn = new Map<string, Map<string, JsonObject | undefined>>();
  const byPrefix = new Map<string, Map<string, JsonObject>>();
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
    aspectAt: (urn, aspect, version) => store.valueAt(urn, aspect, version),
    aspectUnder(prefix, aspect) {
      const key = `${aspect} ${prefix}`;
      const known = byPrefix.get(key);
      if (known) return known;
      const values = new Map<string, JsonObject>();
      store.eachLatestUnder(prefix, aspect, (urn, _aspect, value) => values.set(urn, value));
      byPrefix.set(key, values);
      return values;
    },
    urnsUnder: (prefix, aspect) => store.urnsUnder(prefix, aspect),
    eachContaining: (text, visit) => store.eachContaining(text, visit),
    prefetch(urns, aspects) {
      if (urns.length === 0 || aspects.length === 0) return;
      for (const urn of urns) for (const aspect of aspects) valuesOf(urn).set(aspect, undefined);
      store.eachLatest(urns, aspects, (urn, aspect, value) => valuesOf(urn).set(aspect, value));
    },
    clear() {
      byUrn.clear();
      byPrefix.clear();
    },
  };
}

import type { JsonObject } from "../../model/json.ts";
import type { AspectStore } from "./aspect-store.ts";

/** The reads that a search needs. */
export type AspectReads = Pick<
  AspectStore,
  "valueAt" | "aspectNames" | "eachLatest" | "eachLatestUnder" | "urnsUnder" | "eachContaining"
>;

/** Reads aspects for one request, each at most once. */
export interface AspectReader {
  /** The latest value of an aspect; undefined if there is none. */
  aspect(urn: string, aspect: string): JsonObject | undefined;
  /** The names of an entity's aspects, sorted. */
  aspectNames(urn: string): readonly string[];
  /** The value at a version; 0 is the latest. */
  aspectAt(urn: string, aspect: string, version: number): JsonObject | undefined;
  /** The latest values of an aspect for all URNs that start with `prefix`, by URN, in order. */
  aspectUnder(prefix: string, aspect: string): ReadonlyMap<string, JsonObject>;
  /** The URNs that start with `prefix` and have an aspect, in order. */
  urnsUnder: AspectStore["urnsUnder"];
  /** Visits the latest values that contain this string as a value or key, in the order of URNs. */
  eachContaining: AspectStore["eachContaining"];
  /** Reads these aspects of these entities in one query, for later calls of `aspect`. */
  prefetch(urns: readonly string[], aspects: readonly string[]): void;
  /** Drops all values that were read; required after a write. */
  clear(): void;
}

/** A reader that keeps each value as it was when it was first read. */
export function aspectReader(store: AspectReads): AspectReader {
  const aspects = aspectCache(store);
  const prefixes = prefixCache(store);
  return {
    aspect: (urn, aspect) => aspects.read(urn, aspect),
    aspectNames: (urn) => store.aspectNames(urn),
    aspectAt: (urn, aspect, version) => store.valueAt(urn, aspect, version),
    aspectUnder: (prefix, aspect) => prefixes.read(prefix, aspect),
    urnsUnder: (prefix, aspect) => store.urnsUnder(prefix, aspect),
    eachContaining: (text, visit) => store.eachContaining(text, visit),
    prefetch: (urns, names) => aspects.prefetch(urns, names),
    clear() {
      aspects.clear();
      prefixes.clear();
    },
  };
}

type Values = Map<string, JsonObject | undefined>;

function aspectCache(store: AspectReads) {
  const byUrn = new Map<string, Values>();
  const valuesOf = (urn: string): Values => {
    const values: Values = byUrn.get(urn) ?? new Map();
    byUrn.set(urn, values);
    return values;
  };
  return {
    read(urn: string, aspect: string): JsonObject | undefined {
      const values = valuesOf(urn);
      if (!values.has(aspect)) values.set(aspect, store.valueAt(urn, aspect, 0));
      return values.get(aspect);
    },
    prefetch(urns: readonly string[], aspects: readonly string[]): void {
      if (urns.length === 0 || aspects.length === 0) return;
      for (const urn of urns) {
        const values = valuesOf(urn);
        for (const aspect of aspects) values.set(aspect, undefined);
      }
      store.eachLatest(urns, aspects, (urn, aspect, value) => byUrn.get(urn)?.set(aspect, value));
    },
    clear: () => byUrn.clear(),
  };
}

function prefixCache(store: AspectReads) {
  const byPrefix = new Map<string, ReadonlyMap<string, JsonObject>>();
  return {
    read(prefix: string, aspect: string): ReadonlyMap<string, JsonObject> {
      const key = `${aspect} ${prefix}`;
      const known = byPrefix.get(key);
      if (known) return known;
      const values = new Map<string, JsonObject>();
      store.eachLatestUnder(prefix, aspect, (urn, _aspect, value) => {
        values.set(urn, value);
      });
      byPrefix.set(key, values);
      return values;
    },
    clear: () => byPrefix.clear(),
  };
}

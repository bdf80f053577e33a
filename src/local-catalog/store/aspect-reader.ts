import type { JsonObject } from "../../model/json.ts";
import type { AspectStore } from "./aspect-store.ts";

/** Reads aspects for one request: each at most once, and lists of entities by one query ahead of their fields. */
export interface AspectReader {
  /** The latest value of an aspect; undefined when there is none. */
  aspect(urn: string, aspect: string): JsonObject | undefined;
  /** Names of the aspects that an entity has, sorted. */
  aspectNames(urn: string): readonly string[];
  /** A value by version, 0 for the latest. */
  aspectAt(urn: string, aspect: string, version: number): JsonObject | undefined;
  /** The latest values of an aspect of every URN that begins with `prefix`, by URN, in the order of URNs. */
  aspectUnder(prefix: string, aspect: string): ReadonlyMap<string, JsonObject>;
  /** Calls `found` with each latest value that holds this text as a whole somewhere, in the order of URNs. */
  eachContaining: AspectStore["eachContaining"];
  /** Reads these aspects of these entities in one query, so that `aspect` finds them at hand. */
  prefetch(urns: readonly string[], aspects: readonly string[]): void;
  /** Drops what it has read, because something was written. */
  forget(): void;
}

type Values = Map<string, JsonObject | undefined>;

/** A reader whose values are those of the moment each is first asked for. */
export function aspectReader(store: AspectStore): AspectReader {
  const byUrn = new Map<string, Values>();
  const byPrefix = new Map<string, ReadonlyMap<string, JsonObject>>();
  const valuesOf = (urn: string): Values => {
    const known = byUrn.get(urn);
    if (known) return known;
    const values: Values = new Map();
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
      store.eachLatestUnder(prefix, aspect, (urn, _aspect, value) => {
        values.set(urn, value);
      });
      byPrefix.set(key, values);
      return values;
    },
    eachContaining: (text, found) => store.eachContaining(text, found),
    prefetch(urns, aspects) {
      if (urns.length === 0 || aspects.length === 0) return;
      for (const urn of urns) {
        const values = valuesOf(urn);
        for (const aspect of aspects) values.set(aspect, undefined);
      }
      store.eachLatest(urns, aspects, (urn, aspect, value) => byUrn.get(urn)?.set(aspect, value));
    },
    forget() {
      byUrn.clear();
      byPrefix.clear();
    },
  };
}

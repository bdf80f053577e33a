import type { JsonObject } from "../model/json.ts";
import type { AspectStore } from "./aspect-store.ts";

/** Reads aspects for one request: each at most once, and lists of entities by one query ahead of their fields. */
export interface AspectReader {
  /** The latest value of an aspect; undefined when there is none. */
  aspect(urn: string, aspect: string): JsonObject | undefined;
  /** Names of the aspects that an entity has, sorted. */
  aspectNames(urn: string): readonly string[];
  /** A value by version, 0 for the latest. */
  aspectAt(urn: string, aspect: string, version: number): JsonObject | undefined;
  /** Tags on the schema-field entities of a dataset, by their URN. */
  schemaFieldTags(dataset: string): ReadonlyMap<string, JsonObject>;
  /** Reads these aspects of these entities in one query, so that `aspect` finds them at hand. */
  loadAhead(urns: readonly string[], aspects: readonly string[]): void;
}

type Values = Map<string, JsonObject | undefined>;

/** A reader whose values are those of the moment each is first asked for. */
export function aspectReader(store: AspectStore): AspectReader {
  const byUrn = new Map<string, Values>();
  const fieldTags = new Map<string, ReadonlyMap<string, JsonObject>>();
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
    schemaFieldTags(dataset) {
      const known = fieldTags.get(dataset);
      if (known) return known;
      const tags = new Map<string, JsonObject>();
      store.eachLatestUnder(`urn:li:schemaField:(${dataset},`, "globalTags", (urn, _aspect, value) => {
        tags.set(urn, value);
      });
      fieldTags.set(dataset, tags);
      return tags;
    },
    loadAhead(urns, aspects) {
      if (urns.length === 0 || aspects.length === 0) return;
      for (const urn of urns) {
        const values = valuesOf(urn);
        for (const aspect of aspects) values.set(aspect, undefined);
      }
      store.eachLatest(urns, aspects, (urn, aspect, value) => byUrn.get(urn)?.set(aspect, value));
    },
  };
}

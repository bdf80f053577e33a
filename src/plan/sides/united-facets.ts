import {
  type Contribution,
  type Entity,
  type FacetValue,
  type ScalarValue,
  setOf,
  type SetValue,
} from "../../model/state.ts";

type Facets = Entity["facets"];

/**
 * What several documents of an entity declare together: sets unite, and of a single value the first is taken. A value that
 * several declare names each of them.
 */
export function unitedFacets(documents: readonly Facets[]): Facets {
  const facets = new Map<string, FacetValue>();
  for (const document of documents) {
    for (const [name, value] of document) facets.set(name, united(facets.get(name), value));
  }
  return facets;
}

function united(first: FacetValue | undefined, second: FacetValue): FacetValue {
  if (first === undefined) return second;
  if (first.shape === "map" && second.shape === "map") {
    const entries = new Map(first.entries);
    for (const [column, entry] of second.entries) {
      const before = entries.get(column);
      entries.set(column, before ? unitedDocuments(before, entry) : entry);
    }
    return { shape: "map", entries };
  }
  return first.shape === "map" || second.shape === "map" ? first : unitedDocuments(first, second);
}

/** What two documents declare of one facet, or of one column's. Its place is that of the first. */
export function unitedDocuments(
  first: ScalarValue | SetValue,
  second: ScalarValue | SetValue,
): ScalarValue | SetValue {
  const by = [...contributionsTo(first), ...contributionsTo(second)];
  if (first.shape !== "set" || second.shape !== "set") return { ...first, by };
  return { ...first, ...setOf([...first.members, ...second.members], first.origin), by };
}

/** What each of those that declare a value declares of it; `rule` is the one that does where only one declares it. */
export function contributionsTo(value: ScalarValue | SetValue, rule?: string): readonly Contribution[] {
  if (value.by) return value.by;
  const values: Contribution["values"] =
    value.shape === "set" ? value.members : [value.value, ...(value.since ?? [])];
  return [{ ...(rule !== undefined && { rule }), ...(value.origin && { origin: value.origin }), values }];
}

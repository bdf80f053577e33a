import { joined } from "../../model/place.ts";
import { type Contribution, type Entity, type FacetValue, type Leaf, setOf } from "../../model/state.ts";

type Facets = Entity["facets"];

/**
 * What several documents of an entity declare together: sets unite, and of a single value the first is taken. A value that
 * several declare names each of them.
 */
export function unitedFacets(documents: readonly Facets[]): Facets {
  const facets = new Map<string, FacetValue>();
  for (const document of documents) {
    for (const [name, value] of document) {
      const before = facets.get(name);
      facets.set(name, before ? united(before, value) : value);
    }
  }
  return facets;
}

/** What two documents declare of one facet. */
export function united(first: FacetValue, second: FacetValue): FacetValue {
  return joined(first, second, (before, leaf) => (before ? unitedDocuments(before, leaf) : leaf));
}

/** What two documents declare at one place. Its position is that of the first. */
function unitedDocuments(first: Leaf, second: Leaf): Leaf {
  const by = [...contributionsTo(first), ...contributionsTo(second)];
  if (first.shape !== "set" || second.shape !== "set") return { ...first, by };
  return { ...first, ...setOf([...first.members, ...second.members], first.origin), by };
}

/** What each of those that declare a value declares of it; `rule` is the one that does where only one declares it. */
export function contributionsTo(value: Leaf, rule?: string): readonly Contribution[] {
  if (value.by) return value.by;
  const values: Contribution["values"] =
    value.shape === "set" ? value.members : [value.value, ...(value.since ?? [])];
  return [{ ...(rule !== undefined && { rule }), ...(value.origin && { origin: value.origin }), values }];
}

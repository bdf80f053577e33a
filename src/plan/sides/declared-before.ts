import {
  type Contribution,
  type Entity,
  type FacetValue,
  isSameValue,
  type Leaf,
  scalarOf,
  setOf,
  type SetValue,
} from "../../model/state.ts";
import { joined } from "../../model/place.ts";
import type { Urn } from "../../model/urn.ts";
import { valueKey, valuesOf } from "../diff/values.ts";

/** What is declared of an entity, whichever it is. */
export type Content = Omit<Entity, "urn">;

/**
 * Adds to what was declared before what a later commit declares of an entity, of which `known` was declared until then. Sets
 * unite. Of a single value the first commit's stays the value, `null` where it declared none, and the others are noted beside
 * it. Each place stays the first.
 */
export function addDeclared(
  before: Map<Urn, Entity>,
  later: Entity,
  known: Entity | undefined = before.get(later.urn),
): void {
  const { urn } = later;
  before.set(urn, { urn, ...unitedContent(known, later) });
}

/** What was declared before of an entity, with what a later commit declares of it. */
export function unitedContent(before: Content | undefined, later: Content): Content {
  const { kind, origin } = before ?? later;
  const facets = facetsSince(before?.facets ?? new Map(), later.facets);
  return { kind, facets, ...(origin && { origin }) };
}

function facetsSince(before: Entity["facets"], later: Entity["facets"]): Entity["facets"] {
  const facets = new Map(before);
  for (const [name, value] of later) facets.set(name, joined(facets.get(name), value, unitedParts));
  return facets;
}

/** What two commits declare at one place, the earlier one first. */
export function unitedParts(before: Leaf | undefined, later: Leaf): Leaf {
  const origin = before?.origin ?? later.origin;
  const by = unitedContributions(before, later);
  if (later.shape === "set") {
    const members = before?.shape === "set" ? before.members : [];
    return { ...setOf([...members, ...later.members], origin), ...by };
  }
  const first = before?.shape === "scalar" ? before : scalarOf(null);
  const declared = [...(first.since ?? []), later.value, ...(later.since ?? [])];
  const others = declared.filter((value) => value !== null && !isSameValue(value, first.value));
  const since = [...new Map(others.map((value) => [valueKey(value), value])).values()];
  return { ...scalarOf(first.value, origin), ...by, ...(since.length > 0 && { since }) };
}

/** Who declared each value first. Of a value that only comes again nothing is noted. */
function unitedContributions(before: Leaf | undefined, later: Leaf): Pick<SetValue, "by"> {
  if (!before) return later.by ? { by: later.by } : {};
  const known = new Set(valuesOf(before).map(valueKey));
  const fresh = contributionsTo(later).flatMap((each): readonly Contribution[] => {
    const values = each.values.filter((value) => value !== null && !known.has(valueKey(value)));
    return values.length > 0 ? [{ ...each, values }] : [];
  });
  if (fresh.length === 0) return before.by ? { by: before.by } : {};
  return { by: [...contributionsTo(before), ...fresh] };
}

type Facets = Entity["facets"];

/** Merges the documents of an entity: sets unite, of a single value the first counts, and each value names all that declare it. */
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

/** Combines declarations from several commits or documents, and keeps the position of each declaration. */

import {
  type Contribution,
  type Entity,
  type FacetValue,
  isSameValue,
  type Leaf,
  scalarOf,
  setOf,
  type SetValue,
  type State,
} from "../../model/state.ts";
import { joined } from "../../model/place.ts";
import type { Urn } from "../../model/urn.ts";
import { isOneOf, valueKey } from "../../model/values.ts";

/** An entity's declarations without its URN. */
export type Content = Omit<Entity, "urn">;

/**
 * Adds a later commit's declarations to the earlier declarations in `known`. Sets are combined. A scalar keeps the first commit's
 * value, or `null` if that commit declared none, and `since` lists the later values. Each value keeps its first position.
 */
export function addDeclaration(
  before: Map<Urn, Entity>,
  later: Entity,
  known: Entity | undefined = before.get(later.urn),
): void {
  const { urn } = later;
  before.set(urn, { urn, ...unitedContent(known, later) });
}

/** Combines an entity's earlier declarations with the declarations of a later commit. */
export function unitedContent(before: Content | undefined, later: Content): Content {
  const { kind, origin } = before ?? later;
  const facets = new Map(before?.facets);
  for (const [name, value] of later.facets) facets.set(name, joined(facets.get(name), value, unitedLeaves));
  return { kind, facets, ...(origin && { origin }) };
}

/** Combines the declarations of two commits at one place. The earlier declaration takes precedence. */
export function unitedLeaves(before: Leaf | undefined, later: Leaf): Leaf {
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

/** Returns the first declaration of each value, without repetitions. */
function unitedContributions(before: Leaf | undefined, later: Leaf): Pick<SetValue, "by"> {
  if (!before) return later.by ? { by: later.by } : {};
  const isKnown = isOneOf(before);
  const fresh = contributionsTo(later).flatMap((each): readonly Contribution[] => {
    const values = each.values.filter((value) => value !== null && !isKnown(value));
    return values.length > 0 ? [{ ...each, values }] : [];
  });
  if (fresh.length === 0) return before.by ? { by: before.by } : {};
  return { by: [...contributionsTo(before), ...fresh] };
}

/**
 * Combines the documents that declare an entity. Sets keep all elements, the first scalar takes precedence, and each value keeps
 * all its declarations.
 */
export function unitedFacets(documents: readonly Entity["facets"][]): Entity["facets"] {
  const facets = new Map<string, FacetValue>();
  for (const document of documents) {
    for (const [name, value] of document) {
      const before = facets.get(name);
      facets.set(name, before ? united(before, value) : value);
    }
  }
  return facets;
}

/** Combines two documents' declarations of one facet. */
export function united(first: FacetValue, second: FacetValue): FacetValue {
  return joined(first, second, (before, leaf) => (before ? unitedDocuments(before, leaf) : leaf));
}

/** Combines two documents' declarations at one place, and keeps the position of the first declaration. */
function unitedDocuments(first: Leaf, second: Leaf): Leaf {
  const by = [...contributionsTo(first), ...contributionsTo(second)];
  if (first.shape !== "set" || second.shape !== "set") return { ...first, by };
  return { ...first, ...setOf([...first.members, ...second.members], first.origin), by };
}

/** Returns the declarations that contribute to a value. If the value does not list them, `rule` is the rule that declares it. */
export function contributionsTo(value: Leaf, rule?: string): readonly Contribution[] {
  if (value.by) return value.by;
  const values: Contribution["values"] =
    value.shape === "set" ? value.members : [value.value, ...(value.since ?? [])];
  return [{ ...(rule !== undefined && { rule }), ...(value.origin && { origin: value.origin }), values }];
}

/** The current and earlier declarations of missing assets and columns. */
export interface DeclaredDormant {
  readonly now: State;
  readonly before: State;
}

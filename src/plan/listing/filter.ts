/** Determines which kinds and entities match the filter of `list`, and reads facet values. */

import { listedFacets } from "../../facets/index.ts";
import type { ListOption } from "../../facets/facet.ts";
import { kinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { nameKey } from "../../kinds/match-key.ts";
import type { ListedEntity, ListFilter } from "../../model/listing.ts";
import { leavesOf, type Path } from "../../model/place.ts";
import type { FacetValue, Member, Scalar } from "../../model/state.ts";
import { anyMatcherOf } from "../../model/text/pattern.ts";
import { type Urn, plainKeyOf } from "../../model/urn.ts";

/** Returns the kinds whose entities can meet the conditions of a filter. */
export function kindsIn({ kinds: only, conditions, values, missing, byColumn }: ListFilter): readonly Kind[] {
  return kinds.filter((kind) => {
    const keys = new Set([nameKey, ...(kind.matchedBy ?? []).map(({ key }) => key)]);
    return (
      (only?.includes(kind.name) ?? true) &&
      (byColumn !== true || kind.matching?.hasColumns === true) &&
      conditions.every(({ key }) => keys.has(key)) &&
      [...values.keys()].every((facet) => isOf(kind.name, facet)) &&
      (missing.length === 0 || missing.some((facet) => isOf(kind.name, facet)))
    );
  });
}

/**
 * Returns a function that tests an entity's values and declarations against the filter. The caller must already have checked that
 * the filter includes the entity's kind.
 */
export function listingFilter({
  values,
  missing,
  isDeclared,
}: ListFilter): (entity: ListedEntity) => boolean {
  const fits = [...values].map(([facet, texts]) => {
    const fit = valueFilter(facetOf(facet).listing.options, texts);
    return ({ facets }: ListedEntity) => placedValuesIn(facets.get(facet)).some(fit);
  });
  return (entity) =>
    fits.every((fit) => fit(entity)) &&
    (missing.length === 0 || missing.some((facet) => lacks(entity, facet))) &&
    (isDeclared === undefined || isDeclared === isDeclaredOf(entity));
}

function lacks({ kind, facets }: ListedEntity, facet: string): boolean {
  return isOf(kind, facet) && !hasValue(facets.get(facet));
}

function isOf(kind: string, facet: string): boolean {
  return facetOf(facet).kinds.some((name) => name === kind);
}

function valueFilter(
  options: readonly ListOption[],
  texts: ReadonlyMap<string, readonly string[]>,
): (placed: PlacedValue) => boolean {
  const wanted = options.flatMap(({ name, textsOf }) => {
    const patterns = texts.get(name);
    return patterns ? [{ textsOf, matches: anyMatcherOf(patterns) }] : [];
  });
  return ([path, value]) => wanted.every(({ textsOf, matches }) => textsOf(value, path).some(matches));
}

/**
 * Whether an entity that is not an asset meets the conditions of a filter. For such an entity, only the name and the id are
 * compared.
 */
export function isNamed(urn: Urn, name: string, filter: ListFilter): boolean {
  const texts = [name, plainKeyOf(urn)];
  return filter.conditions.every(
    ({ key, patterns }) => key === nameKey && texts.some(anyMatcherOf(patterns)),
  );
}

/** Whether documents or rules declare an entity. */
export function isDeclaredOf({ declaredBy }: { readonly declaredBy: ListedEntity["declaredBy"] }): boolean {
  return declaredBy.documents || declaredBy.rules;
}

/** Returns all values of a facet: single values and the elements of sets. */
export function valuesIn(value: FacetValue | undefined): readonly (Member | Scalar)[] {
  return placedValuesIn(value).map(([, each]) => each);
}

/** A single value or a set element, with its keys in the facet's map. */
type PlacedValue = readonly [path: Path, value: Member | Scalar];

/** Returns all values of a facet, each with its keys: single values and the elements of sets. */
export function placedValuesIn(value: FacetValue | undefined): readonly PlacedValue[] {
  return leavesOf(value).flatMap(([path, leaf]): readonly PlacedValue[] => {
    if (leaf.shape === "set") return leaf.members.map((member) => [path, member]);
    return isBlank(leaf.value) ? [] : [[path, leaf.value]];
  });
}

/** Whether a facet has a value, or the catalog displays an ingested value instead. */
export function hasValue(value: FacetValue | undefined): boolean {
  if (valuesIn(value).length > 0) return true;
  return value?.shape === "scalar" && !isBlank(value.fallback ?? null);
}

function isBlank(value: Scalar): boolean {
  return value === null || (typeof value === "string" && value.trim() === "");
}

function facetOf(name: string): (typeof listedFacets)[number] {
  const facet = listedFacets.find((each) => each.name === name);
  if (!facet) throw new Error(`unknown listed facet: ${name}`);
  return facet;
}

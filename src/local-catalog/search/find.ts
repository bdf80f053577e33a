/** Finds entities in the index by words and filters, sorts them, and drops entities that no longer exist. */

import type { AspectReader } from "../store/aspect-reader.ts";
import type { AspectStore } from "../store/aspect-store.ts";
import { entityExists } from "../store/aspect-write.ts";
import { objectAt } from "../json.ts";
import { entityTypes, type EntityType } from "../registry/entity-types.ts";
import { searchField, type SearchField } from "./fields.ts";
import { compareValues, matchesFilter, type AndFilter, type FacetFilter } from "./filter.ts";

/** Flags that make a search include entities that it hides by default. */
export interface SearchFlags {
  readonly includeSoftDeleted?: boolean | null | undefined;
  /** Whether to include entities whose lifecycle stage is hidden from searches. */
  readonly includeHiddenLifecycleStages?: boolean | null | undefined;
}

/** A search, including the order of its results. */
export interface Search extends SearchFlags {
  /** The registry names of the entity types to find. */
  readonly types: readonly string[];
  /** Words that the name or URN must contain. `*` or an empty query matches everything. */
  readonly query?: string | null | undefined;
  /** Alternative filters. At least one must match, unless the list is empty. */
  readonly orFilters?: readonly AndFilter[] | null | undefined;
  readonly filters?: readonly FacetFilter[] | null | undefined;
  readonly sort?: readonly SortCriterion[];
}

/** A field and a direction to sort by, as in GraphQL's SortCriterion. */
export interface SortCriterion {
  readonly field: string;
  readonly sortOrder: "ASCENDING" | "DESCENDING";
}

/** A search result with its sort key. The last value in the key is the URN. */
export interface Hit {
  readonly urn: string;
  readonly place: readonly string[];
}

/** Searches the index and returns the results, sorted by the search's criteria and then by URN. */
export function find(search: Search, reader: AspectReader): readonly Hit[] {
  const filters = [...defaultFilters(search, reader), ...(search.filters ?? [])];
  const hits = search.types.flatMap((name) => {
    const type = entityTypes.get(name);
    return type ? findOfType(type, { ...search, filters }, reader) : [];
  });
  return hits.toSorted((a, b) => compareSortKeys(a.place, b.place, search.sort ?? []));
}

/**
 * Removes entities from a page of results if they were deleted after the last index update (ValidationUtils.java). A page may
 * therefore be empty even if more pages follow.
 */
export function existingHits(page: readonly Hit[], store: AspectStore): readonly Hit[] {
  return page.filter(({ urn }) => entityExists(store, urn));
}

/** Compares two results by their sort keys. */
export function compareSortKeys(
  a: readonly string[],
  b: readonly string[],
  sort: readonly SortCriterion[],
): number {
  for (const [index, value] of a.entries()) {
    const order = compareValues(value, b[index] ?? "");
    if (order !== 0) return sort[index]?.sortOrder === "DESCENDING" ? -order : order;
  }
  return 0;
}

function findOfType(type: EntityType, search: Search, reader: AspectReader): readonly Hit[] {
  const field = fieldsOf(type);
  const matches = entityTest(search, field, reader);
  const sortFields = (search.sort ?? []).map((criterion) => field(criterion.field));
  const urns = reader.urnsUnder(`urn:li:${type.name}:`, type.keyAspect);
  const used = [...namesUsed(search)].flatMap((name) => field(name).aspects);
  reader.prefetch(urns, [...new Set(used)]);
  return urns.filter(matches).map((urn) => ({
    urn,
    place: [...sortFields.map(({ values }) => values(urn, reader)[0] ?? ""), urn],
  }));
}

function fieldsOf(type: EntityType): (name: string) => SearchField {
  const known = new Map<string, SearchField>();
  return (name) => {
    const field = known.get(name) ?? searchField(name, type);
    known.set(name, field);
    return field;
  };
}

const wordFields = ["urn", "name", "displayName", "fullName", "email", "title"];

function entityTest(
  search: Search,
  field: (name: string) => SearchField,
  reader: AspectReader,
): (urn: string) => boolean {
  const words = wordsOf(search.query);
  const alternatives = search.orFilters ?? [];
  const valuesOf = (name: string, urn: string): readonly string[] => field(name).values(urn, reader);
  const matchesAll = (urn: string, filters: readonly FacetFilter[] | null | undefined): boolean =>
    (filters ?? []).every((filter) => matchesFilter(filter, valuesOf(filter.field, urn), reader));
  return (urn) => {
    // These filters are usually the most selective, so they are checked first.
    if (alternatives.length > 0 && !alternatives.some(({ and }) => matchesAll(urn, and))) return false;
    if (!matchesAll(urn, search.filters)) return false;
    const texts = words.length > 0 ? wordFields.flatMap((name) => valuesOf(name, urn)) : [];
    return words.every((word) => texts.some((text) => text.toLowerCase().includes(word)));
  };
}

function wordsOf(query: string | null | undefined): readonly string[] {
  const words = (query ?? "").toLowerCase().split(/\s+/);
  return words.map((word) => word.replace(/^[*"]+|[*"]+$/g, "")).filter((word) => word !== "");
}

// An explicit filter on the field replaces the default filter (ESUtils.applyDefaultSearchFilters,
// filterSoftDeletedAndHiddenStages).
function defaultFilters(search: Search, reader: AspectReader): readonly FacetFilter[] {
  const removed = search.includeSoftDeleted === true ? [] : ["true"];
  const stages = search.includeHiddenLifecycleStages === true ? [] : stagesHiddenIn(reader);
  const explicit = filtersOf(search);
  return [
    { field: "removed", values: removed, negated: true },
    { field: "lifecycleStage", values: stages, negated: true },
  ].filter(({ field, values }) => values.length > 0 && !explicit.some((filter) => filter.field === field));
}

function stagesHiddenIn(reader: AspectReader): readonly string[] {
  const stages = [...reader.aspectUnder("urn:li:lifecycleStageType:", "lifecycleStageTypeInfo")];
  return stages
    .filter(([, info]) => objectAt(info, "settings")?.["hideInSearch"] === true)
    .map(([urn]) => urn);
}

/** Returns all filters in a search. */
export function filtersOf(search: Search): readonly FacetFilter[] {
  return [...(search.filters ?? []), ...(search.orFilters ?? []).flatMap(({ and }) => and ?? [])];
}

function namesUsed(search: Search): ReadonlySet<string> {
  return new Set([
    ...filtersOf(search).map((filter) => filter.field),
    ...(search.sort ?? []).map((criterion) => criterion.field),
    ...(wordsOf(search.query).length > 0 ? wordFields : []),
  ]);
}

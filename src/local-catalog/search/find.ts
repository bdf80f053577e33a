import type { AspectReader } from "../store/aspect-reader.ts";
import type { AspectStore } from "../store/aspect-store.ts";
import { entityExists } from "../store/aspect-write.ts";
import { objectAt } from "../json.ts";
import { entityTypeOfUrn, type EntityType } from "../registry/entity-types.ts";
import { searchField, type SearchField } from "./fields.ts";
import { compareValues, matchesFilter, type AndFilter, type FacetFilter } from "./filter.ts";

/** A search and the order of its results. */
export interface Search {
  /** Names of entity types in the registry. */
  readonly types: readonly string[];
  /** Words that the name or URN has to contain; `*` or nothing matches everything. */
  readonly query?: string | null | undefined;
  /** At least one of these has to match, if there are any. */
  readonly orFilters?: readonly AndFilter[] | null | undefined;
  /** All of these have to match. */
  readonly filters?: readonly FacetFilter[] | null | undefined;
  readonly includeSoftDeleted?: boolean | null | undefined;
  /** Whether it finds what is in a lifecycle stage that is hidden from searches. */
  readonly includeHiddenLifecycleStages?: boolean | null | undefined;
  readonly sort?: readonly SortCriterion[];
}

/** GraphQL's SortCriterion. */
export interface SortCriterion {
  readonly field: string;
  readonly sortOrder: "ASCENDING" | "DESCENDING";
}

/** A result of a search, with its sort key. The last part of the key is the URN. */
export interface Hit {
  readonly urn: string;
  readonly place: readonly string[];
}

/** The results of a search, as far as the index knows, sorted as it asks, then by URN. */
export function find(search: Search, reader: AspectReader): readonly Hit[] {
  const hits = search.types.flatMap((name) => {
    const type = entityTypeOfUrn(`urn:li:${name}:`);
    return type ? findOfType(type, search, reader) : [];
  });
  return hits.toSorted((a, b) => comparePlaces(a.place, b.place, search.sort ?? []));
}

/**
 * A page of results without the entities that were deleted since the index knows them (ValidationUtils.java). So a page may be
 * empty though more follow.
 */
export function existing(page: readonly Hit[], store: AspectStore): readonly Hit[] {
  return page.filter(({ urn }) => entityExists(store, urn));
}

/** Compares the sort keys of two results. */
export function comparePlaces(
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
  const isMeant = entityTest(search, field, reader);
  const sortFields = (search.sort ?? []).map((criterion) => field(criterion.field));
  const urns = reader.urnsUnder(`urn:li:${type.name}:`, type.keyAspect);
  const used = [...namesUsed(search)].flatMap((name) => field(name).aspects);
  reader.prefetch(urns, [...new Set(used)]);
  return urns.filter(isMeant).map((urn) => ({
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
  const hiddenStages = hidesStages(search) ? stagesHiddenIn(reader) : noStages;
  const holds = (urn: string, filter: FacetFilter): boolean =>
    matchesFilter(filter, field(filter.field).values(urn, reader), reader);
  return (urn) => {
    if (hidesRemoved(search) && field("removed").values(urn, reader).includes("true")) return false;
    if (
      hiddenStages.size > 0 &&
      field("lifecycleStage")
        .values(urn, reader)
        .some((stage) => hiddenStages.has(stage))
    )
      return false;
    if (words.length > 0 && !hasWords(words, textsToSearch(urn, field, reader))) return false;
    if (!(search.filters ?? []).every((filter) => holds(urn, filter))) return false;
    return (
      alternatives.length === 0 ||
      alternatives.some(({ and }) => (and ?? []).every((filter) => holds(urn, filter)))
    );
  };
}

function textsToSearch(
  urn: string,
  field: (name: string) => SearchField,
  reader: AspectReader,
): readonly string[] {
  return wordFields.flatMap((name) =>
    field(name)
      .values(urn, reader)
      .map((text) => text.toLowerCase()),
  );
}

function hasWords(words: readonly string[], texts: readonly string[]): boolean {
  return words.every((word) => texts.some((text) => text.includes(word)));
}

function wordsOf(query: string | null | undefined): readonly string[] {
  const words = (query ?? "").toLowerCase().split(/\s+/);
  return words.map((word) => word.replace(/^[*"]+|[*"]+$/g, "")).filter((word) => word !== "");
}

// A filter on `removed` replaces the default one (ESUtils.applyDefaultSearchFilters).
function hidesRemoved(search: Search): boolean {
  if (search.includeSoftDeleted === true) return false;
  return !filtersOf(search).some((filter) => filter.field === "removed");
}

const noStages: ReadonlySet<string> = new Set();

// A filter on the stage replaces the default one (ESUtils.filterSoftDeletedAndHiddenStages).
function hidesStages(search: Search): boolean {
  if (search.includeHiddenLifecycleStages === true) return false;
  return !filtersOf(search).some((filter) => filter.field === "lifecycleStage");
}

function stagesHiddenIn(reader: AspectReader): ReadonlySet<string> {
  const stages = reader.aspectUnder("urn:li:lifecycleStageType:", "lifecycleStageTypeInfo");
  return new Set(
    [...stages].flatMap(([urn, info]) =>
      objectAt(info, "settings")?.["hideInSearch"] === true ? [urn] : [],
    ),
  );
}

function filtersOf(search: Search): readonly FacetFilter[] {
  return [...(search.filters ?? []), ...(search.orFilters ?? []).flatMap(({ and }) => and ?? [])];
}

function namesUsed(search: Search): ReadonlySet<string> {
  return new Set([
    ...filtersOf(search).map((filter) => filter.field),
    ...(search.sort ?? []).map((criterion) => criterion.field),
    ...(wordsOf(search.query).length > 0 ? wordFields : []),
    ...(hidesRemoved(search) ? ["removed"] : []),
    ...(hidesStages(search) ? ["lifecycleStage"] : []),
  ]);
}

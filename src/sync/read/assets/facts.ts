/** Builds queries for asset facts (columns and match keys), and parses the responses. */

import { simpleColumn } from "../../../facets/columns.ts";
import { aspectsIn, matchColumns, matchFields, selectionOf } from "../../../facets/answered-aspects.ts";
import type { Kind } from "../../../kinds/kind.ts";
import type { MatchedBy, ObservedKey } from "../../../kinds/match-key.ts";
import { aspectIn, malformed, storedList } from "../../../model/answer.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../../model/json.ts";
import type { Asset, AssetColumn } from "../../../model/rule.ts";
import type { Urn } from "../../../model/urn.ts";
import { rawAspects, rawAspectsOf, shellMarkerSelection } from "../entities-document.ts";
import type { StoredQuestion } from "../question.ts";

/** An asset, and its direct container. */
export interface Facts {
  readonly asset: Asset;
  readonly container?: Urn;
}

/**
 * Builds the query for the facts that rules use to match assets of a kind. Requests GraphQL fields, because older servers perform
 * one read for each raw aspect. Does not request `parentContainers`, which requires one read for each level
 * (ParentContainersResolver.java). Requests raw aspects only to read the containers of data flows and data jobs, which GraphQL
 * exposes only in 1.0 and later.
 */
export function factsDocument(kind: Kind, columns = ""): string {
  const { matchedBy = [] } = kind;
  const raw = matchedBy.filter(({ isRaw }) => isRaw);
  const selected = [selectionOf(typedAspects(matchedBy)), columns];
  if (raw.length > 0) selected.push(rawAspects(aspectNames(raw)));
  return documentOf("ReadAssetFacts", kind, selected.join(" "));
}

function typedAspects(keys: readonly MatchedBy[]) {
  return keys.flatMap(({ field, isRaw }) => (field === undefined || isRaw ? [] : matchFields[field]));
}

function aspectNames(keys: readonly MatchedBy[]): readonly string[] {
  return keys.flatMap(({ field }) => (field === undefined ? [] : matchFields[field].name));
}

/** The aspects that contain the data for `factsDocument`. */
export const storedFacts: StoredQuestion = {
  aspectsOf: (kind) => ["status", ...aspectNames(kind?.matchedBy ?? [])],
};

/** The aspects that contain the data for `columnsDocument`, including edited columns. */
export const storedColumns: StoredQuestion = {
  aspectsOf: (kind) => [
    "status",
    ...(kind?.matching?.hasColumns ? [matchColumns.ingested.name, matchColumns.edited.name] : []),
  ],
};

/** The aspects that contain the data for both `factsDocument` and `columnsDocument`. */
export const storedFactsAndColumns: StoredQuestion = {
  aspectsOf: (kind) => [...storedFacts.aspectsOf(kind), ...storedColumns.aspectsOf(kind)],
};

/**
 * Builds the query for the columns of a kind's assets. The server performs one read for each asset. With `edited`, includes
 * columns that users edited, even if they are no longer in the schema.
 */
export function columnsDocument(kind: Kind, edited = false): string {
  return documentOf("ReadAssetColumns", kind, columnsOf(kind, edited));
}

/** Returns the GraphQL selection for columns. With `edited`, includes columns that users edited. */
export function columnsOf({ matching }: Kind, edited = false): string {
  if (!matching?.hasColumns) return "";
  return selectionOf(edited ? [matchColumns.ingested, matchColumns.edited] : [matchColumns.ingested]);
}

/** Builds the query for the direct parents of containers. */
export function parentsDocument(kind: Kind): string {
  return documentOf("ReadParentContainers", kind, matchFields.container.selection);
}

function documentOf(name: string, kind: Kind, selection: string): string {
  return `query ${name}($urns: [String!]!) { entities(urns: $urns) { urn __typename ... on ${kind.typename} { exists status { removed } ${shellMarkerSelection(kind)}${selection} } } }`;
}

/** Parses the response to `factsDocument`. Like all functions below, throws `CatalogError` if the response is malformed. */
export function factsOf(
  urn: Urn,
  { name: kind, matchedBy = [], matching }: Kind,
  answered: JsonObject,
): Facts {
  const observed = { ...matching?.partsOf?.(urn), ...observedIn(answered, matchedBy) };
  const { container, name, instance, subtypes = [], ...parts } = observed;
  return {
    asset: {
      urn,
      kind,
      ...parts,
      ...(instance !== undefined && { instance }),
      ...(name !== undefined && { name: withoutInstance(name, instance) }),
      containers: [],
      subtypes,
    },
    ...(container !== undefined && { container }),
  };
}

/** Returns the direct container of an asset or container, from a response. */
export function containerIn({ matchedBy = [] }: Kind, answered: JsonObject): Urn | undefined {
  const keys = matchedBy.filter(({ field }) => field === "container");
  return observedIn(answered, keys).container;
}

function observedIn(answered: JsonObject, keys: readonly MatchedBy[]): ObservedKey {
  const raw = keys.find(({ isRaw }) => isRaw);
  if (raw && (answered["aspects"] ?? null) === null) throw malformed(`the ${raw.key}`, "is missing");
  const aspects = aspectsIn(answered, typedAspects(keys), rawAspectsOf(answered));
  const observed: ObservedKey = {};
  for (const key of keys) Object.assign(observed, key.observe?.(aspects));
  return observed;
}

function withoutInstance(name: string, instance: string | undefined): string {
  return instance !== undefined && name.startsWith(`${instance}.`) ? name.slice(instance.length + 1) : name;
}

/**
 * Returns the column aspects from a response, reduced to the fields that rules match. All fields of many columns would use too
 * much memory.
 */
export function columnAspects(answered: JsonObject): JsonObject {
  const typed = [matchColumns.ingested, matchColumns.edited];
  const aspects = aspectsIn(answered, typed, rawAspectsOf(answered));
  return Object.fromEntries(
    [ingestedColumns, editedColumns].map(([name, list]) => [
      name,
      { [list]: onlyMatched(aspectIn(aspects, name)[list]) },
    ]),
  );
}

/** Names of aspects that contain columns, each with the name of the field that lists the columns. */
const ingestedColumns = [matchColumns.ingested.name, "fields"] as const;
const editedColumns = [matchColumns.edited.name, "editableSchemaFieldInfo"] as const;

function onlyMatched(fields: Json | undefined): Json | undefined {
  if (!isJsonList(fields)) return fields;
  return fields.map((field) => {
    if (!isJsonObject(field)) return field;
    const { fieldPath, nativeDataType } = field;
    return { fieldPath, nativeDataType };
  });
}

/** Returns the columns that users edited but that are no longer in the schema, from the result of `columnAspects`. */
export function dormantColumns(aspects: JsonObject): readonly AssetColumn[] {
  const known = new Set(columnsIn(aspects).map(({ path }) => path));
  return columnsAt(aspects, editedColumns).filter(({ path }) => !known.has(path));
}

/** Returns the columns in the schema, from the result of `columnAspects`. */
export function columnsIn(aspects: JsonObject): readonly AssetColumn[] {
  return columnsAt(aspects, ingestedColumns);
}

function columnsAt(
  aspects: JsonObject,
  [name, list]: readonly [name: string, list: string],
): readonly AssetColumn[] {
  return storedList(aspectIn(aspects, name)[list], "the columns").map(
    ({ fieldPath: path, nativeDataType: nativeType }) => {
      if (typeof path !== "string") throw malformed("a column", "has no path");
      return { path, name: simpleColumn(path), ...(typeof nativeType === "string" && { nativeType }) };
    },
  );
}

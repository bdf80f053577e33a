/** Builds the GraphQL documents for reading entities, and parses raw aspects in the responses. */

import { selectionOf } from "../../facets/answered-aspects.ts";
import type { Facet } from "../../facets/facet.ts";
import { facetsOf } from "../../facets/index.ts";
import { kinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { malformed } from "../../model/answer.ts";
import { asCatalogError, CatalogError } from "../../model/catalog-error.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Entity } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { parseJson } from "../../datahub/json-text.ts";

/** The facets that at least one entity declares, keyed by kind. */
export type DeclaredFacets = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Builds the query that reads the existence of assets and the facets that are declared for their kinds. `beside` selects fields
 * of the additional entities in `$beside`.
 */
export function assetsDocument(declared: DeclaredFacets, beside?: string): string {
  const fragments = kindsOf(declared).map((kind) => {
    const facets = facetsOf(kind.name).filter((facet) => isSelected(facet, kind.name, declared));
    return `... on ${kind.typename} { exists status { removed } ${shellMarkerSelection(kind)}${fieldsOf(kind, facets)} }`;
  });
  const assets = `entities(urns: $urns) { urn __typename ${fragments.join(" ")} }`;
  if (beside === undefined) return `query ReadAssets($urns: [String!]!) { ${assets} }`;
  return `query ReadAssets($urns: [String!]!, $beside: [String!]!) { ${assets} beside: entities(urns: $beside) { urn ${beside} } }`;
}

/**
 * Whether to read a facet of assets. A facet is read if it is declared, or if it is stored in a raw aspect and cheap to read,
 * because at least one raw aspect is always requested.
 */
export function isSelected(facet: Facet, kind: string, declared: DeclaredFacets): boolean {
  return (
    declared.get(kind)?.has(facet.name) === true ||
    (!facet.readWhenDeclared && facet.aspects(kind).length > 0)
  );
}

/**
 * Builds the query for definitions. Its variables are `urns` with all URNs, and `u0`, `u1`, …, one for each URN. It requests
 * `entityExists` for all definitions, because domains and tags have no `exists` field. Facets are read from raw aspects, each
 * from the only aspect that stores it.
 */
export function definitionsDocument(entities: readonly Entity[]): string {
  const variables = entities.map((_, index) => `$u${index}: String!`).join(", ");
  const exists = entities.map((_, index) => `e${index}: entityExists(urn: $u${index})`).join(" ");
  const fragments = kindsOf(new Set(entities.map(({ kind }) => kind))).map(
    (kind) =>
      `... on ${kind.typename} { ${shellMarkerSelection(kind)}${fieldsOf(kind, facetsOf(kind.name))} }`,
  );
  return `query ReadDefinitions($urns: [String!]!, ${variables}) { ${exists} entities(urns: $urns) { urn __typename ${fragments.join(" ")} } }`;
}

/** Returns the facet selections for entities of a kind: raw aspects, then fields. */
function fieldsOf(kind: Kind, facets: readonly Facet[]): string {
  const aspects = [...new Set(facets.flatMap((facet) => facet.aspects(kind.name)))];
  const fields = facets.flatMap((facet) => selectionOf(facet.answered(kind.name)) || []);
  return [aspectsSelection(kind, aspects), ...fields].join(" ");
}

/**
 * Returns the GraphQL selection that reveals whether the token may view an entity of a kind. With view authorization, GraphQL
 * returns a hidden entity as an empty shell, without an error.
 */
export function shellMarkerSelection({ shell }: Kind): string {
  return shell ? `sign: ${shell.sign} ` : "";
}

/** The GraphQL selection that reveals whether the token may view a column entity. The path is empty only in a shell. */
export const shellSignOfColumn = "sign: fieldPath";

/** Returns the GraphQL selection for aspects of a kind's entities. */
export function aspectsSelection({ aspectFields }: Kind, names: readonly string[]): string {
  return aspectFields?.selection ?? rawAspects(names);
}

/** Returns variables `u0`, `u1`, …, one for each URN. */
export function numbered(urns: readonly Urn[]): JsonObject {
  return Object.fromEntries(urns.map((urn, index) => [`u${index}`, urn]));
}

/** Returns the GraphQL selection for raw aspects. */
export function rawAspects(names: readonly string[]): string {
  return `aspects(input: { aspectNames: ${JSON.stringify(names)} }) { aspectName payload }`;
}

/**
 * Returns the aspects of an entity in a response, keyed by name, without the aspects in typed fields. Throws `CatalogError` if an
 * aspect is malformed.
 */
export function rawAspectsOf(answered: JsonObject): JsonObject {
  const { aspects } = answered;
  const fields = aspectFieldsOf(answered);
  if (fields) return fields.aspectsIn(answered);
  if (!Array.isArray(aspects)) return isJsonObject(aspects) ? aspects : {};
  const byName: Record<string, JsonObject> = {};
  for (const aspect of aspects) {
    const name: unknown = isJsonObject(aspect) ? aspect["aspectName"] : undefined;
    if (!isJsonObject(aspect) || !isAspectName(name)) throw malformed("an aspect", "has no name");
    if (byName[name]) throw malformed(`aspect ${name}`, "occurs twice");
    byName[name] = valueIn(name, aspect["payload"]);
  }
  return byName;
}

/** How to read the aspects of kinds that GraphQL returns only as typed fields, keyed by GraphQL type. */
const aspectFields = new Map<unknown, Kind["aspectFields"]>(
  kinds.map((kind) => [kind.typename, kind.aspectFields]),
);

function aspectFieldsOf({ __typename: typename }: JsonObject): Kind["aspectFields"] {
  return aspectFields.get(typename);
}

/** Whether an entity in a response includes its aspects. */
export function hasAspects(answered: JsonObject): boolean {
  return aspectFieldsOf(answered) !== undefined || Array.isArray(answered["aspects"]) || isStored(answered);
}

/** Whether an entity was read from stored aspects, which are already keyed by name. */
export function isStored({ aspects }: JsonObject): boolean {
  return isJsonObject(aspects);
}

/** Returns the stored aspects that contain the facets that `assetsDocument` selects. */
export function storedAspects(kind: Kind | undefined, declared: DeclaredFacets): readonly string[] {
  if (!kind) return ["status"];
  const { name } = kind;
  const aspects = facetsOf(name).flatMap((facet) =>
    isSelected(facet, name, declared)
      ? [...facet.aspects(name), ...facet.answered(name).map((each) => each.name)]
      : [],
  );
  return ["status", ...aspects];
}

/** Returns the aspects of an entity in a response, keyed by name, or the reason why they are unknown. */
export function rawAspectsIn(answered: JsonObject): JsonObject | string {
  if (!hasAspects(answered)) return "the server's response does not contain this entity";
  try {
    return rawAspectsOf(answered);
  } catch (error) {
    return asCatalogError(error).message;
  }
}

// Validates an aspect name, because the name appears in messages.
function isAspectName(name: unknown): name is string {
  return typeof name === "string" && /^[a-zA-Z]\w{0,99}$/.test(name);
}

function valueIn(name: string, payload: unknown): JsonObject {
  if (typeof payload !== "string") throw malformed(`aspect ${name}`, "has no payload");
  let value: unknown;
  try {
    value = parseJson(payload);
  } catch (error) {
    throw malformed(
      `aspect ${name}`,
      error instanceof CatalogError ? `is too large: ${error.message}` : "is not valid JSON",
    );
  }
  if (isJsonObject(value)) return value;
  throw malformed(`aspect ${name}`, "is not a JSON object");
}

function kindsOf(present: { has(kind: string): boolean }): readonly Kind[] {
  return kinds.filter((kind) => present.has(kind.name));
}

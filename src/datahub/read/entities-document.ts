import type { Facet } from "../../facets/facet.ts";
import { facetsOf } from "../../facets/index.ts";
import { kinds } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { isJsonObject, type JsonObject } from "../../model/json.ts";
import type { Entity } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { type SupportsField, supportsNone } from "./available-fields.ts";

/** The query that reads datasets and containers: what tells whether they exist, and their facets. */
export function assetsDocument(
  entities: readonly Entity[],
  columns: boolean,
  supports: SupportsField,
): string {
  const fragments = kindsOf(entities).map((kind) => {
    const facets = facetsOf(kind.name).filter((facet) => columns || !facet.readWhenDeclared);
    return `... on ${kind.typename} { exists status { removed } ${fieldsOf(kind, facets, supports)} }`;
  });
  return `query ReadAssets($urns: [String!]!) { entities(urns: $urns) { urn __typename ${fragments.join(" ")} } }`;
}

/**
 * The query that reads definitions; its variables are `urns` and each of them as `u0`, `u1`, …. Domains and tags have
 * no field `exists`, so `entityExists` is asked for all. Fields come as raw aspects: each in the one place it is written.
 */
export function definitionsDocument(entities: readonly Entity[]): string {
  const variables = entities.map((_, index) => `$u${index}: String!`).join(", ");
  const exists = entities.map((_, index) => `e${index}: entityExists(urn: $u${index})`).join(" ");
  const fragments = kindsOf(entities).map(
    (kind) => `... on ${kind.typename} { ${fieldsOf(kind, facetsOf(kind.name), supportsNone)} }`,
  );
  return `query ReadDefinitions($urns: [String!]!, ${variables}) { ${exists} entities(urns: $urns) { urn __typename ${fragments.join(" ")} } }`;
}

/** What facets select of entities of a kind: raw aspects, then fields. */
function fieldsOf(kind: Kind, facets: readonly Facet[], supports: SupportsField): string {
  const aspects = [...new Set(facets.flatMap((facet) => facet.aspects(kind.name)))];
  const fields = facets.map((facet) => facet.selection(supports)).filter((selection) => selection !== "");
  return [rawAspects(aspects), ...fields].join(" ");
}

/** Each URN as a variable of its own: `u0`, `u1`, …. */
export function numbered(urns: readonly Urn[]): JsonObject {
  return Object.fromEntries(urns.map((urn, index) => [`u${index}`, urn]));
}

/** What to select to get raw aspects. */
export function rawAspects(names: readonly string[]): string {
  return `aspects(input: { aspectNames: ${JSON.stringify(names)} }) { aspectName payload }`;
}

/** An answered entity whose list of raw aspects has become an object: each aspect by its name. */
export function withRawAspects(answered: JsonObject): JsonObject {
  const { aspects } = answered;
  if (!Array.isArray(aspects)) return answered;
  const byName: Record<string, JsonObject> = {};
  for (const aspect of aspects) {
    if (!isJsonObject(aspect) || typeof aspect["aspectName"] !== "string") continue;
    const value: unknown = typeof aspect["payload"] === "string" ? JSON.parse(aspect["payload"]) : undefined;
    if (isJsonObject(value)) byName[aspect["aspectName"]] = value;
  }
  return { ...answered, aspects: byName };
}

function kindsOf(entities: readonly Entity[]): readonly Kind[] {
  const present = new Set(entities.map((entity) => entity.kind));
  return kinds.filter((kind) => present.has(kind.name));
}

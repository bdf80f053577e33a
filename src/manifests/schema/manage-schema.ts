import { facets, facetsOf, plannedFacets } from "../../facets/index.ts";
import type { Facet } from "../../facets/facet.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import { modes } from "../../model/settings.ts";

const meaning =
  "For each facet, what to do with live values that are not declared: `additive` keeps them, `merge` removes those that were declared before, `authoritative` (the default) removes all of them.";

/** The facets that a manifest can declare, by their keys there. */
export const declarableFacets: readonly string[] = declarable(facets);

/** The facets whose values an ignore rule can name: as plans show them. */
export const ignorableFacets: readonly string[] = declarable(plannedFacets);

/** JSON Schema of `manage` in the settings: a mode for each facet. */
export const manageSchema: JsonObject = schemaFor(declarableFacets);

/** JSON Schema of `manage` in a manifest of a kind. */
export function manageSchemaOf(kind: Kind): JsonObject {
  const schema = schemaFor(declarable(facetsOf(kind.name)));
  return {
    ...schema,
    description: `${meaning} It applies to the facet, whichever document or rule declares its values.`,
  };
}

function declarable(of: readonly Facet[]): readonly string[] {
  return of.filter(({ schema }) => schema !== undefined).map(({ name }) => name);
}

function schemaFor(names: readonly string[]): JsonObject {
  return {
    type: "object",
    description: meaning,
    examples: [Object.fromEntries(names.slice(0, 1).map((name) => [name, "merge"]))],
    properties: Object.fromEntries(names.map((name) => [name, modeOf(name)])),
    additionalProperties: false,
  };
}

function modeOf(name: string): JsonObject {
  return {
    enum: modes,
    description: `What to do with live values of \`${name}\` that are not declared.`,
    examples: ["merge"],
  };
}

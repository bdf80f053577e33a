import { facets, facetsOf } from "../../facets/index.ts";
import type { Facet } from "../../facets/facet.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import { modes } from "../../model/policy.ts";

/** The facets that a manifest can declare, by key. */
export const declarableFacets: readonly string[] = declarable(facets);

/** The key for the user's side of memberships. The facet is `members` of the group. */
const ownMemberships = "groups";

/** JSON Schema of `manage` in the settings: a mode for each facet. */
export const manageSchema: JsonObject = schemaFor([...declarableFacets, ownMemberships]);

/** JSON Schema of `manage` in a manifest of a kind. */
export function manageSchemaOf(kind: Kind): JsonObject {
  const names = declarable(facetsOf(kind.name));
  return schemaFor(kind.fields[ownMemberships] === undefined ? names : [...names, ownMemberships]);
}

function declarable(of: readonly Facet[]): readonly string[] {
  return of.filter(({ schema }) => schema !== undefined).map(({ name }) => name);
}

function schemaFor(names: readonly string[]): JsonObject {
  return {
    type: "object",
    description:
      "For each facet, what to do with live values that are not declared: `additive` keeps them, `merge` removes those that were declared before, `authoritative` (the default) removes all of them.",
    properties: Object.fromEntries(names.map((name) => [name, { enum: modes }])),
    additionalProperties: false,
  };
}

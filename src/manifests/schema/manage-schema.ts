/** Builds the schema for `manage`, and lists the facets that `manage` and ignore rules support. */

import { facets, facetsOf, plannedFacets, isDeclarable } from "../../facets/index.ts";
import type { Facet } from "../../facets/facet.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import { type Mode, type Modes, modes } from "../../model/settings.ts";

const meaning =
  "How to treat values in DataHub that are not declared in Git: `additive` keeps them, `merge` removes only those that were previously declared, and `authoritative` (the default) removes them all. Set one mode per field, or one for all fields.";

/** The manifest keys of the facets that a manifest can declare. */
export const declarableFacets: readonly string[] = declarable(facets);

/** The names of the facets whose values an ignore rule can match. Plans show the same names. */
export const ignorableFacets: readonly string[] = declarable(plannedFacets);

/** The names of the facets that can have several values. */
export const listed: ReadonlySet<string> = new Set(facets.flatMap(({ name, set }) => (set ? [name] : [])));

/** The JSON Schema for `manage` in the settings: one mode for each facet, or one mode for all facets. */
export const manageSchema = schemaFor(declarableFacets);

/** Builds the JSON Schema for `manage` in a kind's manifests. */
export function manageSchemaOf(kind: Kind): JsonObject {
  const description = `${meaning} This overrides \`manage\` in the settings.`;
  return { ...schemaFor(declarableFacetsOf(kind)), description };
}

/** Returns the manifest keys of the facets that a kind's manifests can declare. */
export function declarableFacetsOf(kind: Kind): readonly string[] {
  return declarable(facetsOf(kind.name));
}

/** Returns the modes that a value of `manage` sets for these facets. The value must have passed the schema check. */
export function modesFrom(written: Mode | Modes, names: readonly string[]): Modes {
  return typeof written === "string" ? Object.fromEntries(names.map((name) => [name, written])) : written;
}

function declarable(of: readonly Facet[]): readonly string[] {
  return of.filter(isDeclarable).map(({ name }) => name);
}

function schemaFor(names: readonly string[]) {
  const example = names.find((name) => listed.has(name)) ?? names[0] ?? "";
  return {
    if: { type: "string" },
    // oxlint-disable-next-line unicorn/no-thenable -- a JSON Schema keyword
    then: { enum: modes },
    else: {
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, modeOf(name)])),
      additionalProperties: false,
    },
    description: meaning,
    examples: [{ [example]: "merge" }, "merge"],
  } as const;
}

function modeOf(name: string) {
  return {
    enum: modes,
    description: listed.has(name)
      ? `The mode for \`${name}\`: \`additive\` only adds values, \`merge\` also removes values that were previously declared in Git but no longer are, and \`authoritative\` removes all undeclared values.`
      : `The mode for \`${name}\`: \`additive\` only sets a missing value, \`merge\` reports a conflict if someone else changed the value, and \`authoritative\` overwrites it.`,
    examples: ["merge"],
  } as const;
}

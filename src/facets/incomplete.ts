/** Defines the facet `incomplete`: whether the creation of a definition was interrupted. */

import { kindOf, kinds } from "../kinds/index.ts";
import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { scalarFacet } from "./build.ts";

/**
 * Whether the creation of a definition was interrupted: its first aspect is stored, but a later aspect is missing. Manifests
 * cannot declare this facet, because declared entities are complete. The first aspect of an existing entity is never written. If
 * this aspect differs from that of a new entity, a different client created the definition and is expected to complete it.
 */
export const incomplete = scalarFacet({
  name: "incomplete",
  kinds: kinds.filter(({ name }) => laterAspects(name).length > 0).map(({ name }) => name),
  implied: { for: "every-entity", value: () => false },
  format: (value) => (value === true ? "true (its creation was interrupted)" : "false (completed)"),
  blank: false,
  aspects: (kind) => firstAspects(kind).map(([aspect]) => aspect),
  parse: () => ({ value: false, references: [] }),
  observe: (found, kind) => {
    const [first] = firstAspects(kind);
    const isOfOthers = first !== undefined && !isAsCreated(found[first[0]], first[1]);
    return !isOfOthers && laterAspects(kind).some(([aspect]) => found[aspect] === undefined);
  },
  requests: ({ urn, kind }) =>
    laterAspects(kind).map(([aspect, initial]) => ({ type: "proposal", urn, aspect, initial, set: {} })),
});

/** Returns the aspects that are written to create an entity, in order, with their initial content. */
function firstAspects(kind: string): readonly (readonly [string, JsonObject])[] {
  return Object.entries(kindOf(kind).initial(""));
}

function laterAspects(kind: string): readonly (readonly [string, JsonObject])[] {
  return firstAspects(kind).slice(1);
}

/** Whether an aspect has the initial content of a new entity, or was not read. */
function isAsCreated(aspect: Json | undefined, initial: JsonObject): boolean {
  return !isJsonObject(aspect) || Object.entries(initial).every(([field, value]) => aspect[field] === value);
}

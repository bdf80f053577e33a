import { kindOf, kinds } from "../kinds/index.ts";
import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { scalarFacet } from "./build.ts";

/**
 * Whether a definition that exists lacks an aspect that its creation writes after the first: a creation was interrupted. It
 * cannot be declared: what a manifest declares is complete. The first aspect is never written to what exists; where it is
 * another than a creation writes, others created the definition, and complete it.
 */
export const incomplete = scalarFacet({
  name: "incomplete",
  kinds: kinds.filter(({ name }) => laterAspects(name).length > 0).map(({ name }) => name),
  implied: { for: "every-entity", value: () => false },
  format: (value) => (value === true ? "true (its creation was interrupted)" : "false (completed)"),
  blank: false,
  aspects: (kind) => firstAspects(kind).map(([aspect]) => aspect),
  parse: () => ({ value: false, references: [] }),
  observe: ({ aspects }, kind) => {
    const found = isJsonObject(aspects) ? aspects : {};
    const [first] = firstAspects(kind);
    const isOfOthers = first !== undefined && !isAsCreated(found[first[0]], first[1]);
    return !isOfOthers && laterAspects(kind).some(([aspect]) => found[aspect] === undefined);
  },
  requests: ({ urn, kind }) =>
    laterAspects(kind).map(([aspect, initial]) => ({ type: "proposal", urn, aspect, initial, set: {} })),
});

/** The aspects that a creation of a kind writes, in their order, with their initial content. */
function firstAspects(kind: string): readonly (readonly [string, JsonObject])[] {
  return Object.entries(kindOf(kind).initial(""));
}

function laterAspects(kind: string): readonly (readonly [string, JsonObject])[] {
  return firstAspects(kind).slice(1);
}

/** Whether an aspect has the content that a creation writes, or was not read. */
function isAsCreated(aspect: Json | undefined, initial: JsonObject): boolean {
  return !isJsonObject(aspect) || Object.entries(initial).every(([field, value]) => aspect[field] === value);
}

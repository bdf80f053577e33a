/** Checks the values of structured properties against their definitions. */

import { type JsonObject, textOf } from "../model/json.ts";
import { isDay } from "../model/text/date-text.ts";
import { isUrn } from "../model/urn.ts";
import type { DefinitionFacets, Definitions } from "./map-contract.ts";
import type { PropertyValue } from "./property-value.ts";

/** The maximum size of a string in the search index, in bytes (StructuredPropertiesValidator.java). */
const maxBytes = 32_766;

/**
 * Creates the functions that check values against definitions. `typeOf` returns the entity type that definitions use for a kind.
 */
export function definitionsBy(typeOf: (kind: string) => string): Definitions {
  return {
    kind: "StructuredProperty",
    decidedBy: ["value_type", "cardinality", "allowed_values"],
    shapeBy: (facets) => (textAt(facets, "cardinality") === "MULTIPLE" ? "set" : "scalar"),
    expected: (leaf, facets) => {
      const cardinality = textAt(facets, "cardinality");
      if (leaf.shape === "scalar" && cardinality === "MULTIPLE")
        return leaf.value === null
          ? "`[]`: the property allows several values"
          : "a list: the property allows several values";
      if (leaf.shape === "set" && cardinality === "SINGLE")
        return "a single value: the property allows only one";
      const values = leaf.shape === "set" ? leaf.members : [leaf.value];
      for (const value of values) {
        const expected = isValue(value) ? expectedInstead(value, facets) : undefined;
        if (expected !== undefined) return expected;
      }
      return undefined;
    },
    typesInstead: (kind, facets) => {
      const types = membersAt(facets, "entity_types").map(String);
      return types.length > 0 && !types.includes(typeOf(kind)) ? types : undefined;
    },
    contradiction: (facets) => {
      const type = textAt(facets, "value_type");
      for (const value of allowedIn(facets)) {
        const expected = expectedOfType(value, type);
        if (expected !== undefined) return { facet: "allowed_values", found: `${value}`, expected };
      }
      return undefined;
    },
  };
}

/**
 * Describes the expected value if the definition does not allow the given value. Unknown fields of the definition do not restrict
 * values.
 */
function expectedInstead(value: PropertyValue, facets: DefinitionFacets): string | undefined {
  const ofType = expectedOfType(value, textAt(facets, "value_type"));
  if (ofType !== undefined) return ofType;
  const allowed = allowedIn(facets);
  return allowed.length === 0 || allowed.includes(value) ? undefined : `one of ${allowed.join(", ")}`;
}

function expectedOfType(value: PropertyValue, type: string): string | undefined {
  if (typeof value === "number") return type === "number" || type === "" ? undefined : "a quoted string";
  if (type === "number") return "a number";
  else if (type === "date" && !isDay(value)) return "a date, such as 2027-06-30";
  else if (type === "urn" && !isUrn(value)) return "a URN";
  else if (Buffer.byteLength(value) > maxBytes) return `at most ${maxBytes.toLocaleString("en")} bytes long`;
  return undefined;
}

function allowedIn(facets: DefinitionFacets): readonly PropertyValue[] {
  return membersAt(facets, "allowed_values").flatMap((each) => {
    const own = typeof each === "object" ? each["value"] : each;
    return isValue(own) ? [own] : [];
  });
}

function textAt(facets: DefinitionFacets, name: string): string {
  const value = facets.get(name);
  return value?.shape === "scalar" ? textOf(value.value ?? "") : "";
}

function membersAt(facets: DefinitionFacets, name: string): readonly (PropertyValue | JsonObject)[] {
  const value = facets.get(name);
  return value?.shape === "set" ? value.members : [];
}

/** Whether a value is a string or a number, which are the types that properties allow. */
export function isValue(value: unknown): value is PropertyValue {
  return typeof value === "string" || typeof value === "number";
}

/** Builds facets that are stored in a single field of an aspect. Each kind specifies the aspect and the field. */

import { kindOf, kinds } from "../kinds/index.ts";
import type { Place } from "../kinds/kind.ts";
import { type Json, type JsonObject } from "../model/json.ts";
import type { Scalar } from "../model/state.ts";
import { malformed, aspectIn } from "../model/answer.ts";
import { proposal, scalarFacet } from "./build.ts";
import type { FacetContract, ScalarFacet } from "./facet.ts";
import type { Parsing } from "./parsing.ts";

/** The definition of a facet that is stored in a single field of an aspect. */
export interface Field extends Partial<
  Pick<FacetContract, "refersTo" | "relationship" | "isRequired" | "implied" | "wording" | "isProse">
> {
  readonly name: string;
  readonly schema: JsonObject;
  /** The value if the aspect exists but lacks the field. */
  readonly absent?: Scalar;
  parse?(written: Json): Parsing<Scalar>;
  written?(value: Scalar): Json;
}

/** Builds the facet for a field. The facet is written with metadata change proposals. */
export function fieldFacet(field: Field): ScalarFacet {
  const { name, schema, absent = null } = field;
  const isOfNumbers = [schema["type"]].flat().includes("integer");
  return scalarFacet({
    parse: takeAsWritten,
    ...field,
    kinds: kinds.filter(({ storage }) => storage[name] !== undefined).map((kind) => kind.name),
    aspects: (kind) => [placeOf(kind, name)[0]],
    storedIn: (kind) => placeOf(kind, name)[0],
    observe: (aspects, kind) => {
      const place = placeOf(kind, name);
      const value = valueAt(aspects, place, isOfNumbers);
      const isThere = Object.keys(aspectIn(aspects, place[0])).length > 0;
      return value ?? (isThere ? absent : null);
    },
    requests: ({ urn, kind, after }) => {
      const [aspect, key, unset = null] = placeOf(kind, name);
      return [proposal(urn, aspect, { [key]: after ?? unset })];
    },
  });
}

function placeOf(kind: string, field: string): Place {
  const place = kindOf(kind).storage[field];
  if (!place) throw new Error(`a ${kind} has no field ${field}`);
  return place;
}

// Returns the value unchanged, because the schema allows only scalars.
function takeAsWritten(written: Json): Parsing<Scalar> {
  return { value: typeof written === "object" ? null : written, references: [] };
}

// Reads a string, or a number if the schema requires an integer. The JSON parser keeps large integers as strings of digits.
function valueAt(aspects: JsonObject, [aspect, field, unset]: Place, isOfNumbers: boolean): Scalar {
  const value = aspectIn(aspects, aspect)[field] ?? null;
  if (value === null || value === unset) return null;
  if (typeof value === "string") return value;
  if (typeof value === "number" && isOfNumbers) return value;
  throw malformed(`${aspect}.${field}`, "has the wrong type");
}

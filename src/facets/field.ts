import { kindOf, kinds } from "../kinds/index.ts";
import type { Place } from "../kinds/kind.ts";
import { type Json, type JsonObject } from "../model/json.ts";
import type { Scalar } from "../model/state.ts";
import { malformed, rawAspect } from "./answer.ts";
import { scalarFacet } from "./build.ts";
import type { FacetContract, ScalarFacet } from "./facet.ts";
import type { Parsing } from "./parsing.ts";

/** What is particular to one field of definitions. */
export interface Field extends Partial<
  Pick<FacetContract, "refersTo" | "relationship" | "isRequired" | "implied" | "wording" | "isProse">
> {
  readonly name: string;
  readonly schema: JsonObject;
  /** The value where the aspect is there and does not have the field. */
  readonly absent?: Scalar;
  parse?(written: Json): Parsing<Scalar>;
  written?(value: Scalar): Json;
}

/** A facet that is one field of an aspect, written as a metadata change proposal. Each kind says where it keeps it. */
export function fieldFacet(field: Field): ScalarFacet {
  const { name, schema, absent = null } = field;
  const isOfNumbers = [schema["type"]].flat().includes("integer");
  return scalarFacet({
    parse: takeAsWritten,
    ...field,
    kinds: kinds.filter(({ storage }) => storage[name] !== undefined).map((kind) => kind.name),
    aspects: (kind) => [placeOf(kind, name)[0]],
    storedIn: { aspect: (kind) => placeOf(kind, name)[0] },
    observe: (entity, kind) => {
      const place = placeOf(kind, name);
      const value = valueAt(entity, place, isOfNumbers);
      const isThere = Object.keys(rawAspect(entity, place[0])).length > 0;
      return value ?? (isThere ? absent : null);
    },
    requests: ({ urn, kind, after }) => {
      const [aspect, key, unset = null] = placeOf(kind, name);
      return [{ type: "proposal", urn, aspect, initial: {}, set: { [key]: after ?? unset } }];
    },
  });
}

function placeOf(kind: string, field: string): Place {
  const place = kindOf(kind).storage[field];
  if (!place) throw new Error(`a ${kind} has no field ${field}`);
  return place;
}

// The schema of a field has let only single values through.
function takeAsWritten(written: Json): Parsing<Scalar> {
  return { value: typeof written === "object" ? null : written, references: [] };
}

// All fields are texts, but for numbers, which are texts of digits where they are large.
function valueAt(entity: JsonObject, [aspect, field, unset]: Place, isOfNumbers: boolean): Scalar {
  const value = rawAspect(entity, aspect)[field] ?? null;
  if (value === null || value === unset) return null;
  if (typeof value === "string") return value;
  if (typeof value === "number" && isOfNumbers) return value;
  throw malformed(`${aspect}.${field}`, "has the type of another value");
}

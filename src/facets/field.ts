import { kindOf, kinds } from "../kinds/index.ts";
import type { Place } from "../kinds/kind.ts";
import { nonEmptyString } from "../model/identifier.ts";
import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import type { Scalar } from "../model/state.ts";
import { malformed } from "./answer.ts";
import { scalarFacet } from "./build.ts";
import type { FacetContract, Parsing, ScalarFacet } from "./facet.ts";

/** What is particular to one field of definitions. */
export interface Field extends Partial<
  Pick<FacetContract, "schema" | "refersTo" | "isRequired" | "implied">
> {
  readonly name: string;
  parse?(written: Json): Parsing<Scalar>;
}

/** A facet that is one field of an aspect, written as a metadata change proposal. Each kind says where it keeps it. */
export function fieldFacet(field: Field): ScalarFacet {
  const { name } = field;
  return scalarFacet({
    schema: nonEmptyString,
    parse: takeAsWritten,
    ...field,
    kinds: kinds.filter(({ keeps }) => keeps[name] !== undefined).map((kind) => kind.name),
    aspects: (kind) => [placeOf(kind, name)[0]],
    storedIn: { aspect: (kind) => placeOf(kind, name)[0] },
    observe: (entity, kind) => valueAt(entity, placeOf(kind, name)),
    requests: ({ urn, kind, after }) => {
      const [aspect, key] = placeOf(kind, name);
      return [{ type: "proposal", urn, aspect, initial: {}, set: { [key]: after } }];
    },
  });
}

function placeOf(kind: string, field: string): Place {
  const place = kindOf(kind).keeps[field];
  if (!place) throw new Error(`a ${kind} has no field ${field}`);
  return place;
}

// The schema of a field has let only single values through.
function takeAsWritten(written: Json): Parsing<Scalar> {
  return { value: typeof written === "object" ? null : written, references: [] };
}

function valueAt({ aspects }: JsonObject, [aspect, field]: Place): Scalar {
  const found = isJsonObject(aspects) ? aspects[aspect] : undefined;
  const value = isJsonObject(found) ? (found[field] ?? null) : null;
  if (value === null || typeof value !== "object") return value;
  throw malformed(`${aspect}.${field}`, "is no single value");
}

import { textSchema } from "../kinds/kind.ts";
import { isSetChange } from "../model/change.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { type KindName, type Scalar, scalarOf } from "../model/state.ts";
import { type Facet, showPlain } from "./facet.ts";

/** Where a field of a definition is kept: the aspect, and the field in it. */
export type Place = readonly [aspect: string, field: string];

/** What is particular to one field of definitions. */
export interface Field {
  readonly name: string;
  /** By kind: one place each, and no other is ever read or written for it. */
  readonly places: Readonly<Partial<Record<KindName, Place>>>;
  readonly schema?: JsonObject;
  readonly refersTo?: readonly string[];
  readonly parse?: Facet["parse"];
}

/** A facet that is one field of an aspect, written as a metadata change proposal. */
export function fieldFacet({ name, places, schema = textSchema, refersTo = [], parse }: Field): Facet {
  return {
    name,
    on: Object.keys(places) as KindName[],
    shape: "scalar",
    refersTo,
    schema,
    costly: false,
    aspects: (kind) => {
      const place = places[kind];
      return place ? [place[0]] : [];
    },
    optionalFields: [],
    stored: { aspect: (kind) => places[kind]?.[0] },
    selection: () => "",
    parse: parse ?? ((written) => ({ value: written as Scalar, references: [] })),
    show: showPlain,
    observe: (entity, kind) => ({ value: scalarOf(fieldOf(entity, places[kind])) }),
    requests: (change) => {
      const place = places[change.kind];
      if (isSetChange(change) || !place) return [];
      const [aspect, field] = place;
      return [{ type: "proposal", urn: change.urn, aspect, initial: {}, set: { [field]: change.after } }];
    },
  };
}

function fieldOf(entity: JsonObject, place: Place | undefined): Scalar {
  if (!place || !isJsonObject(entity["aspects"])) return null;
  const aspect = entity["aspects"][place[0]];
  const value = isJsonObject(aspect) ? aspect[place[1]] : undefined;
  return typeof value === "object" || value === undefined ? null : value;
}

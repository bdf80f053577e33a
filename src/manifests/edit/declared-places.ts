import { facetsOf } from "../../facets/index.ts";
import { namesOfPlace } from "../../facets/places.ts";
import { findKind } from "../../kinds/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Place } from "../../model/place.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { manifestKeys } from "../schema/schema.ts";
import { valueAt } from "./content.ts";

/** A mapping that declares facets of an entity: a manifest, or an element of a manifest's list that is written out. */
export interface DeclaringMapping {
  readonly urn: Urn;
  readonly isInline: boolean;
  readonly fields: JsonObject;
}

/** The mappings of a document that declare facets. */
export function declaringMappings(root: Json): readonly DeclaringMapping[] {
  return (isJsonList(root) ? root : [root]).flatMap((fields) => {
    if (!isJsonObject(fields)) return [];
    const name = fields["kind"];
    const kind = typeof name === "string" ? findKind(name) : undefined;
    const identity = kind?.urnOf(fields);
    if (!kind || !identity || !("urn" in identity)) return [];
    return [{ urn: identity.urn, isInline: false, fields }, ...inlineMappings(kind, fields)];
  });
}

function inlineMappings({ name }: Kind, manifest: JsonObject): readonly DeclaringMapping[] {
  return facetsOf(name).flatMap((facet) => {
    const list = facet.inlineKind === undefined ? undefined : manifest[facet.name];
    return (isJsonList(list) ? list : []).filter(isJsonObject).flatMap((fields) => {
      const parsed = facet.parse(fields);
      return "value" in parsed && isUrn(parsed.value) ? [{ urn: parsed.value, isInline: true, fields }] : [];
    });
  });
}

/** The keys of a mapping that lead to a place, under the name by which the mapping declares it; `undefined` where it does not. */
export function keysIn(fields: JsonObject, place: Place): readonly string[] | undefined {
  return namesOfPlace(place)
    .map(manifestKeys)
    .find((keys) => valueAt(fields, keys) !== undefined);
}

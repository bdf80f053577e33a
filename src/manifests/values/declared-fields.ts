/** Reads a manifest's fields: facet values, modes, and exemptions from rules. */

import { facetsOf } from "../../facets/index.ts";
import type { Kind } from "../../kinds/kind.ts";
import { isJsonList, isJsonObject, type JsonObject, textOf } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { Mode, Modes } from "../../model/settings.ts";
import type { OwnModes, FacetValue } from "../../model/state.ts";
import { facetValue } from "./facet-value.ts";
import type { CheckedFields, FieldReading } from "./field-reading.ts";
import { declarableFacetsOf, modesFrom } from "../schema/manage-schema.ts";
import { originAt } from "../schema/schema-path.ts";
import { elementsIn, originIn, type ParsedDocument, placesIn } from "../yaml/parsed-document.ts";

/** Returns the valid facet values in a manifest. */
export function facetValues(kind: Kind, reading: FieldReading): ReadonlyMap<string, FacetValue> {
  const values = new Map<string, FacetValue>();
  for (const facet of facetsOf(kind.name)) {
    const value = facetValue(facet, reading);
    if (value) values.set(facet.name, value);
  }
  return values;
}

/** Returns the modes that a manifest sets, including their positions. */
export function modesIn(kind: Kind, { bad, checked }: CheckedFields): OwnModes {
  const { document, value } = checked;
  const { manage } = value;
  if (manage === undefined || bad.has("manage")) return {};
  const facets = declarableFacetsOf(kind);
  const modes = modesFrom(manage as Mode | Modes, facets);
  const origin = originAt(checked, ["manage"]);
  const places = isJsonObject(manage)
    ? [...placesIn(document, manage)].map(([facet, { key }]) => [facet, originIn(document, key)] as const)
    : facets.map((facet) => [facet, origin] as const);
  return { manage: modes, modePlaces: new Map(places) };
}

/** Returns the offset of a mapping's first key. */
export function startOf(document: ParsedDocument, value: JsonObject, at: number): number {
  const [first] = placesIn(document, value).values();
  return first && first.key >= at ? first.key : at;
}

/** Returns the ids of the rules from which a manifest exempts its entity, each with the position of its first occurrence. */
export function exemptionsIn({ bad, checked }: FieldReading): ReadonlyMap<string, Origin> {
  const { document, value } = checked;
  const { exempt } = value;
  if (!isJsonList(exempt) || bad.has("exempt")) return new Map();
  const rules = elementsIn(document, exempt).map(
    ({ value: id, place }) => [textOf(id), originIn(document, place.value)] as const,
  );
  return new Map(rules.toReversed());
}

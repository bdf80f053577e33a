/**
 * Reads a facet's value from a manifest: follows the keys of the facet to its single values and lists, and collects the references
 * and problems in these keys.
 */

import type { Facet } from "../../facets/facet.ts";
import { innerKey, outerKey } from "../../facets/places.ts";
import { refuseUrn } from "../../facets/parsing.ts";
import { urnOfId } from "../../model/identifier.ts";
import { isJsonList, isJsonObject, type Json } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { Path } from "../../model/place.ts";
import type { FacetValue } from "../../model/state.ts";
import { errorAt } from "../base/problem.ts";
import { originIn, placesIn, type ParsedDocument, type PlacedValue } from "../yaml/parsed-document.ts";
import type { FieldReading } from "./field-reading.ts";
import { type FieldPlace, scalarValue, setValue } from "./leaf-value.ts";
import { refusalProblem } from "./refusal-problem.ts";

/** Returns the value of a facet in a manifest; `undefined` if there is no valid value. */
export function facetValue(facet: Facet, reading: FieldReading): FacetValue | undefined {
  const { document, value } = reading.checked;
  const outer = outerKey(facet);
  const place = placesIn(document, value).get(outer);
  if (!place) return undefined;
  const at: FieldPlace = { place, origin: originIn(document, place.key), names: [outer], path: [] };
  return valueAt(facet, reading, value[outer] ?? null, at);
}

/** Reads the part of a facet's value at this location: a mapping, or a leaf if the facet has no further keys. */
function valueAt(facet: Facet, reading: FieldReading, value: Json, at: FieldPlace): FacetValue | undefined {
  if (facet.shape === "map" && at.path.length < facet.keys.length) return mapValue(facet, reading, value, at);
  if (at.path.length === 0 && reading.bad.has(facet.name)) return undefined;
  return facet.set && (isJsonList(value) || !facet.scalar)
    ? setValue(facet, reading, value, at)
    : scalarValue(facet, reading, value, at);
}

function mapValue(
  facet: Facet,
  reading: FieldReading,
  mapping: Json,
  { names, path }: FieldPlace,
): FacetValue | undefined {
  const { document } = reading.checked;
  if (!isJsonObject(mapping)) return undefined;
  const inner = path.length === 0 ? innerKey(facet) : undefined;
  const entries = new Map<string, FacetValue>();
  for (const [written, place] of placesIn(document, mapping)) {
    if (path.length === 0 && reading.bad.has(`${names[0]}/${written}`)) continue;
    const below = mapping[written] ?? null;
    const own = inner === undefined ? { place, value: below } : shared(document, below, inner);
    if (!own) continue;
    const origin = originIn(document, place.key);
    const key = keyAt(facet, reading, { written, origin, path });
    if (key === undefined) continue;
    const at: FieldPlace = {
      place: own.place,
      origin,
      names: [...names, written, ...(inner === undefined ? [] : [inner])],
      path: [...path, key],
    };
    if (entries.has(key)) {
      const field = names.join(".");
      reading.problems.push(errorAt(origin, "duplicate-element", { field, element: written }));
      continue;
    }
    const found = valueAt(facet, reading, own.value, at);
    if (found) entries.set(key, found);
  }
  return entries.size > 0 ? { shape: "map", entries } : undefined;
}

/** A key in a manifest, its position, and its parent keys. */
interface WrittenKey {
  readonly written: string;
  readonly origin: Origin;
  readonly path: Path;
}

/**
 * Returns the facet key for a key in a manifest. If the facet's keys refer to entities, returns a URN and collects a reference to
 * that entity. Returns `undefined` if the URN is invalid.
 */
function keyAt(
  facet: Facet,
  reading: FieldReading,
  { written, origin, path }: WrittenKey,
): string | undefined {
  const { entityType } = (facet.shape === "map" && facet.keys[path.length]) || {};
  if (entityType === undefined) return written;
  const result = urnOfId(entityType, written);
  if ("fault" in result) {
    reading.problems.push(refusalProblem(refuseUrn(written, result.fault).refusal, origin, facet.name));
    return undefined;
  }
  reading.references.push({
    urn: result.urn,
    entityType,
    facet: facet.name,
    path: [...path, result.urn],
    origin,
  });
  return result.urn;
}

/** Reads one facet's value from a mapping that several facets share. */
function shared(document: ParsedDocument, mapping: Json, key: string): PlacedValue | undefined {
  if (!isJsonObject(mapping)) return undefined;
  const place = placesIn(document, mapping).get(key);
  return place && { place, value: mapping[key] ?? null };
}

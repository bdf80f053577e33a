/** Defines a YAML document as plain data with the places of its values, and looks up places and source texts. */

import type { Json, JsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { Source } from "./source.ts";

/** The offsets of a value in its file. For an element of a list, `key` is the offset of the element. */
export interface SourcePlace {
  readonly key: number;
  readonly value: number;
  readonly end: number;
  /** Whether the value is a plain scalar: neither quoted nor a block. */
  readonly plain: boolean;
  /** Whether the value comes from a merge key (`<<`). The offsets are then in another mapping. */
  readonly isMerged?: true;
}

export type SourcePlaces = ReadonlyMap<string, SourcePlace>;

/** A document with the places of its values. */
export interface ParsedDocument {
  readonly source: Source;
  readonly root: Json;
  readonly rootPlace: SourcePlace;
  readonly mappingPlaces: ReadonlyMap<JsonObject, SourcePlaces>;
  readonly listPlaces: ReadonlyMap<readonly Json[], readonly SourcePlace[]>;
  /** The values of merge keys (`<<`), by the mapping that has them. */
  readonly merges: ReadonlyMap<JsonObject, readonly PlacedValue[]>;
}

/** A value with its place. */
export interface PlacedValue<Value = Json> {
  readonly value: Value;
  readonly place: SourcePlace;
}

/** The places of the values of a mapping, by key. */
export function placesIn(document: ParsedDocument, mapping: JsonObject): SourcePlaces {
  return document.mappingPlaces.get(mapping) ?? new Map();
}

/** The elements of a list, each with its place. */
export function elementsIn<Element>(
  document: ParsedDocument,
  list: readonly Element[],
): readonly PlacedValue<Element>[] {
  const places = document.listPlaces.get(list as readonly Json[]) ?? [];
  return list.map((value, index) => ({ value, place: places[index] ?? document.rootPlace }));
}

/** An offset as file, line and column. */
export function originIn(document: ParsedDocument, offset: number): Origin {
  return document.source.originAt(offset);
}

/** The source text of a value. A long text is cut. */
export function sourceAt(document: ParsedDocument, { value, end }: SourcePlace): string {
  return document.source.text.slice(value, Math.min(end, value + 200));
}

/** Defines YAML documents as plain data with source positions, and looks up positions and source texts. */

import type { Json, JsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { Source } from "./source.ts";

/** The offsets of a value in its file. For a list element, `key` is the offset of the element. */
export interface SourcePlace {
  readonly key: number;
  readonly value: number;
  readonly end: number;
  /** Whether the value is a plain scalar, neither quoted nor in block style. */
  readonly plain: boolean;
  /** Whether the value comes from a merge key (`<<`). If so, the offsets point to a different mapping. */
  readonly isMerged?: true;
}

export type SourcePlaces = ReadonlyMap<string, SourcePlace>;

/** A document and the positions of its values. */
export interface ParsedDocument {
  readonly source: Source;
  readonly root: Json;
  readonly rootPlace: SourcePlace;
  readonly mappingPlaces: ReadonlyMap<JsonObject, SourcePlaces>;
  readonly listPlaces: ReadonlyMap<readonly Json[], readonly SourcePlace[]>;
  /** The values of merge keys (`<<`), keyed by the mapping that contains the merge keys. */
  readonly merges: ReadonlyMap<JsonObject, readonly PlacedValue[]>;
}

/** A value and its position. */
export interface PlacedValue<Value = Json> {
  readonly value: Value;
  readonly place: SourcePlace;
}

/** Returns the position of each value in a mapping, keyed by mapping key. */
export function placesIn(document: ParsedDocument, mapping: JsonObject): SourcePlaces {
  return document.mappingPlaces.get(mapping) ?? new Map();
}

/** Returns a list's elements, each with its position. */
export function elementsIn<Element>(
  document: ParsedDocument,
  list: readonly Element[],
): readonly PlacedValue<Element>[] {
  const places = document.listPlaces.get(list as readonly Json[]) ?? [];
  return list.map((value, index) => ({ value, place: places[index] ?? document.rootPlace }));
}

/** Converts an offset in a document to a file, line and column. */
export function originIn(document: ParsedDocument, offset: number): Origin {
  return document.source.originAt(offset);
}

/** Returns a value's source text, truncated to 200 characters. */
export function sourceAt(document: ParsedDocument, { value, end }: SourcePlace): string {
  return document.source.text.slice(value, Math.min(end, value + 200));
}

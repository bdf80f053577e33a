/** Copies a parsed document, and adds mappings and lists with their source positions to the copy. */

import type { Json, JsonObject } from "../../model/json.ts";
import type { ParsedDocument, PlacedValue, SourcePlace } from "./parsed-document.ts";

/** A document to which values can be added. */
export interface OpenDocument extends ParsedDocument {
  readonly mappingPlaces: Map<JsonObject, ReadonlyMap<string, SourcePlace>>;
  readonly listPlaces: Map<readonly Json[], readonly SourcePlace[]>;
}

/** Copies a document so that values can be added to the copy. */
export function opened(document: ParsedDocument): OpenDocument {
  const { mappingPlaces, listPlaces } = document;
  return { ...document, mappingPlaces: new Map(mappingPlaces), listPlaces: new Map(listPlaces) };
}

/** Creates a mapping from the fields that have a value, and adds the positions of these values to the document. */
export function addMapping(
  document: OpenDocument,
  fields: Readonly<Record<string, PlacedValue | undefined>>,
): JsonObject {
  const given = Object.entries(fields).flatMap(([key, field]) => (field ? [[key, field] as const] : []));
  const mapping = Object.fromEntries(given.map(([key, { value }]) => [key, value]));
  document.mappingPlaces.set(mapping, new Map(given.map(([key, { place }]) => [key, place])));
  return mapping;
}

/** Creates a list from the elements, and adds their positions to the document. */
export function addList(document: OpenDocument, elements: readonly PlacedValue[]): readonly Json[] {
  const list = elements.map(({ value }) => value);
  document.listPlaces.set(
    list,
    elements.map(({ place }) => place),
  );
  return list;
}

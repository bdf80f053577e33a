/** Reads the fields in imported entries, including their positions, records omissions, and adds lists without duplicates. */

import { canonicalJson, isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { addList, type OpenDocument } from "../yaml/open-document.ts";
import {
  elementsIn,
  originIn,
  type ParsedDocument,
  type PlacedValue,
  placesIn,
  type SourcePlace,
} from "../yaml/parsed-document.ts";
import type { Importing } from "./format.ts";

/** Whether a field is present and not null. */
export function isGiven(value: Json | undefined): value is Exclude<Json, null> {
  return value !== undefined && value !== null;
}

/** Whether a field has content: it is not null, and not an empty list or mapping. */
export function isFilled(value: Json | undefined): boolean {
  if (isJsonList(value)) return value.length > 0;
  return isJsonObject(value) ? Object.keys(value).length > 0 : isGiven(value);
}

/** Whether a mapping has at least one of these fields. */
export function hasSome(fields: JsonObject, names: readonly string[]): boolean {
  return names.some((name) => Object.hasOwn(fields, name));
}

/** Returns a field's position; `undefined` if the field is missing. */
export function placeOf(
  document: ParsedDocument,
  fields: JsonObject,
  field: string,
): SourcePlace | undefined {
  return placesIn(document, fields).get(field);
}

/** Returns a field's text; `undefined` if the field is missing or empty. The text `none` does not unset a value here. */
export function textIn(
  document: ParsedDocument,
  fields: JsonObject,
  field: string,
): PlacedValue<string> | undefined {
  const [value, place] = [fields[field], placeOf(document, fields, field)];
  if (typeof value !== "string" || value === "" || !place) return undefined;
  return { value, place: { ...place, plain: false } };
}

/** Returns an entry's domain: a URN if the text is the display name of a known domain; otherwise the id or URN as written. */
export function domainIn(
  { document, named }: Importing,
  fields: JsonObject,
): PlacedValue<string> | undefined {
  const domain = textIn(document, fields, "domain");
  return domain && { ...domain, value: named?.get("domain")?.get(domain.value) ?? domain.value };
}

/**
 * Converts an id to a URN. DataHub's readers would treat a URN of a different type as an id. This importer keeps such a URN
 * unchanged, so that it is rejected later.
 */
export function urnFor(id: string, prefix: string, encode = (key: string): string => key): string {
  return id.startsWith("urn:li:") ? id : prefix + encode(id);
}

/** Returns a list's elements; empty if the value is not a list. */
export function elementsOf(document: ParsedDocument, list: Json | undefined): readonly PlacedValue[] {
  return isJsonList(list) ? elementsIn(document, list) : [];
}

/** Returns the list elements that are mappings. */
export function mappingsIn(
  document: ParsedDocument,
  list: Json | undefined,
): readonly PlacedValue<JsonObject>[] {
  return elementsOf(document, list).flatMap(({ value, place }) =>
    isJsonObject(value) ? [{ value, place }] : [],
  );
}

/** Records a field whose value no manifest can declare. */
export function leaveOut(
  { document, leftOut }: Importing,
  fields: JsonObject,
  field: string,
  what: string,
): void {
  const { key } = placeOf(document, fields, field) ?? document.rootPlace;
  leftOut.push({ origin: originIn(document, key), what });
}

/** Returns a list field with each element converted, without duplicates; `undefined` if the field is missing or empty. */
export function setIn(
  document: OpenDocument,
  fields: JsonObject,
  field: string,
  convert: (value: Json, place: SourcePlace) => Json,
): PlacedValue | undefined {
  const place = placeOf(document, fields, field);
  if (!place || !isFilled(fields[field])) return undefined;
  const elements = elementsOf(document, fields[field]).map((each) => ({
    ...each,
    value: convert(each.value, each.place),
  }));
  return { value: addSet(document, elements), place };
}

/** Adds a list of these elements to a document, without duplicates. */
export function addSet(document: OpenDocument, elements: readonly PlacedValue[]): readonly Json[] {
  const byValue = new Map(elements.toReversed().map((each) => [canonicalJson(each.value), each]));
  return addList(document, [...byValue.values()].toReversed());
}

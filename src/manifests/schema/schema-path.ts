/** Paths from the root of a checked document to a value, and the places of these values. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { type SourcePlace, placesIn, type ParsedDocument } from "../yaml/parsed-document.ts";

/** The checked mapping of a document, with the offset of its start. */
export interface Root {
  readonly document: ParsedDocument;
  readonly value: JsonObject;
  readonly start: number;
}

/** The keys and indexes from a mapping to a value in it. */
export type Path = readonly string[];

/** The path of a JSON pointer. */
export function pathOf(pointer: string): Path {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The JSON pointer of a path. */
export function pointerTo(...path: Path): string {
  return path.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** A path in the form `owners[0].type`. */
export function fieldName(path: Path): string {
  return path.reduce((name, part, index) => {
    if (index > 0 && /^\d+$/.test(part)) return `${name}[${part}]`;
    return name === "" ? part : `${name}.${part}`;
  }, "");
}

/** The offset of the value at a path, or of its key; that of the nearest parent if there is no such value. */
export function offsetOf(checked: Root, path: Path, onKey: boolean): number {
  const found = locate(checked, path);
  if (!found) return checked.start;
  return onKey ? found.place.key : found.place.value;
}

/** The place of the value at a path, or of its nearest parent. */
export function locate(
  { document, value }: Root,
  path: Path,
): { readonly place: SourcePlace; readonly inList: boolean } | undefined {
  let current: Json | undefined = value;
  let found: { readonly place: SourcePlace; readonly inList: boolean } | undefined;
  for (const part of path) {
    const inList = isJsonList(current);
    const place = placeIn(document, current, part);
    if (!place) break;
    found = { place, inList };
    current = isJsonList(current) ? current[Number(part)] : isJsonObject(current) ? current[part] : undefined;
  }
  return found;
}

function placeIn(document: ParsedDocument, parent: Json | undefined, part: string): SourcePlace | undefined {
  if (isJsonList(parent)) return document.listPlaces.get(parent)?.[Number(part)];
  return isJsonObject(parent) ? placesIn(document, parent).get(part) : undefined;
}

/** Converts and formats the paths of values in a checked document, and finds the source positions of these values. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import { originIn, type SourcePlace, placesIn, type ParsedDocument } from "../yaml/parsed-document.ts";

/** A mapping to check in a document, and the offset at which the mapping starts. */
export interface Root {
  readonly document: ParsedDocument;
  readonly value: JsonObject;
  readonly start: number;
}

/** The keys and indexes that lead from a mapping to a nested value. */
export type Path = readonly string[];

/** Converts a JSON pointer to a path. */
export function pathOf(pointer: string): Path {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Converts a path to a JSON pointer. */
export function pointerTo(...path: Path): string {
  return path.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Formats a path for messages, such as `owners[0].type`. */
export function fieldName(path: Path): string {
  return path.reduce((name, part, index) => {
    if (index > 0 && /^\d+$/.test(part)) return `${name}[${part}]`;
    return name === "" ? part : `${name}.${part}`;
  }, "");
}

/** Returns the position of the value at a path, or of its key with `onKey`. If there is no such value, uses the nearest parent. */
export function originAt(root: Root, path: Path, onKey = false): Origin {
  const place = locate(root, path)?.place;
  const offset = onKey ? place?.key : place?.value;
  return originIn(root.document, offset ?? root.start);
}

/** Finds the position of the value at a path, or of its nearest parent. */
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

import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { type Place, placesIn, type Written } from "../yaml/written.ts";

/** The mapping of a document that was checked, and where it begins. */
export interface Root {
  readonly written: Written;
  readonly value: JsonObject;
  readonly start: number;
}

/** The way from a mapping to a value in it. */
export type Path = readonly string[];

/** The path in a JSON pointer. */
export function pathOf(pointer: string): Path {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** `owners[0].type` for the path to it. */
export function fieldName(path: Path): string {
  return path.reduce((name, part, index) => {
    if (index > 0 && /^\d+$/.test(part)) return `${name}[${part}]`;
    return name === "" ? part : `${name}.${part}`;
  }, "");
}

/** Where the value at the end of a path, or its key, stands; the nearest that exists. */
export function offsetOf(checked: Root, path: Path, onKey: boolean): number {
  const found = locate(checked, path);
  if (!found) return checked.start;
  return onKey ? found.place.key : found.place.value;
}

/** The place at the end of a path; the nearest that exists. */
export function locate(
  { written, value }: Root,
  path: Path,
): { readonly place: Place; readonly inList: boolean } | undefined {
  let current: Json | undefined = value;
  let found: { readonly place: Place; readonly inList: boolean } | undefined;
  for (const part of path) {
    const inList = Array.isArray(current);
    const place = placeIn(written, current, part);
    if (!place) break;
    found = { place, inList };
    current = (current as Readonly<Record<string, Json>>)[part];
  }
  return found;
}

function placeIn(written: Written, parent: Json | undefined, part: string): Place | undefined {
  if (Array.isArray(parent)) return written.ofList.get(parent as readonly Json[])?.[Number(part)];
  return isJsonObject(parent) ? placesIn(written, parent).get(part) : undefined;
}

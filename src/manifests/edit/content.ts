import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { type ParsedDocument, placesIn, type SourcePlace } from "../yaml/parsed-document.ts";

/** What a document declares, as data that can be changed: `null` where a single value is unset. */
export interface Content {
  readonly root: Json;
  /** What each list and mapping was before, and where. What an alias repeats is another one at each place. */
  readonly origins: ReadonlyMap<Json, Origin>;
}

/** A value of a document, with its place. */
interface Located {
  readonly value: Json;
  readonly place: SourcePlace;
}

/** A list or a mapping of a document, with its place. */
export interface Origin extends Located {
  readonly value: readonly Json[] | JsonObject;
}

/** The way from the root of a document to a value: keys of mappings, and indexes of lists. */
export type Steps = readonly (string | number)[];

/** The content of a document as it is, or of a value in it. */
export function contentOf(
  document: ParsedDocument,
  { value, place }: Located = { value: document.root, place: document.rootPlace },
): Content {
  const origins = new Map<Json, Origin>();
  const copied = (each: Json, at: SourcePlace): Json => {
    if (!isContainer(each)) return each;
    const copy = isJsonList(each) ? copiedList(each, at) : copiedMapping(each);
    origins.set(copy, { value: each, place: at });
    return copy;
  };
  const copiedList = (list: readonly Json[], at: SourcePlace): Json => {
    const places = document.listPlaces.get(list) ?? [];
    return list.map((each, index) => copied(each, places[index] ?? at));
  };
  const copiedMapping = (mapping: JsonObject): Json => {
    const copy: JsonObject = {};
    for (const [key, at] of placesIn(document, mapping)) {
      setAt(copy, [key], copied(fieldOf(mapping, key, at), at));
    }
    return copy;
  };
  return { root: copied(value, place), origins };
}

/** A value of a mapping: `null` for `none`, which without quotes is not the text. */
export function fieldOf(mapping: JsonObject, key: string, { plain }: SourcePlace): Json {
  const value = mapping[key] ?? null;
  return value === "none" && plain ? null : value;
}

/** Whether a value is a list or a mapping. */
export function isContainer(value: Json | undefined): value is readonly Json[] | JsonObject {
  return typeof value === "object" && value !== null;
}

/** The value at the end of some steps; `undefined` where there is none. */
export function valueAt(value: Json | undefined, steps: Steps): Json | undefined {
  return steps.reduce<Json | undefined>((above, step) => {
    if (isJsonList(above)) return typeof step === "number" ? above[step] : undefined;
    return isJsonObject(above) && Object.hasOwn(above, step) ? above[step] : undefined;
  }, value);
}

/** Sets a value at the end of some keys, below mappings that are made where there are none. */
export function setAt(mapping: JsonObject, [key = "", ...below]: readonly string[], value: Json): void {
  const next = valueAt(mapping, [key]);
  const own = below.length === 0 ? value : isJsonObject(next) ? next : {};
  // Assigning to the key `__proto__` would set the prototype.
  Object.defineProperty(mapping, key, { value: own, enumerable: true, configurable: true, writable: true });
  if (below.length > 0) setAt(own as JsonObject, below, value);
}

/** Removes the last of some keys, and each above it that has no other one below. */
export function removeAt(mapping: JsonObject, [key = "", ...below]: readonly string[]): void {
  const next = valueAt(mapping, [key]);
  if (below.length > 0 && isJsonObject(next)) removeAt(next, below);
  if (below.length === 0 || (isJsonObject(next) && Object.keys(next).length === 0))
    Reflect.deleteProperty(mapping, key);
}

/** Creates the nested maps to which patches are applied. */

import { isJsonObject, type Json } from "../../model/json.ts";

/** One level of nested maps. */
export interface NestedMap {
  [key: string]: Json | undefined;
}

/** A level without entries. A key can be any string, including `__proto__`. */
export function emptyNestedMap(): NestedMap {
  return Object.create(null);
}

/** The level at a key; it is created if it is missing. */
export function nestedMapAt(level: NestedMap, key: string): NestedMap {
  const known = level[key];
  if (isJsonObject(known)) return known;
  const created = emptyNestedMap();
  level[key] = created;
  return created;
}

/** Creates the nested maps to which patches are applied. */

import { isJsonObject, type Json } from "../../model/json.ts";

/** One level of a nested map. */
export interface NestedMap {
  [key: string]: Json | undefined;
}

/** Creates an empty level. A key can be any string, including `__proto__`. */
export function emptyNestedMap(): NestedMap {
  return Object.create(null);
}

/** Returns the level at a key, and creates it if it is missing. */
export function nestedMapAt(level: NestedMap, key: string): NestedMap {
  const known = level[key];
  if (isJsonObject(known)) return known;
  const created = emptyNestedMap();
  level[key] = created;
  return created;
}

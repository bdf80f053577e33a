/** Creates nested maps, to which patches apply. */

import { isJsonObject, type Json } from "../../model/json.ts";

/** One level in nested maps. */
export interface NestedMap {
  [key: string]: Json | undefined;
}

/** Creates a level without entries. A key can be any string, including `__proto__`. */
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

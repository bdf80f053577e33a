/** Nested maps to which patches are applied. */

import { isJsonObject, type Json } from "../../model/json.ts";

/** One level of nested maps. */
export interface Level {
  [key: string]: Json | undefined;
}

/** A level without entries. A key can be any string, including `__proto__`. */
export function emptyLevel(): Level {
  return Object.create(null);
}

/** The level at a key; it is created if it is missing. */
export function levelAt(level: Level, key: string): Level {
  const known = level[key];
  if (isJsonObject(known)) return known;
  const created = emptyLevel();
  level[key] = created;
  return created;
}

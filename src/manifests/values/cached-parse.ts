/** Caches parsed facet values, because thousands of manifests often use the same few tags and owners. */

import type { Facet } from "../../facets/facet.ts";
import type { Parsing } from "../../facets/parsing.ts";
import { isJsonObject, type Json } from "../../model/json.ts";

const cache = new WeakMap<Facet, Map<string, Parsing>>();

/** The maximum number of cached values for each facet. This is enough for every tag, owner and domain in a large catalog. */
const maxCached = 50_000;

/** Parses a value of a facet, or returns the cached result for an equal value. */
export function cachedParse(facet: Facet, value: Json): Parsing {
  const key = textKey(value);
  if (key === undefined) return facet.parse(value);
  const known = cache.get(facet) ?? new Map<string, Parsing>();
  const before = known.get(key);
  if (before !== undefined) return before;
  const parsed: Parsing = facet.parse(value);
  if (known.size < maxCached) cache.set(facet, known.set(key, parsed));
  return parsed;
}

/** Returns a key that is the same for equal values; `undefined` for values that are neither strings nor mappings of strings. */
function textKey(value: Json): string | undefined {
  if (typeof value === "string") return value;
  if (!isJsonObject(value)) return undefined;
  let key = "";
  for (const name in value) {
    const text = value[name];
    if (typeof text !== "string") return undefined;
    key += `\u0000${name}\u0000${text}`;
  }
  return key;
}

/** Caches parsed facet values, because thousands of manifests often use the same few tags and owners. */

import type { Parsing } from "../../facets/parsing.ts";
import { isJsonObject, type Json } from "../../model/json.ts";
import type { Member, Scalar } from "../../model/state.ts";

/** A facet's parser for manifest values. */
interface Parser<Value extends Member | Scalar> {
  parse(document: Json): Parsing<Value>;
}

const cache = new WeakMap<object, Map<string, unknown>>();

/** The maximum number of cached values for each parser. This is enough for every tag, owner and domain in a large catalog. */
const maxCached = 50_000;

/** Parses a value with a facet's parser, or returns the cached result for an equal value. */
export function cachedParse<Value extends Member | Scalar>(
  parser: Parser<Value>,
  value: Json,
): Parsing<Value> {
  const key = textKey(value);
  if (key === undefined) return parser.parse(value);
  const known = cache.get(parser) ?? new Map<string, unknown>();
  const before = known.get(key);
  // The cache for a parser contains only that parser's results.
  if (before !== undefined) return before as Parsing<Value>;
  const parsed = parser.parse(value);
  if (known.size < maxCached) cache.set(parser, known.set(key, parsed));
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

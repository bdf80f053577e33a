/** Caches the parsed values of facets: thousands of manifests have the same few tags and owners. */

import type { Parsing } from "../../facets/parsing.ts";
import { isJsonObject, type Json } from "../../model/json.ts";
import type { Member, Scalar } from "../../model/state.ts";

/** A facet, which parses the values in manifests. */
interface Parser<Value extends Member | Scalar> {
  parse(document: Json): Parsing<Value>;
}

const cache = new WeakMap<object, Map<string, unknown>>();

/** Enough for every tag, owner and domain of a large catalog; later values are parsed each time. */
const maxCached = 50_000;

/** A facet's `parse`, with a cache. */
export function cachedParse<Value extends Member | Scalar>(
  parser: Parser<Value>,
  value: Json,
): Parsing<Value> {
  const key = textKey(value);
  if (key === undefined) return parser.parse(value);
  const known = cache.get(parser) ?? new Map<string, unknown>();
  const before = known.get(key);
  // Under a parser, the cache contains only the results of that parser.
  if (before !== undefined) return before as Parsing<Value>;
  const parsed = parser.parse(value);
  if (known.size < maxCached) cache.set(parser, known.set(key, parsed));
  return parsed;
}

/** A key for equal values; `undefined` for values that are neither texts nor mappings of texts. */
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

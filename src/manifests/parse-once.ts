import type { Facet } from "../facets/facet.ts";
import { isJsonObject, type Json } from "../model/json.ts";

type Parsing = ReturnType<Facet["parse"]>;

const parsings = new WeakMap<Facet, Map<string, Parsing>>();

/** Enough for every tag, owner and domain of a large catalog; what comes later is parsed each time. */
const mostParsings = 50_000;

/** A facet's `parse` with memory: the same few tags and owners stand in thousands of manifests. */
export function parseOnce(facet: Facet, value: Json): Parsing {
  const key = textKey(value);
  if (key === undefined) return facet.parse(value);
  const known = parsings.get(facet) ?? new Map<string, Parsing>();
  const before = known.get(key);
  if (before) return before;
  const parsed = facet.parse(value);
  if (known.size < mostParsings) parsings.set(facet, known.set(key, parsed));
  return parsed;
}

/** A text that only equal values have; `undefined` for values that are neither texts nor mappings of texts. */
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

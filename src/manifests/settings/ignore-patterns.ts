import { facetNamed } from "../../facets/index.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";

const beginning = "urn:li:";

/** Whether a pattern can match a URN at all. */
export function canMatchUrn(pattern: string): boolean {
  const [first = "", ...more] = pattern.split("*");
  return first.startsWith(beginning) || (more.length > 0 && beginning.startsWith(first));
}

/** What to write where the id of a value stands and a facet's values are URNs; `undefined` where all is well. */
export function urnInsteadOf(pattern: string, facetName: string): string | undefined {
  if (canMatchUrn(pattern)) return undefined;
  const facet = facetNamed(facetName);
  const parsed = facet.parse(asWritten(pattern, facet.schema?.["items"]));
  if ("refusal" in parsed || parsed.references.length === 0) return undefined;
  const { value } = parsed;
  return typeof value === "object" && value !== null ? Object.values(value)[0] : String(value);
}

/** An id as the facet's list would hold it: bare, or in the first of the mappings that may stand there. */
function asWritten(id: string, items: Json | undefined): Json {
  const oneOf = isJsonObject(items) ? items["oneOf"] : undefined;
  if (!Array.isArray(oneOf)) return id;
  const [first] = oneOf as readonly JsonObject[];
  return { [String((first?.["required"] as readonly string[] | undefined)?.[0])]: id };
}

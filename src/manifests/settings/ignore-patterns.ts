import { facetNamed } from "../../facets/index.ts";
import { isJsonList, isJsonObject, type Json } from "../../model/json.ts";

const beginning = "urn:li:";

/** Whether a pattern can match a URN at all. */
export function canMatchUrn(pattern: string): boolean {
  const [first = "", ...more] = pattern.split("*");
  return first.startsWith(beginning) || (more.length > 0 && beginning.startsWith(first));
}

/** What to write instead of a pattern that is an id where the values of the facet are URNs. `undefined` where the pattern is fine. */
export function urnInsteadOf(pattern: string, facetName: string): string | undefined {
  if (canMatchUrn(pattern)) return undefined;
  const facet = facetNamed(facetName);
  const parsed = facet.parse(asWritten(pattern, facet.schema?.["items"]));
  if ("refusal" in parsed || parsed.references.length === 0) return undefined;
  const { value } = parsed;
  return typeof value === "object" && value !== null ? Object.values(value)[0] : String(value);
}

/** An id as an element of the facet's list: bare, or in the first of the alternatives of the schema. */
function asWritten(id: string, items: Json | undefined): Json {
  const oneOf = isJsonObject(items) ? items["oneOf"] : undefined;
  if (!isJsonList(oneOf)) return id;
  const [first] = oneOf;
  const required = isJsonObject(first) ? first["required"] : undefined;
  const [name] = isJsonList(required) ? required : [];
  return typeof name === "string" ? { [name]: id } : id;
}

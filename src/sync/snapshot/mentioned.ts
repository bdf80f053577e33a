/** Finds the strings in any value, and the definitions whose URNs occur in it. */

import { edgeSetOf, facets } from "../../facets/index.ts";
import { definitionKinds } from "../../kinds/index.ts";
import { isJsonObject } from "../../model/json.ts";
import { entityTypeOf, isUrn, type Urn } from "../../model/urn.ts";

const definedTypes: ReadonlySet<string> = new Set([
  ...definitionKinds.map(({ entityType }) => entityType),
  // Edges are excluded, because their members are assets, or definitions that are included anyway.
  ...facets.filter(({ name }) => !edgeSetOf(name)).flatMap(({ refersTo }) => refersTo),
]);

/** Returns every string in a value, including strings in lists, objects and maps. Parses raw aspects, which are JSON strings. */
export function textsDeep(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (isIterable(value)) return [...value].flatMap((each) => textsDeep(each));
  if (!isJsonObject(value)) return [];
  const { payload, ...rest } = value;
  const texts = Object.values(rest).flatMap((each) => textsDeep(each));
  return typeof payload === "string" ? [...texts, ...textsDeep(parsed(payload))] : texts;
}

/** Whether a value is iterable, such as a list, a map or a set. A state is not always a JavaScript `Map`. */
export function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}

/** Returns the definitions whose URNs occur anywhere in a value. */
export function definitionsMentioned(value: unknown): readonly Urn[] {
  const urns = textsDeep(value).filter(isUrn);
  return [...new Set(urns)].filter((urn) => definedTypes.has(entityTypeOf(urn)));
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return payload;
  }
}

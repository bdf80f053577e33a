/** Reads values from server responses, and throws `CatalogError` for malformed responses. */

import { CatalogError } from "./catalog-error.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "./json.ts";
import type { Urn } from "./urn.ts";

/** Returns the URN of an entity in a response. Throws `CatalogError` if it is missing. `what` is a noun phrase for the entity. */
export function answeredUrn(entity: { readonly urn?: unknown } | null | undefined, what: string): Urn {
  const urn = entity?.urn;
  if (typeof urn === "string") return urn as Urn;
  throw malformed(what, "has no URN");
}

/** Creates the error for a malformed response. `what` is a noun phrase for the malformed value, and `why` is a predicate. */
export function malformed(what: string, why: string): CatalogError {
  return new CatalogError("answer", `the server returned a malformed response: ${what} ${why}`);
}

/** Returns the aspect with the given name; an empty object if it is absent. */
export function aspectIn(aspects: JsonObject, name: string): JsonObject {
  const aspect = aspects[name];
  return isJsonObject(aspect) ? aspect : {};
}

/**
 * Returns a list of objects from a stored aspect; an empty list if it is null or absent. Throws `CatalogError` for any other
 * value.
 */
export function storedList(list: Json | undefined, what: string): readonly JsonObject[] {
  if (list === undefined || list === null) return [];
  const isList = isJsonList(list) && list.every((each) => typeof each === "object" && each !== null);
  if (!isList) throw malformed(what, "are not a list of objects");
  return list as readonly JsonObject[];
}

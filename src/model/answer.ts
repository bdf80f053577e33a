/** Reads values in a server's answer, and refuses malformed ones with a `CatalogError`. */

import { CatalogError } from "./catalog-error.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import type { Urn } from "./urn.ts";

/** Returns an entity's URN in an answer. Throws `CatalogError`, with `what` as the entity's name, if it has none. */
export function answeredUrn(entity: { readonly urn?: unknown } | null | undefined, what: string): Urn {
  const urn = entity?.urn;
  if (typeof urn === "string") return urn as Urn;
  throw malformed(what, "has no URN");
}

/** Makes the error for a malformed answer; `what` names the value, `why` the fault. */
export function malformed(what: string, why: string): CatalogError {
  return new CatalogError("answer", `the server's response is malformed: ${what} ${why}`);
}

/** Returns one of several aspects, or an empty one if it is absent. */
export function aspectIn(aspects: JsonObject, name: string): JsonObject {
  const aspect = aspects[name];
  return isJsonObject(aspect) ? aspect : {};
}

/** Returns a list of objects in a stored aspect, empty if absent. Throws `CatalogError` if it is anything else. */
export function storedList(list: Json | undefined, what: string): readonly JsonObject[] {
  return answeredList(list as readonly JsonObject[] | null | undefined, what);
}

/** Returns a list of objects in an answer, empty if it is null. Throws `CatalogError` if it is anything else. */
export function answeredList<Each extends object>(
  list: readonly Each[] | null | undefined,
  what: string,
): readonly Each[] {
  if (list === undefined || list === null) return none;
  // The server can send anything, whatever the type declares.
  const found: unknown = list;
  if (Array.isArray(found) && found.every((each) => typeof each === "object" && each !== null)) return list;
  throw malformed(what, "are not a list of objects");
}

const none: readonly never[] = [];

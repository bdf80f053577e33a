import { CatalogError } from "../model/catalog-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import type { Urn } from "../model/urn.ts";

/** The URN of an entity in an answer. Throws `CatalogError` when it has none; `what` is what the entity is called then. */
export function answeredUrn(entity: { readonly urn?: unknown } | null | undefined, what: string): Urn {
  const urn = entity?.urn;
  if (typeof urn === "string") return urn as Urn;
  throw malformed(what, "has no URN");
}

/** An answer is not what DataHub answers; `what` and `why` say where and how. */
export function malformed(what: string, why: string): CatalogError {
  return new CatalogError("answer", `the answer of the server is malformed: ${what} ${why}`);
}

/** A raw aspect of an entity as the server answered it, empty where there is none. */
export function rawAspect({ aspects }: JsonObject, name: string): JsonObject {
  const found = isJsonObject(aspects) ? aspects[name] : undefined;
  return isJsonObject(found) ? found : {};
}

/** A list of objects in a stored aspect, empty where there is none. Throws `CatalogError` when it is anything else. */
export function storedList(list: Json | undefined, what: string): readonly JsonObject[] {
  return answeredList(list as readonly JsonObject[] | null | undefined, what);
}

/** A list of objects in an answer, empty where it is null. Throws `CatalogError` when it is anything else. */
export function answeredList<Each extends object>(
  list: readonly Each[] | null | undefined,
  what: string,
): readonly Each[] {
  if (list === undefined || list === null) return none;
  // It is what the server sent, whatever its type says.
  const found: unknown = list;
  if (Array.isArray(found) && found.every((each) => typeof each === "object" && each !== null)) return list;
  throw malformed(what, "are no list of objects");
}

const none: readonly never[] = [];

import type { Kind } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Reading } from "./read-batches.ts";

/** An entity as it was answered, or why it is not known. */
type AnsweredEntity =
  | { readonly entity: JsonObject; readonly fault?: undefined }
  | { readonly entity?: undefined; readonly fault: string };

/** The entity of a reading, or why it could not be read; `exists` is what was answered to whether it is there. */
export function answeredEntity(
  { entity, error }: Reading,
  { kind, exists }: { readonly kind: Kind; readonly exists: unknown },
): AnsweredEntity {
  if (error !== undefined) return { fault: error };
  if (!entity) return { fault: "the answer of the server does not include it" };
  if (entity["__typename"] === "Restricted") return { fault: "the token is not allowed to read it" };
  if (typeof exists !== "boolean")
    return { fault: "the answer of the server does not say whether it exists" };
  if (entity["__typename"] !== kind.typename) return { fault: "the answer of the server is of another type" };
  return { entity };
}

import type { JsonObject } from "./json.ts";
import { encodePart, entityTypeOf, parseUrn, plainKeyOf, type UrnResult } from "./urn.ts";

/** JSON Schema of a string that must hold something. */
export const nonEmptyString: JsonObject = { type: "string", minLength: 1 };

/** The URN of an id of one entity type; a full URN of that type is taken as it is. */
export function urnOfId(entityType: string, id: string): UrnResult {
  if (!id.startsWith("urn:li:")) return parseUrn(`urn:li:${entityType}:${encodePart(id)}`);
  const result = parseUrn(id);
  if ("urn" in result && entityTypeOf(result.urn) !== entityType) {
    return { fault: { reason: "entity-type", detail: entityType } };
  }
  return result;
}

/** The id of a URN of one entity type, as `urnOfId` takes it; the URN itself where no id leads back to it. */
export function idOfUrn(entityType: string, text: string): string {
  const parsed = parseUrn(text);
  if ("fault" in parsed) return text;
  const id = plainKeyOf(parsed.urn);
  const again = urnOfId(entityType, id);
  return "urn" in again && again.urn === parsed.urn ? id : text;
}

/** Converts between ids in manifests and URNs, and defines the JSON Schemas for ids, URNs and patterns. */

import type { JsonObject } from "./json.ts";
import {
  encodePart,
  entityTypeOf,
  hasSeveralParts,
  parseUrn,
  plainKeyOf,
  type Urn,
  type UrnResult,
} from "./urn.ts";
import { maxPattern } from "./text/pattern.ts";
import { partsOfType } from "./urn-parts.ts";

/** JSON Schema for a nonempty string. */
export const nonEmptyString = { type: "string", minLength: 1 } as const satisfies JsonObject;

/** JSON Schema for a pattern. */
export const patternString = { ...nonEmptyString, maxLength: maxPattern } as const satisfies JsonObject;

/** The schema key for the entity type to which a string refers. Validation ignores it. */
export const refersToKey = "x-refers-to";

/** The schema key for the entity type to which the keys of a mapping refer. */
export const keysReferToKey = "x-keys-refer-to";

/** Returns the JSON Schema for the id or URN of an entity with the given type. */
export function referenceSchema(entityType: string): JsonObject {
  return { ...nonEmptyString, [refersToKey]: entityType };
}

/** Returns the id that represents a URN in manifests, or the URN itself if there is no such id. */
export function idOrUrn(urn: Urn): string {
  const id = plainKeyOf(urn);
  const result = urnOfId(entityTypeOf(urn), id);
  return "urn" in result && result.urn === urn ? id : urn;
}

/** Returns the URN for an id and an entity type. A full URN of that type is returned unchanged. */
export function urnOfId(entityType: string, id: string): UrnResult {
  if (!id.startsWith("urn:li:")) return parseUrn(`urn:li:${entityType}:${encodePart(id)}`);
  const result = parseUrn(id);
  if ("urn" in result && entityTypeOf(result.urn) !== entityType) {
    return { fault: { reason: "entity-type", detail: entityType } };
  }
  if ("urn" in result && partsOfType(entityType).length === 0 && hasSeveralParts(result.urn))
    return { fault: { reason: "parts" } };
  return result;
}

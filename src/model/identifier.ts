/** Converts between ids in manifests and URNs, and holds the JSON Schema of ids, URNs and patterns. */

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

/** JSON Schema of a nonempty string. */
export const nonEmptyString = { type: "string", minLength: 1 } as const satisfies JsonObject;

/** JSON Schema of a pattern. */
export const patternString = { ...nonEmptyString, maxLength: maxPattern } as const satisfies JsonObject;

/** The schema key that names the entity type that a text refers to. Validation ignores it. */
export const refersToKey = "x-refers-to";

/** The schema key that names the entity type that the keys of a mapping refer to. */
export const keysReferToKey = "x-keys-refer-to";

/** JSON Schema of the id or URN of an entity of one type. */
export function referenceSchema(entityType: string): JsonObject {
  return { ...nonEmptyString, [refersToKey]: entityType };
}

/** The id of a URN in a manifest, or the URN itself if it has no id. */
export function idOrUrn(urn: Urn): string {
  const id = plainKeyOf(urn);
  const result = urnOfId(entityTypeOf(urn), id);
  return "urn" in result && result.urn === urn ? id : urn;
}

/** The URN of an id of one entity type; a full URN of that type is returned unchanged. */
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

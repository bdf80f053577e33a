/** Validates URNs and aspect names against the registry as DataHub does, and finds a URN's entity type. */

import { parseUrn } from "../../model/urn.ts";
import { malformed, RequestError } from "../errors.ts";
import { entityTypeOfUrn, keyAspectOf, type EntityType } from "./entity-types.ts";

/** A URN whose entity type is in the registry, together with the type and the key aspect. */
export interface EntityUrn {
  readonly urn: string;
  readonly type: EntityType;
  readonly key: Readonly<Record<string, string>>;
}

/**
 * Parses a URN as DataHub does before it reads or writes the entity (ValidationApiUtils.validateUrn).
 * @throws RequestError when the URN is malformed, its type is not in the registry, or its key does not match the type.
 */
export function parseEntityUrn(urn: string): EntityUrn {
  if (!isUrnText(urn)) throw new RequestError("unparsableUrn", `Invalid urn: ${urn}`);
  if (!isValidUrn(urn)) throw malformed(`Invalid urn: ${urn}`);
  const type = entityTypeFor(urn);
  const key = keyAspectOf(type, urn);
  if (!key) throw malformed(`Urn ${urn} does not match the key of entity ${type.name}`);
  return { urn, type, key };
}

/** Whether a URN is valid. If its entity type is in the registry, its key must also match the type. */
export function isEntityUrn(urn: string): boolean {
  const type = entityTypeOfUrn(urn);
  return isValidUrn(urn) && (type === undefined || keyAspectOf(type, urn) !== undefined);
}

/** Whether DataHub silently drops proposals for a URN. It drops them if it can parse the URN but cannot store the entity. */
export function isDropped(urn: string): boolean {
  return entityTypeOfUrn(urn) !== undefined && isUrnText(urn) && !isEntityUrn(urn);
}

/**
 * Returns a URN's entity type. Does not check the key.
 * @throws RequestError when the type is not in the registry.
 */
export function entityTypeFor(urn: string): EntityType {
  const type = entityTypeOfUrn(urn);
  if (!type) throw unknownEntity(urn.split(":", 3)[2] ?? urn);
  return type;
}

/**
 * Returns the aspect name unchanged if the entity type has the aspect.
 * @throws RequestError when the type does not have the aspect.
 */
export function requireAspect(type: EntityType, aspect: string): string {
  if (!type.aspects.has(aspect))
    throw new RequestError("unknownAspect", `Unknown aspect ${aspect} for entity ${type.name}`);
  return aspect;
}

/** Creates the error for an entity type that is not in the registry. */
export function unknownEntity(name: string): RequestError {
  return malformed(`Failed to find entity with name ${name} in EntityRegistry`);
}

/** Whether DataHub can parse a string as a URN, even if the URN is invalid (Urn.java). If not, DataHub reports a server error. */
export function isUrnText(text: string): boolean {
  return /^urn:li:[^:]+:[^]+$/.test(text) && hasBalancedBrackets(text);
}

/** Whether DataHub can store an entity with this URN (UrnValidationUtil.java). */
export function isValidUrn(text: string): boolean {
  // SQLite ends a string at a NUL character, and a lone surrogate is not valid Unicode.
  return !("fault" in parseUrn(text)) && !/[\0\p{Surrogate}]/u.test(text);
}

/** Whether a URN has the given entity type. */
export function isOfType(urn: string, type: string): boolean {
  return urn.startsWith(`urn:li:${type}:`);
}

function hasBalancedBrackets(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[()]/g)) {
    depth += bracket === "(" ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Validates URNs and aspect names against the registry as DataHub does, and finds a URN's entity type. */

import { parseUrn } from "../../model/urn.ts";
import { malformed, RequestError } from "../errors.ts";
import { entityTypeOfUrn, keyAspectOf, type EntityType } from "./entity-types.ts";

/** A URN of a registered type, together with that type and the key aspect. */
export interface EntityUrn {
  readonly urn: string;
  readonly type: EntityType;
  readonly key: Readonly<Record<string, string>>;
}

/**
 * Parses a URN as DataHub does before it reads or writes the entity (ValidationApiUtils.validateUrn).
 * @throws RequestError when the URN is malformed, its type is not in the registry, or its key does not fit the type.
 */
export function parseEntityUrn(urn: string): EntityUrn {
  if (!isUrnText(urn)) throw new RequestError("unparsableUrn", `Invalid urn: ${urn}`);
  if (!isValidUrn(urn)) throw malformed(`Invalid urn: ${urn}`);
  const type = entityTypeFor(urn);
  const key = keyAspectOf(type, urn);
  if (!key) throw malformed(`Urn ${urn} does not match the key of entity ${type.name}`);
  return { urn, type, key };
}

/** Whether a URN is valid. Its key must fit its type if the registry has that type. */
export function isEntityUrn(urn: string): boolean {
  const type = entityTypeOfUrn(urn);
  return isValidUrn(urn) && (type === undefined || keyAspectOf(type, urn) !== undefined);
}

/** Whether DataHub silently drops proposals for a URN, because it can parse the URN but does not store it. */
export function isDropped(urn: string): boolean {
  return entityTypeOfUrn(urn) !== undefined && isUrnText(urn) && !isEntityUrn(urn);
}

/**
 * Finds a URN's entity type. Does not check the key.
 * @throws RequestError when the type is not in the registry.
 */
export function entityTypeFor(urn: string): EntityType {
  const type = entityTypeOfUrn(urn);
  if (!type) throw unknownEntity(urn.split(":", 3)[2] ?? urn);
  return type;
}

/**
 * Returns an aspect's name if the entity type has that aspect.
 * @throws RequestError otherwise.
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

/** Whether DataHub can parse a text as a URN, valid or not (Urn.java). If it cannot, it reports a server error. */
export function isUrnText(text: string): boolean {
  return /^urn:li:[^:]+:[^]+$/.test(text) && hasBalancedBrackets(text);
}

/** Whether DataHub stores an entity with this URN (UrnValidationUtil.java). */
export function isValidUrn(text: string): boolean {
  // SQLite ends a string at a NUL character, and a lone surrogate is not valid Unicode.
  return !("fault" in parseUrn(text)) && !/[\0\p{Surrogate}]/u.test(text);
}

/** Whether a URN's entity type has this name. */
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

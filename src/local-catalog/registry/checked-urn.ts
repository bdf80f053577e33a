import { parseUrn } from "../../model/urn.ts";
import { malformed, type Refusal } from "../refusal.ts";
import { entityTypeOfUrn, keyAspectOf, type EntityType } from "./registry.ts";

/** A URN of an entity type of the registry, with its type and the key aspect that follows from it. */
export interface CheckedUrn {
  readonly urn: string;
  readonly type: EntityType;
  readonly key: Readonly<Record<string, string>>;
}

/**
 * Checks a URN as DataHub does before it reads or writes under it (ValidationApiUtils.validateUrn).
 * @throws Refusal when it is malformed, or its type or key is not of the registry.
 */
export function checkedUrn(urn: string): CheckedUrn {
  // SQLite ends a text at a zero character, and a lone surrogate is no text at all.
  if ("fault" in parseUrn(urn) || /[\0\p{Surrogate}]/u.test(urn)) throw malformed(`Invalid urn: ${urn}`);
  const type = registeredType(urn);
  const key = keyAspectOf(type, urn);
  if (!key) throw malformed(`Urn ${urn} does not match the key of entity ${type.name}`);
  return { urn, type, key: key as Record<string, string> };
}

/**
 * The entity type of a URN, by its text alone.
 * @throws Refusal when the registry has none such.
 */
export function registeredType(urn: string): EntityType {
  const type = entityTypeOfUrn(urn);
  if (!type) throw unknownEntity(urn.split(":", 3)[2] ?? urn);
  return type;
}

/**
 * The name of an aspect that entities of a type may have.
 * @throws Refusal when they may not.
 */
export function checkedAspect(type: EntityType, aspect: string): string {
  if (!type.aspects.has(aspect)) throw malformed(`Unknown aspect ${aspect} for entity ${type.name}`);
  return aspect;
}

/** The refusal of an entity type that is not in the registry. */
export function unknownEntity(name: string): Refusal {
  return malformed(`Failed to find entity with name ${name} in EntityRegistry`);
}

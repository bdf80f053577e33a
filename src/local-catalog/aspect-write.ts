import type { JsonObject } from "../model/json.ts";
import type { AspectStore, AuditTrail } from "./aspect-store.ts";
import { mirrorDomains } from "./domain-mirror.ts";
import { badRequest } from "./graphql-error.ts";
import { entityTypeOfUrn, keyAspectOf, type EntityType } from "./registry.ts";

/**
 * Writes one aspect as DataHub does: the first aspect of a URN makes the entity, that is its key aspect
 * (metadata-io EntityServiceImpl), and derived fields are kept in step. Nothing checks that the URN or what the
 * value refers to exists. The answer tells whether anything changed.
 * @throws GraphQLError 400 when the registry has no such entity type, or the URN's key does not fit it.
 */
export function writeAspect(
  store: AspectStore,
  urn: string,
  aspect: string,
  value: JsonObject,
  audit: AuditTrail,
): boolean {
  const type = registeredType(urn);
  if (aspect !== type.keyAspect && !store.has(urn, type.keyAspect)) writeKey(store, type, urn, audit);
  const whole = aspect === "domains" ? mirrorDomains(value, store.latest(urn, aspect)?.value, urn) : value;
  return store.put(urn, aspect, whole, audit);
}

/** Whether an entity is stored, soft-deleted or not: whether its key aspect is (EntityServiceImpl.exists). */
export function entityExists(store: AspectStore, urn: string): boolean {
  return store.has(urn, registeredType(urn).keyAspect);
}

function writeKey(store: AspectStore, type: EntityType, urn: string, audit: AuditTrail): void {
  const key = keyAspectOf(type, urn);
  if (!key) throw badRequest(`Urn ${urn} does not match the key of entity ${type.name}`);
  store.put(urn, type.keyAspect, key, audit);
}

function registeredType(urn: string): EntityType {
  const type = entityTypeOfUrn(urn);
  if (!type)
    throw badRequest(`Failed to find entity with name ${urn.split(":")[2] ?? urn} in EntityRegistry`);
  return type;
}

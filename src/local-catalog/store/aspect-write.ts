import type { JsonObject } from "../../model/json.ts";
import type { AspectStore, AuditTrail } from "./aspect-store.ts";
import { parseEntityUrn, entityTypeFor } from "../registry/entity-urn.ts";
import { syncDomains } from "./domains-sync.ts";

/**
 * Writes one aspect as DataHub does: the first aspect of a URN makes the entity, that is its key aspect
 * (metadata-io EntityServiceImpl), and derived fields are kept in step. Nothing checks that the URN or what the
 * value refers to exists. The answer tells whether anything changed.
 * @throws RequestError when the registry has no such entity type, or the URN's key does not fit it.
 */
export function writeAspect(
  store: AspectStore,
  urn: string,
  aspect: string,
  value: JsonObject,
  audit: AuditTrail,
): boolean {
  const { keyAspect } = entityTypeFor(urn);
  const isNew = !store.has(urn, keyAspect);
  if (isNew) store.put(urn, keyAspect, parseEntityUrn(urn).key, audit);
  // The key follows from the URN, whatever a client sends for it (DefaultAspectsUtil.withAdditionalChanges).
  if (aspect === keyAspect) return isNew;
  const whole = aspect === "domains" ? syncDomains(value, store.latest(urn, aspect)?.value, urn) : value;
  return store.put(urn, aspect, whole, audit);
}

/** Whether an entity is stored, soft-deleted or not: whether its key aspect is (EntityServiceImpl.exists). */
export function entityExists(store: AspectStore, urn: string): boolean {
  return store.has(urn, entityTypeFor(urn).keyAspect);
}

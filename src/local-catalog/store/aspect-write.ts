import type { JsonObject } from "../../model/json.ts";
import type { AspectStore, AuditTrail } from "./aspect-store.ts";
import { parseEntityUrn, entityTypeFor } from "../registry/entity-urn.ts";
import { syncDomains } from "./domains-sync.ts";
import { withOwnerTypes } from "./ownership-type.ts";

/** A new value for an aspect of an entity. */
export interface NewAspect {
  readonly urn: string;
  readonly aspect: string;
  readonly value: JsonObject;
}

/**
 * Writes one aspect as DataHub does (metadata-io EntityServiceImpl): `storeAspect`, with derived fields in sync. Returns
 * whether anything changed.
 * @throws RequestError as `storeAspect`, or when fields that must be in sync contradict each other.
 */
export function writeAspect(store: AspectStore, proposed: NewAspect, audit: AuditTrail): boolean {
  const { urn, aspect } = proposed;
  let { value } = proposed;
  if (aspect === "domains") value = syncDomains(value, store.latest(urn, aspect)?.value, urn);
  if (aspect === "ownership") value = withOwnerTypes(value);
  return storeAspect(store, { urn, aspect, value }, audit);
}

/**
 * Stores one aspect as it is, also in a form that only older releases of DataHub write. The first aspect of a URN
 * also creates the entity, that is its key aspect. References in the value are not checked. Returns whether anything
 * changed.
 * @throws RequestError when the registry does not have the entity type, or the URN's key does not fit it.
 */
export function storeAspect(
  store: AspectStore,
  { urn, aspect, value }: NewAspect,
  audit: AuditTrail,
): boolean {
  const { keyAspect } = entityTypeFor(urn);
  const isNew = !store.has(urn, keyAspect);
  if (isNew) store.put(urn, keyAspect, parseEntityUrn(urn).key, audit);
  // The key aspect is always derived from the URN (DefaultAspectsUtil.withAdditionalChanges).
  return aspect === keyAspect ? isNew : store.put(urn, aspect, value, audit);
}

/** Whether an entity exists, soft-deleted or not, that is whether its key aspect does (EntityServiceImpl.exists). */
export function entityExists(store: AspectStore, urn: string): boolean {
  return store.has(urn, entityTypeFor(urn).keyAspect);
}

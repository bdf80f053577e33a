/** Writes aspects as DataHub does, with key aspects and derived fields, and decides whether an entity exists. */

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
 * Brings the derived fields of an aspect into sync and stores it (metadata-io EntityServiceImpl). Returns whether anything changed.
 * @throws RequestError as `storeAspect` does, or when fields that must be in sync contradict each other.
 */
export function writeAspect(store: AspectStore, proposed: NewAspect, audit: AuditTrail): boolean {
  const { urn, aspect } = proposed;
  let { value } = proposed;
  if (aspect === "domains") value = syncDomains(value, store.latest(urn, aspect)?.value, urn);
  if (aspect === "ownership") value = withOwnerTypes(value);
  return storeAspect(store, { urn, aspect, value }, audit);
}

/**
 * Stores one aspect unchanged, even in a form that only older releases of DataHub write. The first aspect of a URN creates the
 * entity with its key aspect. References in the value are not checked. Returns whether anything changed.
 * @throws RequestError when the entity type is not in the registry, or the URN's key does not fit it.
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

/** Whether an entity exists, soft-deleted or not. It exists if and only if its key aspect does (EntityServiceImpl.exists). */
export function entityExists(store: AspectStore, urn: string): boolean {
  return store.has(urn, entityTypeFor(urn).keyAspect);
}

/** Writes aspects as DataHub does, with key aspects and derived fields, and checks whether an entity exists. */

import type { JsonObject } from "../../model/json.ts";
import type { AspectStore, AuditTrail } from "./aspect-store.ts";
import { parseEntityUrn, entityTypeFor } from "../registry/entity-urn.ts";
import { syncDomains } from "./domains-sync.ts";
import { withOwnerTypes } from "./ownership-type.ts";

/** A new value for an entity's aspect. */
export interface NewAspect {
  readonly urn: string;
  readonly aspect: string;
  readonly value: JsonObject;
}

/**
 * Updates an aspect's derived fields and stores it (metadata-io EntityServiceImpl). Returns whether anything changed.
 * @throws RequestError in the same cases as `storeAspect`, and when fields that must be in sync contradict each other.
 */
export function writeAspect(store: AspectStore, proposed: NewAspect, audit: AuditTrail): boolean {
  const { urn, aspect } = proposed;
  let { value } = proposed;
  if (aspect === "domains") value = syncDomains(value, store.latest(urn, aspect)?.value, urn);
  if (aspect === "ownership") value = withOwnerTypes(value);
  return storeAspect(store, { urn, aspect, value }, audit);
}

/**
 * Stores an aspect unchanged, even if it has a format that only older DataHub releases write. If the entity is new, also stores
 * its key aspect. Does not check references in the value. Returns whether anything changed.
 * @throws RequestError when the entity type is not in the registry, or the URN's key does not match the type.
 */
export function storeAspect(
  store: AspectStore,
  { urn, aspect, value }: NewAspect,
  audit: AuditTrail,
): boolean {
  const { keyAspect } = entityTypeFor(urn);
  const isNew = !store.has(urn, keyAspect);
  if (isNew) store.put(urn, keyAspect, parseEntityUrn(urn).key, audit);
  // A given key aspect is ignored, because DataHub always derives the key aspect from the URN
  // (DefaultAspectsUtil.withAdditionalChanges).
  return aspect === keyAspect ? isNew : store.put(urn, aspect, value, audit);
}

/** Whether an entity exists, even if it is soft-deleted. An entity exists if its key aspect exists (EntityServiceImpl.exists). */
export function entityExists(store: AspectStore, urn: string): boolean {
  return store.has(urn, entityTypeFor(urn).keyAspect);
}

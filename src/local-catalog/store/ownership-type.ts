/** Reads owners' ownership types, and derives the field `ownerTypes` from them. */

import type { JsonObject } from "../../model/json.ts";
import { objectsAt, stringAt } from "../json.ts";

/** Returns the ownership type that corresponds to a legacy enum value (OwnerServiceUtils.mapOwnershipTypeToEntity). */
export function systemOwnershipType(type: string): string {
  return `urn:li:ownershipType:__system__${type.toLowerCase()}`;
}

/**
 * Returns a stored owner's ownership type: its type URN, or the type that corresponds to its legacy enum value if there is no
 * URN.
 */
export function ownershipTypeOf(owner: JsonObject): string {
  return stringAt(owner, "typeUrn") ?? systemOwnershipType(stringAt(owner, "type") ?? "NONE");
}

/**
 * Adds the field `ownerTypes`, which groups the owners by type, to an `ownership` aspect, as DataHub does on each write
 * (OwnershipOwnerTypes.java).
 */
export function withOwnerTypes(ownership: JsonObject): JsonObject {
  const owners = objectsAt(ownership, "owners");
  const types = [...new Set(owners.map(ownershipTypeOf))].map((type): [string, readonly string[]] => {
    const own = owners.filter((owner) => ownershipTypeOf(owner) === type);
    return [type.replaceAll(".", "%2E"), [...new Set(own.map((owner) => stringAt(owner, "owner") ?? ""))]];
  });
  return { ...ownership, ownerTypes: Object.fromEntries(types) };
}

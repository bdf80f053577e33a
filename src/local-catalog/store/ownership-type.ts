/** Reads the ownership types of owners, and derives the field `ownerTypes` from them. */

import type { JsonObject } from "../../model/json.ts";
import { objectsAt, stringAt } from "../json.ts";

/** The ownership type for a value of the old enum (OwnerServiceUtils.mapOwnershipTypeToEntity). */
export function systemOwnershipType(type: string): string {
  return `urn:li:ownershipType:__system__${type.toLowerCase()}`;
}

/** The ownership type of a stored owner: its type URN, or else the type for its value of the old enum. */
export function ownershipTypeOf(owner: JsonObject): string {
  return stringAt(owner, "typeUrn") ?? systemOwnershipType(stringAt(owner, "type") ?? "NONE");
}

/** Returns an `ownership` aspect with its owners by type, which DataHub computes at each write (OwnershipOwnerTypes.java). */
export function withOwnerTypes(ownership: JsonObject): JsonObject {
  const owners = objectsAt(ownership, "owners");
  const types = [...new Set(owners.map(ownershipTypeOf))].map((type): [string, readonly string[]] => {
    const own = owners.filter((owner) => ownershipTypeOf(owner) === type);
    return [type.replaceAll(".", "%2E"), [...new Set(own.map((owner) => stringAt(owner, "owner") ?? ""))]];
  });
  return { ...ownership, ownerTypes: Object.fromEntries(types) };
}

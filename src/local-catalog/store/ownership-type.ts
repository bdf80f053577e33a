/** Ownership types of owners, and the field `ownerTypes` that DataHub derives from them. */

import { groupBy } from "../../model/group-by.ts";
import type { JsonObject } from "../../model/json.ts";
import { objectsAt, stringAt } from "../json.ts";

/** The ownership type for a value of the old enum (OwnerServiceUtils.mapOwnershipTypeToEntity). */
export function systemOwnershipType(type: string): string {
  return `urn:li:ownershipType:__system__${type.toLowerCase()}`;
}

/** The ownership type of a stored owner: its URN, else the one for its value of the old enum. */
export function ownershipTypeOf(owner: JsonObject): string {
  return stringAt(owner, "typeUrn") ?? systemOwnershipType(stringAt(owner, "type") ?? "NONE");
}

/** Returns an `ownership` aspect with its owners by type, which DataHub computes at each write (OwnershipOwnerTypes.java). */
export function withOwnerTypes(ownership: JsonObject): JsonObject {
  const byType = groupBy(objectsAt(ownership, "owners"), ownershipTypeOf);
  const types = [...byType].map(([type, owners]): [string, readonly string[]] => [
    type.replaceAll(".", "%2E"),
    [...new Set(owners.map((owner) => stringAt(owner, "owner") ?? ""))],
  ]);
  return { ...ownership, ownerTypes: Object.fromEntries(types) };
}

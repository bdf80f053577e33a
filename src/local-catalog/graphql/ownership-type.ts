import type { JsonObject } from "../../model/json.ts";
import { stringAt } from "../json.ts";

/** The ownership type for a value of the old enum (OwnerServiceUtils.mapOwnershipTypeToEntity). */
export function systemOwnershipType(type: string): string {
  return `urn:li:ownershipType:__system__${type.toLowerCase()}`;
}

/** The ownership type of a stored owner: its URN, else the one for its value of the old enum. */
export function ownershipTypeOf(owner: JsonObject): string {
  return stringAt(owner, "typeUrn") ?? systemOwnershipType(stringAt(owner, "type") ?? "NONE");
}

/** Converts owners and ownership types in DataHub's files to the notation in manifests. */

import { encodePart } from "../../model/urn.ts";

export const userPrefix = "urn:li:corpuser:";
export const groupPrefix = "urn:li:corpGroup:";

/** Returns an owner's URN. A list of users can name a group by its URN (mce_builder.py, make_user_urn). */
export function ownerUrn(text: string, prefix: string): string {
  return /^urn:li:corp(?:user|Group):/.test(text) ? text : prefix + encodePart(text);
}

/** Returns the field for an owner in a manifest. */
export function ownerField(urn: string): "group" | "user" {
  return urn.startsWith(groupPrefix) ? "group" : "user";
}

/** Converts an ownership type. DataHub accepts its own types in any case (mce_builder.py, validate_ownership_type). */
export function ownershipTypeOf(text: string): string {
  return text.startsWith("urn:li:") ? text : text.toUpperCase();
}

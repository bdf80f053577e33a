/** Converts owners and ownership types from DataHub's files to the notation that manifests use. */

import { encodePart } from "../../model/urn.ts";

export const userPrefix = "urn:li:corpuser:";
export const groupPrefix = "urn:li:corpGroup:";

/** Returns an owner's URN. A list of users can contain the URN of a group (mce_builder.py, make_user_urn). */
export function ownerUrn(text: string, prefix: string): string {
  return /^urn:li:corp(?:user|Group):/.test(text) ? text : prefix + encodePart(text);
}

/** Returns the manifest field for an owner: `user` or `group`. */
export function ownerField(urn: string): "group" | "user" {
  return urn.startsWith(groupPrefix) ? "group" : "user";
}

/**
 * Converts an ownership type. DataHub accepts its built-in types in any letter case (mce_builder.py, validate_ownership_type).
 */
export function ownershipTypeOf(text: string): string {
  return text.startsWith("urn:li:") ? text : text.toUpperCase();
}

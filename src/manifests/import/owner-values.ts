import { encodePart } from "../../model/urn.ts";

export const userPrefix = "urn:li:corpuser:";
export const groupPrefix = "urn:li:corpGroup:";

/** The URN of an owner. A list of users can name a group by its URN (mce_builder.py, make_user_urn). */
export function ownerUrn(text: string, prefix: string): string {
  return /^urn:li:corp(?:user|Group):/.test(text) ? text : prefix + encodePart(text);
}

/** The field in which a manifest names an owner. */
export function ownerField(urn: string): "group" | "user" {
  return urn.startsWith(groupPrefix) ? "group" : "user";
}

/** An ownership type as a manifest names it. DataHub knows its own in any case (mce_builder.py, validate_ownership_type). */
export function ownershipTypeOf(text: string): string {
  return text.startsWith("urn:li:") ? text : text.toUpperCase();
}

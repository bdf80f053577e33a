/** Converts between elements of the `owners` facet and entries in DataHub's `ownership` aspect. */

import { type JsonObject, textOf } from "../model/json.ts";
import { answeredUrn, malformed } from "../model/answer.ts";
import {
  enumNameOf,
  isOwnershipTypeEntity,
  nameOfOwnershipType,
  urnOfOwnershipTypeName,
} from "./ownership-types.ts";

/** An element of `owners`. An owner with two types is represented by two elements. */
export interface OwnerMember {
  readonly [key: string]: string;
  readonly owner: string;
  readonly type: string;
}

/** Converts a stored ownership entry to an element of `owners`. */
export function storedMember(entry: JsonObject): OwnerMember {
  return { owner: answeredUrn({ urn: entry["owner"] }, "an owner"), type: storedType(entry) };
}

/**
 * Converts an element to a stored entry, including the required value of the older enum (CLI mce_builder.py,
 * validate_ownership_type).
 */
export function storedForm({ owner, type: typeUrn }: OwnerMember): JsonObject {
  const name = enumNameOf(typeUrn);
  if (name !== undefined && !isOwnershipTypeEntity(typeUrn)) return { owner, type: name };
  const known = nameOfOwnershipType(typeUrn);
  return { owner, type: known === typeUrn ? "CUSTOM" : known, typeUrn };
}

/**
 * Returns patterns that match the stored entries for an element: entries with the URN of the type, and entries that have only a
 * value of the older enum, including CUSTOM.
 */
export function entriesOf({ owner, type: typeUrn }: OwnerMember): readonly JsonObject[] {
  const name = enumNameOf(typeUrn);
  return [{ owner, typeUrn }, ...(name === undefined ? [] : [{ owner, type: name, typeUrn: null }])];
}

/** Returns the ownership type in a stored entry. Old entries have only the name from the older enum. */
function storedType({ typeUrn, type }: JsonObject): string {
  if (typeof (type ?? "") !== "string") throw malformed("the type of an owner", "is not a string");
  if (typeof typeUrn === "string") return typeUrn;
  return urnOfOwnershipTypeName(textOf(type ?? "NONE"));
}

/** Converts between elements in `owners` and entries in DataHub's `ownership` aspect. */

import { isJsonObject, type Json, type JsonObject, textOf } from "../model/json.ts";
import { answeredUrn, malformed, storedList } from "../model/answer.ts";
import {
  enumNameOf,
  isOwnershipTypeEntity,
  nameOfOwnershipType,
  urnOfOwnershipTypeName,
} from "./ownership-types.ts";

/** An element in `owners`. One owner with two types is two elements. */
export interface OwnerMember {
  readonly [key: string]: string;
  readonly owner: string;
  readonly type: string;
}

/** Returns the entries in the aspect. Throws `CatalogError` if they are malformed. */
export function storedOwners(ownership: Json | undefined): readonly JsonObject[] {
  return storedList(isJsonObject(ownership) ? ownership["owners"] : undefined, "the owners");
}

/** Converts a stored ownership entry to an element in `owners`. */
export function storedMember(entry: JsonObject): OwnerMember {
  return { owner: answeredUrn({ urn: entry["owner"] }, "an owner"), type: storedType(entry) };
}

/** Converts an element to an entry, including the older enum that it requires (CLI mce_builder.py, validate_ownership_type). */
export function storedForm({ owner, type: typeUrn }: OwnerMember): JsonObject {
  const name = enumNameOf(typeUrn);
  if (name !== undefined && !isOwnershipTypeEntity(typeUrn)) return { owner, type: name };
  const known = nameOfOwnershipType(typeUrn);
  return { owner, type: known === typeUrn ? "CUSTOM" : known, typeUrn };
}

/** Returns patterns that match an element's entries: with the type's URN, or with only the older enum, including CUSTOM. */
export function entriesOf({ owner, type: typeUrn }: OwnerMember): readonly JsonObject[] {
  const name = enumNameOf(typeUrn);
  return [{ owner, typeUrn }, ...(name === undefined ? [] : [{ owner, type: name, typeUrn: null }])];
}

/** Returns an entry's ownership type. Old entries have only the enum's name. */
function storedType({ typeUrn, type }: JsonObject): string {
  if (typeof (type ?? "") !== "string") throw malformed("the type of an owner", "is no text");
  if (typeof typeUrn === "string") return typeUrn;
  return urnOfOwnershipTypeName(textOf(type ?? "NONE"));
}

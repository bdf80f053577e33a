/** Converts between owners as elements of `owners` and the entries of DataHub's `ownership` aspect. */

import { isJsonObject, type Json, type JsonObject, textOf } from "../model/json.ts";
import { answeredUrn, malformed, storedList } from "../model/answer.ts";
import {
  enumNameOf,
  isOwnershipTypeEntity,
  nameOfOwnershipType,
  urnOfOwnershipTypeName,
} from "./ownership-types.ts";

/** An element of `owners`. One owner with two types is two elements. */
export interface OwnerMember {
  readonly [key: string]: string;
  readonly owner: string;
  readonly type: string;
}

/** The entries of the aspect. Throws `CatalogError` if they are malformed. */
export function storedOwners(ownership: Json | undefined): readonly JsonObject[] {
  return storedList(isJsonObject(ownership) ? ownership["owners"] : undefined, "the owners");
}

/** The element for an entry. */
export function storedMember(entry: JsonObject): OwnerMember {
  return { owner: answeredUrn({ urn: entry["owner"] }, "an owner"), type: storedType(entry) };
}

/**
 * The entry for an element. It has the older enum, too, which the aspect requires (CLI mce_builder.py, validate_ownership_type).
 */
export function storedForm({ owner, type: typeUrn }: OwnerMember): JsonObject {
  const name = enumNameOf(typeUrn);
  if (name !== undefined && !isOwnershipTypeEntity(typeUrn)) return { owner, type: name };
  const known = nameOfOwnershipType(typeUrn);
  return { owner, type: known === typeUrn ? "CUSTOM" : known, typeUrn };
}

/** Patterns of the entries for an element: with the URN of its type, or with the older enum alone, including CUSTOM. */
export function entriesOf({ owner, type: typeUrn }: OwnerMember): readonly JsonObject[] {
  const name = enumNameOf(typeUrn);
  return [{ owner, typeUrn }, ...(name === undefined ? [] : [{ owner, type: name, typeUrn: null }])];
}

/** The ownership type of an entry. Old entries have only the name of the enum. */
function storedType({ typeUrn, type }: JsonObject): string {
  if (typeof (type ?? "") !== "string") throw malformed("the type of an owner", "is no text");
  if (typeof typeUrn === "string") return typeUrn;
  return urnOfOwnershipTypeName(textOf(type ?? "NONE"));
}

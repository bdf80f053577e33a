import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { answeredUrn, storedList } from "./answer.ts";
import {
  enumNameOf,
  isOwnershipTypeEntity,
  nameOfOwnershipType,
  urnOfOwnershipTypeName,
} from "./ownership-types.ts";

/** An element of `owners`: the same owner with another type is another element. */
export interface OwnerMember {
  readonly [key: string]: string;
  readonly owner: string;
  readonly type: string;
}

/** The entries of an aspect. */
export function storedOwners(ownership: Json | undefined): readonly JsonObject[] {
  return storedList(isJsonObject(ownership) ? ownership["owners"] : undefined, "the owners");
}

/** An entry of the aspect as GraphQL answers it. */
export function selectedForm(entry: JsonObject): JsonObject {
  return { owner: { urn: entry["owner"] }, ownershipType: { urn: storedType(entry) } };
}

/** The element that an entry is. */
export function storedMember(entry: JsonObject): OwnerMember {
  return { owner: answeredUrn({ urn: entry["owner"] }, "an owner"), type: storedType(entry) };
}

/** The entry for a member: with the older enum, which the aspect requires (CLI mce_builder.py, validate_ownership_type). */
export function storedForm({ owner, type: typeUrn }: OwnerMember): JsonObject {
  const name = enumNameOf(typeUrn);
  if (name !== undefined && !isOwnershipTypeEntity(typeUrn)) return { owner, type: name };
  const known = nameOfOwnershipType(typeUrn);
  return { owner, type: known === typeUrn ? "CUSTOM" : known, typeUrn };
}

/** What the entries of a member look like: with the URN of its type, or the older enum alone, also CUSTOM. */
export function entriesOf({ owner, type: typeUrn }: OwnerMember): readonly JsonObject[] {
  const name = enumNameOf(typeUrn);
  return [{ owner, typeUrn }, ...(name === undefined ? [] : [{ owner, type: name, typeUrn: null }])];
}

/** The ownership type of an entry. Before ownership types had URNs only the name of the enum was stored. */
export function storedType({ typeUrn, type }: JsonObject): string {
  if (typeof typeUrn === "string") return typeUrn;
  return urnOfOwnershipTypeName(typeof type === "string" ? type : "NONE");
}

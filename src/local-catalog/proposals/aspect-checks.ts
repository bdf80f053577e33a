/** Checks the URNs in aspects, and the column paths in schemas. */

import type { JsonObject } from "../../model/json.ts";
import { invalid, RequestError } from "../errors.ts";
import { objectsAt, stringAt } from "../json.ts";
import { parseEntityUrn } from "../registry/entity-urn.ts";
import { relationshipsOf } from "../store/relationships.ts";

/** The entity types that each relationship may refer to. A key that begins with an aspect's name applies only to that aspect. */
const typesOf: Readonly<Record<string, readonly string[]>> = {
  OwnedBy: ["corpuser", "corpGroup"],
  ownershipType: ["ownershipType"],
  TaggedWith: ["tag"],
  SchemaFieldTaggedWith: ["tag"],
  EditableSchemaFieldTaggedWith: ["tag"],
  TermedWith: ["glossaryTerm"],
  SchemaFieldWithGlossaryTerm: ["glossaryTerm"],
  EditableSchemaFieldWithGlossaryTerm: ["glossaryTerm"],
  IsA: ["glossaryTerm"],
  HasA: ["glossaryTerm"],
  HasValue: ["glossaryTerm"],
  IsRelatedTo: ["glossaryTerm"],
  "glossaryTermInfo IsPartOf": ["glossaryNode"],
  "glossaryNodeInfo IsPartOf": ["glossaryNode"],
  AssociatedWith: ["domain"],
  ReportsTo: ["corpuser"],
  IsMemberOfGroup: ["corpGroup"],
  IsMemberOfNativeGroup: ["corpGroup"],
};

/**
 * Checks that the URNs in an aspect's relationships are well-formed, and that their entity types are in the registry and allowed
 * for the relationship (EntityRegistryUrnValidator.java).
 * @throws RequestError for the first invalid URN.
 */
export function checkReferredUrns(aspect: string, value: JsonObject): void {
  for (const { type, urn } of relationshipsOf(aspect, value)) {
    const name = entityTypeIn(urn, aspect);
    const allowed = typesOf[`${aspect} ${type}`] ?? typesOf[type];
    if (allowed && !allowed.includes(name))
      throw invalid(
        `Invalid entity type ${name} in ${aspect}: ${urn}. The allowed types are ${allowed.join(", ")}`,
      );
  }
}

function entityTypeIn(urn: string, aspect: string): string {
  try {
    return parseEntityUrn(urn).type.name;
  } catch (error) {
    throw error instanceof RequestError ? invalid(`Invalid urn in ${aspect}: ${error.message}`) : error;
  }
}

const fieldLists: Readonly<Record<string, string>> = {
  schemaMetadata: "fields",
  editableSchemaMetadata: "editableSchemaFieldInfo",
};

/**
 * Checks that all columns in a schema have unique, nonempty paths (entity-registry FieldPathValidator.java).
 * @throws RequestError when a path is empty or occurs twice.
 */
export function checkFieldPaths(urn: string, aspect: string, value: JsonObject): void {
  const list = fieldLists[aspect];
  if (list === undefined) return;
  const seen = new Set<string>();
  for (const field of objectsAt(value, list)) {
    const path = stringAt(field, "fieldPath") ?? "";
    if (path.trim() === "") throw invalid(`${aspect} aspect has empty field path for ${urn}`);
    if (seen.has(path)) throw invalid(`${aspect} aspect has duplicated field paths: ${path} for ${urn}`);
    seen.add(path);
  }
}

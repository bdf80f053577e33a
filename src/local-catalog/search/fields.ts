/** Defines the fields in DataHub's search index, and reads an entity's values for them. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { AspectReader } from "../store/aspect-reader.ts";
import { objectAt, objectsAt, stringAt, stringsAt } from "../json.ts";
import { type EntityType, keyPartsOf } from "../registry/entity-types.ts";
import { graphqlTypeOf } from "../registry/graphql-types.ts";

/** A field for searching, filtering and sorting: the aspects that contain the field, and a function that reads its values. */
export interface SearchField {
  readonly aspects: readonly string[];
  readonly values: (urn: string, reader: AspectReader) => readonly string[];
}

/**
 * Returns the search index field with the given name for an entity type. If there is no special rule for the name, the field
 * reads all descriptive aspects, because DataHub's models define most index fields as fields of these aspects.
 */
export function searchField(name: string, type: EntityType): SearchField {
  const plain = name.replace(/\.keyword$/, "");
  const property = /^structuredProperties\.(.+)$/.exec(plain)?.[1];
  if (property !== undefined) return ofProperty(property);
  return namedFields[plain] ?? glossaryNames[type.name]?.[plain] ?? fieldOfAspects(plain, type);
}

type FromAspect = (value: JsonObject, urn: string) => readonly string[];

function ofAspect(aspect: string, read: FromAspect): SearchField {
  return {
    aspects: [aspect],
    values(urn, reader) {
      const value = reader.aspect(urn, aspect);
      return value ? read(value, urn) : [];
    },
  };
}

/** Creates a field that contains the tags or terms of all columns in a schema. */
function ofColumns(aspect: string, columns: string, labels: "globalTags" | "glossaryTerms"): SearchField {
  return ofAspect(aspect, (schema) =>
    objectsAt(schema, columns).flatMap((column) => labelsIn(objectAt(column, labels) ?? {})),
  );
}

/** Creates a field for a structured property, given its qualified name or its index field name, which has no dots. */
function ofProperty(name: string): SearchField {
  return ofAspect("structuredProperties", (value) =>
    objectsAt(value, "properties").flatMap((assignment) => {
      const id = stringAt(assignment, "propertyUrn")?.replace("urn:li:structuredProperty:", "") ?? "";
      if (id !== name && id.replaceAll(".", "_") !== name) return [];
      return objectsAt(assignment, "values").flatMap((each) => textsOf(each["string"] ?? each["double"]));
    }),
  );
}

function ofUrn(values: (urn: string) => readonly string[]): SearchField {
  return { aspects: [], values };
}

const entityTypeField = ofUrn((urn) => {
  const served = graphqlTypeOf(urn);
  return served ? [served.type, served.name] : [];
});

const namedFields: Readonly<Record<string, SearchField>> = {
  urn: ofUrn((urn) => [urn]),
  _entityType: entityTypeField,
  entityType: entityTypeField,
  platform: {
    aspects: ["dataPlatformInstance"],
    values(urn, reader) {
      if (urn.startsWith("urn:li:dataset:")) return present(keyPartsOf(urn)["platform"] ?? null);
      return present(stringAt(reader.aspect(urn, "dataPlatformInstance"), "platform"));
    },
  },
  origin: ofUrn((urn) => present(keyPartsOf(urn)["origin"] ?? null)),
  platformInstance: ofAspect("dataPlatformInstance", (value) => present(stringAt(value, "instance"))),
  lifecycleStage: ofAspect("status", (value) => present(stringAt(value, "lifecycleStage"))),
  removed: ofAspect("status", (value) => [String(value["removed"] === true)]),
  tags: ofAspect("globalTags", labelsIn),
  fieldTags: ofColumns("schemaMetadata", "fields", "globalTags"),
  fieldGlossaryTerms: ofColumns("schemaMetadata", "fields", "glossaryTerms"),
  editedFieldTags: ofColumns("editableSchemaMetadata", "editableSchemaFieldInfo", "globalTags"),
  editedFieldGlossaryTerms: ofColumns("editableSchemaMetadata", "editableSchemaFieldInfo", "glossaryTerms"),
  fieldPaths: ofAspect("schemaMetadata", (value) => members(value, "fields", "fieldPath")),
  owners: ofAspect("ownership", (value) => members(value, "owners", "owner")),
  managerLdap: ofAspect("corpUserInfo", (value) => present(stringAt(value, "managerUrn"))),
  domains: ofAspect("domains", (value) => stringsAt(value, "domains")),
  glossaryTerms: ofAspect("glossaryTerms", labelsIn),
  container: ofAspect("container", (value) => present(stringAt(value, "container"))),
  typeNames: ofAspect("subTypes", (value) => stringsAt(value, "typeNames")),
  // The index adds this separator before each path segment.
  browsePathV2: ofAspect("browsePathsV2", (value) => [
    objectsAt(value, "path")
      .map((entry) => `␟${stringAt(entry, "urn") ?? stringAt(entry, "id") ?? ""}`)
      .join(""),
  ]),
};

/** Fields that contain the names of glossary entities (GlossaryTermInfo.pdl, GlossaryNodeInfo.pdl, and their keys). */
const glossaryNames: Readonly<Record<string, Readonly<Record<string, SearchField>>>> = {
  glossaryTerm: { id: named("glossaryTermKey"), name: named("glossaryTermInfo") },
  glossaryNode: { name: named("glossaryNodeKey"), displayName: named("glossaryNodeInfo") },
};

function named(aspect: string): SearchField {
  return ofAspect(aspect, (value) => present(stringAt(value, "name")));
}

// Matches the names of aspects that describe an entity. The other aspects relate entities to each other, and the rules above
// cover their fields.
const descriptive = /(Key|Info|Properties|Status)$/;

function fieldOfAspects(name: string, type: EntityType): SearchField {
  const aspects = [...type.aspects].filter((aspect) => descriptive.test(aspect));
  return {
    aspects,
    values: (urn, reader) => [
      ...new Set(aspects.flatMap((aspect) => textsOf(reader.aspect(urn, aspect)?.[name]))),
    ],
  };
}

function textsOf(value: Json | undefined): readonly string[] {
  if (value === undefined || value === null) return [];
  if (isJsonList(value)) return value.flatMap((entry) => (isJsonObject(entry) ? [] : textsOf(entry)));
  // The index stores each entry of a map, such as a custom property, as `key=value`.
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([key, part]) => textsOf(part).map((text) => `${key}=${text}`));
  return [typeof value === "string" ? value : JSON.stringify(value)];
}

function members(value: JsonObject, list: string, key: string): readonly string[] {
  return objectsAt(value, list).flatMap((entry) => present(stringAt(entry, key)));
}

/** Returns the URNs in a `globalTags` or `glossaryTerms` aspect. */
function labelsIn(value: JsonObject): readonly string[] {
  return [...members(value, "tags", "tag"), ...members(value, "terms", "urn")];
}

function present(text: string | null): readonly string[] {
  return text === null ? [] : [text];
}

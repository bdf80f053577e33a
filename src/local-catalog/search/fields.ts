import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";

import type { AspectReader } from "../store/aspect-reader.ts";
import { isJsonList, objectAt, objectsAt, stringAt, stringsAt } from "../json.ts";
import { datasetParts, type EntityType } from "../registry/entity-types.ts";
import { graphqlTypeOf } from "../registry/graphql-types.ts";

/** A field to search, filter and sort by: the aspects that it is read from, and its values for an entity. */
export interface SearchField {
  readonly aspects: readonly string[];
  readonly values: (urn: string, reader: AspectReader) => readonly string[];
}

/**
 * The field with this name in DataHub's search index, for entities of a type. A field without a rule of its own is read
 * from all descriptive aspects, since the index takes most fields from DataHub's models.
 */
export function searchField(name: string, type: EntityType): SearchField {
  const plain = name.replace(/\.keyword$/, "");
  return namedFields[plain] ?? fieldOfAspects(plain, type);
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
      if (isDataset(urn)) return [datasetParts(urn).platform];
      return present(stringAt(reader.aspect(urn, "dataPlatformInstance"), "platform"));
    },
  },
  origin: ofUrn((urn) => (isDataset(urn) ? [datasetParts(urn).origin] : [])),
  platformInstance: ofAspect("dataPlatformInstance", (value) => present(stringAt(value, "instance"))),
  lifecycleStage: ofAspect("status", (value) => present(stringAt(value, "lifecycleStage"))),
  removed: ofAspect("status", (value) => [String(value["removed"] === true)]),
  tags: ofAspect("globalTags", (value) => members(value, "tags", "tag")),
  fieldTags: ofAspect("schemaMetadata", (value) => columnTags(value, "fields")),
  editedFieldTags: ofAspect("editableSchemaMetadata", (value) =>
    columnTags(value, "editableSchemaFieldInfo"),
  ),
  fieldPaths: ofAspect("schemaMetadata", (value) => members(value, "fields", "fieldPath")),
  owners: ofAspect("ownership", (value) => members(value, "owners", "owner")),
  managerLdap: ofAspect("corpUserInfo", (value) => present(stringAt(value, "managerUrn"))),
  domains: ofAspect("domains", (value) => stringsAt(value, "domains")),
  glossaryTerms: ofAspect("glossaryTerms", (value) => members(value, "terms", "urn")),
  container: ofAspect("container", (value) => present(stringAt(value, "container"))),
  typeNames: ofAspect("subTypes", (value) => stringsAt(value, "typeNames")),
  // The index joins the path with this character.
  browsePathV2: ofAspect("browsePathsV2", (value) => [
    objectsAt(value, "path")
      .map((entry) => `␟${stringAt(entry, "urn") ?? stringAt(entry, "id") ?? ""}`)
      .join(""),
  ]),
};

// Aspects that describe an entity. The other ones relate it to other entities and have fields above.
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
  // A map, such as custom properties, is indexed as `key=value`.
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([key, part]) => textsOf(part).map((text) => `${key}=${text}`));
  return [typeof value === "string" ? value : JSON.stringify(value)];
}

function members(value: JsonObject, list: string, key: string): readonly string[] {
  return objectsAt(value, list).flatMap((entry) => present(stringAt(entry, key)));
}

function columnTags(value: JsonObject, list: string): readonly string[] {
  return objectsAt(value, list).flatMap((column) =>
    members(objectAt(column, "globalTags") ?? {}, "tags", "tag"),
  );
}

function present(text: string | null): readonly string[] {
  return text === null ? [] : [text];
}

function isDataset(urn: string): boolean {
  return urn.startsWith("urn:li:dataset:");
}

import type { JsonObject } from "../model/json.ts";
import { datasetPartsOf, type Urn } from "../model/urn.ts";
import { aspectField, existsField, plainField, type EntityField } from "./entity-field.ts";
import { domainValue, ownershipValue, tagsValue } from "./association-values.ts";
import { entitySource, urnKey, type EntityTypeName } from "./entity-source.ts";
import { numberAt, objectAt, textAt, textsAt } from "./json-parts.ts";
import { parentDomains } from "./parent-domains.ts";
import { rawAspectsField } from "./raw-aspects.ts";
import {
  datasetOfSchemaField,
  editableSchemaValue,
  fieldPathOfSchemaField,
  schemaFieldTags,
  schemaValue,
} from "./schema-values.ts";

type Fields = Readonly<Record<string, EntityField>>;

const owned: Fields = { ownership: aspectField("ownership", ownershipValue) };

const tags = aspectField("globalTags", tagsValue);

const asset: Fields = {
  ...owned,
  tags,
  domain: aspectField("domains", domainValue),
  container: aspectField("container", (value) => entityAt(value, "container")),
  status: aspectField("status", (value) => ({ removed: value["removed"] === true })),
  aspects: rawAspectsField,
};

/** For each served type, the fields that come from aspects or from the URN; all others stand in the source itself. */
export const entityFields: Readonly<Record<EntityTypeName, Fields>> = {
  Dataset: {
    ...asset,
    globalTags: tags,
    exists: existsField("datasetKey"),
    platform: plainField((urn) => entitySource(`urn:li:dataPlatform:${datasetPartsOf(urn as Urn).platform}`)),
    origin: plainField(fabricOf),
    // The display name wins over the one in the URN (DatasetMapper.java).
    name: {
      aspects: () => ["datasetProperties"],
      read: (urn, reader) => datasetName(reader.aspect(urn, "datasetProperties"), urn),
    },
    properties: aspectField("datasetProperties", (value, urn) => ({
      name: datasetName(value, urn),
      origin: fabricOf(urn),
      description: textAt(value, "description"),
    })),
    schemaMetadata: {
      aspects: ({ version }) => (typeof version === "number" && version > 0 ? [] : ["schemaMetadata"]),
      read(urn, reader, { version }) {
        const schema =
          typeof version === "number" && version > 0
            ? reader.aspectAt(urn, "schemaMetadata", version)
            : reader.aspect(urn, "schemaMetadata");
        return schema ? schemaValue(schema, urn) : null;
      },
    },
    editableSchemaMetadata: aspectField("editableSchemaMetadata", editableSchemaValue),
  },
  Container: {
    ...asset,
    exists: existsField("containerKey"),
    platform: {
      aspects: () => ["dataPlatformInstance"],
      // Not null in the schema, so DataHub answers with an unknown platform (ContainerMapper.java).
      read: (urn, reader) =>
        entityAt(reader.aspect(urn, "dataPlatformInstance"), "platform") ??
        entitySource("urn:li:dataPlatform:unknown"),
    },
    properties: aspectField("containerProperties", (value) => ({
      name: textAt(value, "name"),
      description: textAt(value, "description"),
    })),
  },
  Domain: {
    ...owned,
    id: plainField(urnKey),
    properties: aspectField("domainProperties", (value) => ({
      name: textAt(value, "name"),
      description: textAt(value, "description"),
      createdOn: createdOn(objectAt(value, "created")),
    })),
    parentDomains: { aspects: () => ["domainProperties"], read: parentDomains },
    aspects: rawAspectsField,
  },
  Tag: {
    ...owned,
    name: plainField(urnKey),
    properties: aspectField("tagProperties", (value, urn) => ({
      name: textAt(value, "name") ?? urnKey(urn),
      description: textAt(value, "description"),
      colorHex: textAt(value, "colorHex"),
    })),
    aspects: rawAspectsField,
  },
  CorpUser: {
    username: plainField(urnKey),
    exists: existsField("corpUserKey"),
    properties: aspectField("corpUserInfo", userValue),
    info: aspectField("corpUserInfo", userValue),
    editableProperties: aspectField("corpUserEditableInfo", (value) => ({
      ...Object.fromEntries(
        ["displayName", "title", "aboutMe", "pictureLink", "slack", "phone", "email"].map((key) => [
          key,
          textAt(value, key),
        ]),
      ),
      teams: textsAt(value, "teams"),
      skills: textsAt(value, "skills"),
    })),
    aspects: rawAspectsField,
  },
  CorpGroup: {
    ...owned,
    name: plainField(urnKey),
    exists: existsField("corpGroupKey"),
    properties: aspectField("corpGroupInfo", (value) => ({
      displayName: textAt(value, "displayName"),
      description: textAt(value, "description"),
      email: textAt(value, "email"),
      slack: textAt(value, "slack"),
    })),
    aspects: rawAspectsField,
  },
  DataPlatform: { name: plainField(urnKey) },
  OwnershipTypeEntity: {
    info: aspectField("ownershipTypeInfo", (value) => ({
      name: textAt(value, "name"),
      description: textAt(value, "description"),
    })),
  },
  SchemaFieldEntity: {
    fieldPath: plainField(fieldPathOfSchemaField),
    parent: plainField((urn) => entitySource(datasetOfSchemaField(urn))),
    tags: { aspects: () => [], read: schemaFieldTags },
  },
};

function userValue(value: JsonObject): object {
  return {
    active: value["active"] === true,
    ...Object.fromEntries(
      [
        "displayName",
        "email",
        "title",
        "departmentName",
        "firstName",
        "lastName",
        "fullName",
        "countryCode",
      ].map((key) => [key, textAt(value, key)]),
    ),
    manager: entityAt(value, "managerUrn"),
    departmentId: numberAt(value, "departmentId"),
  };
}

function datasetName(properties: JsonObject | undefined, urn: string): string {
  return textAt(properties, "name") ?? datasetPartsOf(urn as Urn).name;
}

function fabricOf(urn: string): string {
  return datasetPartsOf(urn as Urn).fabric;
}

function createdOn(stamp: JsonObject | undefined): object | null {
  const time = numberAt(stamp, "time");
  return time === null ? null : { time, actor: entityAt(stamp, "actor") };
}

function entityAt(value: JsonObject | undefined, key: string): object | null {
  const urn = textAt(value, key);
  return urn === null ? null : entitySource(urn);
}

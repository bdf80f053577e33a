import type { JsonObject } from "../../../model/json.ts";
import { datasetPartsOf, type Urn } from "../../../model/urn.ts";
import { aspectField, existsField, plainField, type EntityField } from "./field.ts";
import { domainValue, ownershipValue, tagsValue } from "./association-values.ts";
import { entitySource, urnKey } from "./source.ts";
import { numberAt, objectAt, stringAt, stringsAt } from "../../json.ts";
import { parentDomains } from "./parent-domains.ts";
import { rawAspectsField } from "./raw-aspects.ts";
import { relationshipsField } from "./relationships.ts";
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

const status = aspectField("status", (value) => ({ removed: value["removed"] === true }));

const asset: Fields = {
  ...owned,
  tags,
  domain: aspectField("domains", domainValue),
  container: aspectField("container", (value) => entityAt(value, "container")),
  status,
  aspects: rawAspectsField,
};

const definition: Fields = { relationships: relationshipsField, aspects: rawAspectsField };

/** For each served type with more than a URN, the fields that come from aspects or from the URN; all others stand in the source itself. */
export const entityFields: Readonly<Record<string, Fields>> = {
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
      description: stringAt(value, "description"),
      customProperties: customProperties(value, urn),
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
    editableProperties: aspectField("editableDatasetProperties", (value) =>
      texts(value, ["name", "description"]),
    ),
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
    properties: aspectField("containerProperties", (value, urn) => ({
      ...texts(value, ["name", "description"]),
      customProperties: customProperties(value, urn),
    })),
    editableProperties: aspectField("editableContainerProperties", (value) => texts(value, ["description"])),
  },
  Domain: {
    ...owned,
    id: plainField(urnKey),
    properties: aspectField("domainProperties", (value, urn) => ({
      ...texts(value, ["name", "description"]),
      customProperties: customProperties(value, urn),
      createdOn: createdOn(objectAt(value, "created")),
    })),
    parentDomains: { aspects: () => ["domainProperties"], read: parentDomains },
    ...definition,
  },
  Tag: {
    ...owned,
    name: plainField(urnKey),
    properties: aspectField("tagProperties", (value, urn) => ({
      name: stringAt(value, "name") ?? urnKey(urn),
      description: stringAt(value, "description"),
      colorHex: stringAt(value, "colorHex"),
    })),
    ...definition,
  },
  CorpUser: {
    username: plainField(urnKey),
    exists: existsField("corpUserKey"),
    properties: aspectField("corpUserInfo", userValue),
    info: aspectField("corpUserInfo", userValue),
    editableProperties: aspectField("corpUserEditableInfo", (value) => ({
      ...texts(value, ["displayName", "title", "aboutMe", "pictureLink", "slack", "phone", "email"]),
      teams: stringsAt(value, "teams"),
      skills: stringsAt(value, "skills"),
    })),
    tags,
    status: aspectField("corpUserStatus", (value) => stringAt(value, "status")),
    // Users that sign in with a password of DataHub's own have credentials (IsNativeUserResolver.java).
    isNativeUser: existsField("corpUserCredentials"),
    ...definition,
  },
  CorpGroup: {
    ...owned,
    name: plainField(urnKey),
    exists: existsField("corpGroupKey"),
    properties: aspectField("corpGroupInfo", (value) =>
      texts(value, ["displayName", "description", "email", "slack"]),
    ),
    editableProperties: aspectField("corpGroupEditableInfo", (value) =>
      texts(value, ["description", "slack", "email", "pictureLink"]),
    ),
    info: aspectField("corpGroupInfo", (value) => ({
      ...texts(value, ["displayName", "description", "email"]),
      admins: stringsAt(value, "admins").map(entitySource),
      members: stringsAt(value, "members").map(entitySource),
      groups: stringsAt(value, "groups"),
    })),
    origin: {
      aspects: () => ["origin"],
      // One of which nothing is known counts as UNKNOWN (CorpGroupMapper.java).
      read: (urn, reader) => ({
        externalType: stringAt(reader.aspect(urn, "origin"), "externalType"),
        type: stringAt(reader.aspect(urn, "origin"), "type") ?? "UNKNOWN",
      }),
    },
    ...definition,
  },
  DataPlatform: { name: plainField(urnKey) },
  OwnershipTypeEntity: {
    info: aspectField("ownershipTypeInfo", (value) => ({
      ...texts(value, ["name", "description"]),
      created: stampAt(value, "created"),
      lastModified: stampAt(value, "lastModified"),
    })),
    status,
  },
  SchemaFieldEntity: {
    fieldPath: plainField(fieldPathOfSchemaField),
    parent: plainField((urn) => entitySource(datasetOfSchemaField(urn))),
    tags: { aspects: () => [], read: schemaFieldTags },
  },
};

function userValue(value: JsonObject, urn: string): object {
  return {
    active: value["active"] === true,
    ...texts(value, ["displayName", "email", "title", "departmentName"]),
    ...texts(value, ["firstName", "lastName", "fullName", "countryCode"]),
    manager: entityAt(value, "managerUrn"),
    departmentId: numberAt(value, "departmentId"),
    customProperties: customProperties(value, urn),
  };
}

function texts(value: JsonObject, keys: readonly string[]): Readonly<Record<string, string | null>> {
  return Object.fromEntries(keys.map((key) => [key, stringAt(value, key)]));
}

function customProperties(value: JsonObject, associatedUrn: string): readonly object[] {
  const entries = Object.entries(objectAt(value, "customProperties") ?? {});
  return entries.map(([key, text]) => ({ key, value: text, associatedUrn }));
}

function stampAt(value: JsonObject, key: string): object | null {
  const stamp = objectAt(value, key);
  return stamp ? { time: numberAt(stamp, "time") ?? 0, actor: stringAt(stamp, "actor") } : null;
}

function datasetName(properties: JsonObject | undefined, urn: string): string {
  return stringAt(properties, "name") ?? datasetPartsOf(urn as Urn).name;
}

function fabricOf(urn: string): string {
  return datasetPartsOf(urn as Urn).fabric;
}

function createdOn(stamp: JsonObject | undefined): object | null {
  const time = numberAt(stamp, "time");
  return time === null ? null : { time, actor: entityAt(stamp, "actor") };
}

function entityAt(value: JsonObject | undefined, key: string): object | null {
  const urn = stringAt(value, key);
  return urn === null ? null : entitySource(urn);
}

import { datasetParts, instanceParts } from "../../registry/entity-types.ts";
import { aspectField, existsField, plainField, type EntityField } from "./field.ts";
import { domainValue, ownershipValue, tagsValue } from "./association-values.ts";
import { entitySource, urnKey } from "./source.ts";
import { objectAt, stringAt, stringsAt } from "../../json.ts";
import {
  createdOn,
  customProperties,
  datasetName,
  entityAt,
  originOf,
  stampAt,
  stringFields,
  userValue,
} from "./property-values.ts";
import { parentContainers, parentDomains } from "./parents.ts";
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
  parentContainers: { aspects: () => ["container"], read: parentContainers },
  subTypes: aspectField("subTypes", (value) => ({ typeNames: stringsAt(value, "typeNames") })),
  // Null where only the platform is known (DataPlatformInstanceAspectMapper.java).
  dataPlatformInstance: aspectField("dataPlatformInstance", (value) => entityAt(value, "instance")),
  status,
  aspects: rawAspectsField,
};

const definition: Fields = { relationships: relationshipsField, aspects: rawAspectsField };

/** The fields of each GraphQL type that are read from aspects or the URN. Other fields are properties of the source. */
export const entityFields: Readonly<Record<string, Fields>> = {
  Dataset: {
    ...asset,
    globalTags: tags,
    exists: existsField("datasetKey"),
    platform: plainField((urn) => entitySource(datasetParts(urn).platform)),
    origin: plainField(originOf),
    // The display name has priority over the name in the URN (DatasetMapper.java).
    name: {
      aspects: () => ["datasetProperties"],
      read: (urn, reader) => datasetName(reader.aspect(urn, "datasetProperties"), urn),
    },
    properties: aspectField("datasetProperties", (value, urn) => ({
      name: datasetName(value, urn),
      origin: originOf(urn),
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
      stringFields(value, ["name", "description"]),
    ),
  },
  Container: {
    ...asset,
    exists: existsField("containerKey"),
    platform: {
      aspects: () => ["dataPlatformInstance"],
      // Non-null in the schema, so DataHub returns an unknown platform (ContainerMapper.java).
      read: (urn, reader) =>
        entityAt(reader.aspect(urn, "dataPlatformInstance"), "platform") ??
        entitySource("urn:li:dataPlatform:unknown"),
    },
    properties: aspectField("containerProperties", (value, urn) => ({
      ...stringFields(value, ["name", "description"]),
      customProperties: customProperties(value, urn),
    })),
    editableProperties: aspectField("editableContainerProperties", (value) =>
      stringFields(value, ["description"]),
    ),
  },
  Domain: {
    ...owned,
    id: plainField(urnKey),
    properties: aspectField("domainProperties", (value, urn) => ({
      ...stringFields(value, ["name", "description"]),
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
      ...stringFields(value, ["displayName", "title", "aboutMe", "pictureLink", "slack", "phone", "email"]),
      teams: stringsAt(value, "teams"),
      skills: stringsAt(value, "skills"),
    })),
    tags,
    status: aspectField("corpUserStatus", (value) => stringAt(value, "status")),
    // Users that sign in with a DataHub password have credentials (IsNativeUserResolver.java).
    isNativeUser: existsField("corpUserCredentials"),
    ...definition,
  },
  CorpGroup: {
    ...owned,
    name: plainField(urnKey),
    exists: existsField("corpGroupKey"),
    properties: aspectField("corpGroupInfo", (value) =>
      stringFields(value, ["displayName", "description", "email", "slack"]),
    ),
    editableProperties: aspectField("corpGroupEditableInfo", (value) =>
      stringFields(value, ["description", "slack", "email", "pictureLink"]),
    ),
    info: aspectField("corpGroupInfo", (value) => ({
      ...stringFields(value, ["displayName", "description", "email"]),
      admins: stringsAt(value, "admins").map(entitySource),
      members: stringsAt(value, "members").map(entitySource),
      groups: stringsAt(value, "groups"),
    })),
    origin: {
      aspects: () => ["origin"],
      // A missing type is UNKNOWN (CorpGroupMapper.java).
      read: (urn, reader) => ({
        externalType: stringAt(reader.aspect(urn, "origin"), "externalType"),
        type: stringAt(reader.aspect(urn, "origin"), "type") ?? "UNKNOWN",
      }),
    },
    ...definition,
  },
  DataPlatform: { name: plainField(urnKey) },
  DataPlatformInstance: {
    platform: plainField((urn) => entitySource(instanceParts(urn).platform)),
    instanceId: plainField((urn) => instanceParts(urn).instance),
  },
  OwnershipTypeEntity: {
    info: aspectField("ownershipTypeInfo", (value) => ({
      ...stringFields(value, ["name", "description"]),
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

/** Collects the GraphQL fields for all entity types, and defines the fields for domains, data products, users and other types. */

import { keyPartsOf, platformOf } from "../../registry/entity-types.ts";
import { objectAt, objectsAt, stringAt, stringsAt } from "../../json.ts";
import { assetFields } from "./assets.ts";
import { aspectField, existsField, plainField, type EntityFields } from "./field.ts";
import { glossaryFields } from "./glossary.ts";
import { createdOn, customProperties, stampAt, stringFields, userValue } from "./property-values.ts";
import { datasetOfSchemaField, fieldPathOfSchemaField, ofSchemaField } from "./schema-values.ts";
import {
  common,
  deprecatable,
  inDomain,
  keyFields,
  linked,
  owned,
  parentsField,
  softDeletable,
  tagged,
} from "./shared-fields.ts";
import { tagsValue, termsValue } from "./association-values.ts";
import {
  structuredPropertiesValue,
  structuredPropertyFields,
  withProperties,
} from "./structured-properties.ts";
import { entitySource, urnKey } from "./source.ts";

/**
 * For each GraphQL type, the fields that are read from aspects or the URN. All other fields are properties of the source object.
 */
export const entityFields: Readonly<Record<string, EntityFields>> = {
  ...assetFields,
  ...glossaryFields,
  ...structuredPropertyFields,
  Domain: {
    ...owned,
    ...linked,
    ...deprecatable,
    ...withProperties,
    ...keyFields("domain"),
    properties: {
      aspects: () => ["domainProperties"],
      read(urn, reader, _args, { store }) {
        const value = reader.aspect(urn, "domainProperties");
        return value
          ? {
              ...stringFields(value, ["name", "description"]),
              customProperties: customProperties(value, urn),
              // If `created` is missing, DataHub uses the time at which it stored the key aspect (DomainMapper.java).
              createdOn: createdOn(objectAt(value, "created") ?? store.latest(urn, "domainKey")?.created),
            }
          : null;
      },
    },
    parentDomains: parentsField("domainProperties", "domains"),
    ...common,
  },
  DataProduct: {
    ...keyFields("dataProduct"),
    ...owned,
    ...inDomain,
    ...tagged,
    ...linked,
    ...deprecatable,
    ...withProperties,
    ...common,
    glossaryTerms: aspectField("glossaryTerms", termsValue),
    // A product without a name has its id as its name (DataProductMapper.java).
    properties: aspectField("dataProductProperties", (value, urn) => ({
      ...stringFields(value, ["description", "externalUrl"]),
      name: stringAt(value, "name") ?? urnKey(urn),
      numAssets: objectsAt(value, "assets").length,
      customProperties: customProperties(value, urn),
    })),
  },
  Tag: {
    ...owned,
    ...keyFields("tag"),
    properties: aspectField("tagProperties", (value, urn) => ({
      name: stringAt(value, "name") ?? urnKey(urn),
      description: stringAt(value, "description"),
      colorHex: stringAt(value, "colorHex"),
    })),
    ...common,
  },
  CorpUser: {
    ...keyFields("corpuser"),
    properties: aspectField("corpUserInfo", userValue),
    info: aspectField("corpUserInfo", userValue),
    editableProperties: aspectField("corpUserEditableInfo", (value) => ({
      ...stringFields(value, ["displayName", "title", "aboutMe", "pictureLink", "slack", "phone", "email"]),
      teams: stringsAt(value, "teams"),
      skills: stringsAt(value, "skills"),
    })),
    ...tagged,
    status: aspectField("corpUserStatus", (value) => stringAt(value, "status")),
    // Only users who sign in with a DataHub password have this aspect (IsNativeUserResolver.java).
    isNativeUser: existsField("corpUserCredentials"),
    ...common,
  },
  CorpGroup: {
    ...owned,
    ...keyFields("corpGroup"),
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
      // If the origin type is missing, DataHub returns UNKNOWN (CorpGroupMapper.java).
      read: (urn, reader) => ({
        externalType: stringAt(reader.aspect(urn, "origin"), "externalType"),
        type: stringAt(reader.aspect(urn, "origin"), "type") ?? "UNKNOWN",
      }),
    },
    ...common,
  },
  DataPlatform: { name: plainField(urnKey) },
  DataPlatformInstance: {
    platform: plainField((urn) => entitySource(platformOf(urn) ?? "")),
    instanceId: plainField((urn) => keyPartsOf(urn)["instance"] ?? null),
  },
  OwnershipTypeEntity: {
    info: aspectField("ownershipTypeInfo", (value) => ({
      ...stringFields(value, ["name", "description"]),
      created: stampAt(value, "created"),
      lastModified: stampAt(value, "lastModified"),
    })),
    ...softDeletable,
  },
  SchemaFieldEntity: {
    fieldPath: plainField(fieldPathOfSchemaField),
    parent: plainField((urn) => entitySource(datasetOfSchemaField(urn))),
    tags: ofSchemaField("globalTags", tagsValue),
    glossaryTerms: ofSchemaField("glossaryTerms", termsValue),
    structuredProperties: ofSchemaField("structuredProperties", structuredPropertiesValue),
  },
};

/** Defines the GraphQL fields for assets. */

import type { JsonObject } from "../../../model/json.ts";
import { assetKinds, type AssetKind } from "../../registry/asset-kinds.ts";
import { keyPartsOf, platformOf } from "../../registry/entity-types.ts";
import { objectsAt, stringAt, stringsAt } from "../../json.ts";
import { termsValue } from "./association-values.ts";
import { aspectField, plainField, type EntityField, type EntityFields } from "./field.ts";
import { customProperties, entityAt, stringFields } from "./property-values.ts";
import { editableSchemaValue, schemaValue } from "./schema-values.ts";
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
import { withProperties } from "./structured-properties.ts";
import { entitySource } from "./source.ts";

const unknownPlatform = "urn:li:dataPlatform:unknown";

/** The platform of an asset whose URN does not contain a platform. DataHub or ingestion writes the platform to this aspect. */
const writtenPlatform = aspectField("dataPlatformInstance", (value) => entityAt(value, "platform"));

const asset: EntityFields = {
  ...owned,
  ...tagged,
  ...inDomain,
  ...softDeletable,
  ...linked,
  ...deprecatable,
  ...withProperties,
  ...common,
  glossaryTerms: aspectField("glossaryTerms", termsValue),
  container: aspectField("container", (value) => entityAt(value, "container")),
  parentContainers: parentsField("container", "containers"),
  browsePathV2: aspectField("browsePathsV2", (value) => ({
    path: objectsAt(value, "path").map((entry) => ({ name: stringAt(entry, "id") ?? "" })),
  })),
  subTypes: aspectField("subTypes", (value) => ({ typeNames: stringsAt(value, "typeNames") })),
  // The field is null if the aspect contains a platform but no instance (DataPlatformInstanceAspectMapper.java).
  dataPlatformInstance: aspectField("dataPlatformInstance", (value) => entityAt(value, "instance")),
};

const tool = plainField((urn) => keyPartsOf(urn)["dashboardTool"] ?? null);

const schemaMetadata: EntityField = {
  aspects: ({ version }) => (typeof version === "number" && version > 0 ? [] : ["schemaMetadata"]),
  read(urn, reader, { version }, { store }) {
    const schema =
      typeof version === "number" && version > 0
        ? store.valueAt(urn, "schemaMetadata", version)
        : reader.aspect(urn, "schemaMetadata");
    return schema ? schemaValue(schema, urn) : null;
  },
};

/** Additional fields for individual asset kinds, keyed by GraphQL type name. */
const own: Readonly<Record<string, EntityFields>> = {
  Dataset: {
    // The display name takes precedence over the name in the URN (DatasetMapper.java).
    name: {
      aspects: () => ["datasetProperties"],
      read: (urn, reader) => nameOf(reader.aspect(urn, "datasetProperties"), "name", urn),
    },
    schemaMetadata,
    editableSchemaMetadata: aspectField("editableSchemaMetadata", editableSchemaValue),
  },
  Container: {
    platform: {
      ...writtenPlatform,
      // The GraphQL schema requires a platform, so DataHub returns the platform `unknown` for a container without a platform
      // (ContainerMapper.java).
      read: (...args) => writtenPlatform.read(...args) ?? entitySource(unknownPlatform),
    },
  },
  Chart: { tool },
  Dashboard: { tool },
  DataJob: {
    platform: writtenPlatform,
    dataFlow: plainField((urn) => entitySource(keyPartsOf(urn)["flow"] ?? "")),
  },
};

/**
 * Asset fields, keyed by GraphQL type name. The schema determines which of these fields each type has (ChartMapper.java and
 * similar mappers).
 */
export const assetFields: Readonly<Record<string, EntityFields>> = Object.fromEntries(
  assetKinds.map((kind) => [kind.typename, { ...fieldsOf(kind), ...own[kind.typename] }]),
);

function fieldsOf({ type, ingested, name, edited }: AssetKind): EntityFields {
  return {
    ...asset,
    ...keyFields(type),
    platform: plainField((urn) => entitySource(platformOf(urn) ?? unknownPlatform)),
    description: aspectField(ingested, (value) => stringAt(value, "description")),
    properties: aspectField(ingested, (value, urn) => ({
      name: nameOf(value, name, urn),
      origin: keyPartsOf(urn)["origin"],
      description: stringAt(value, "description"),
      customProperties: customProperties(value, urn),
    })),
    editableProperties: aspectField(edited, (value) => stringFields(value, ["name", "description"])),
  };
}

function nameOf(properties: JsonObject | undefined, field: string, urn: string): string | null {
  return stringAt(properties, field) ?? keyPartsOf(urn)["name"] ?? null;
}

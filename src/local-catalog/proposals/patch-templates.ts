/** Defines DataHub's patch templates: keyed lists in aspects, initial values for missing aspects, and audit stamps for terms. */

import type { JsonObject } from "../../model/json.ts";
import { objectAt, objectsAt } from "../json.ts";
import type { KeyedList } from "./keyed-lists.ts";

function keyed(field: string, keys: string, inside: readonly KeyedList[] = []): KeyedList {
  return { field: field.split("."), keys: keys === "" ? [] : keys.split(" "), inside };
}

const edges = (...fields: readonly string[]): readonly KeyedList[] =>
  fields.map((field) => keyed(field, "destinationUrn"));
const texts = (...fields: readonly string[]): readonly KeyedList[] => fields.map((field) => keyed(field, ""));

/**
 * The aspects that have a patch template, and their keyed lists (entity-registry SnapshotEntityRegistry.java and patch/template).
 * A patch for any other aspect must specify the keys itself.
 */
export const patchTemplates: Readonly<Record<string, readonly KeyedList[]>> = {
  chartInfo: edges("inputEdges"),
  dashboardInfo: [...edges("chartEdges", "datasetEdges", "dashboards"), ...texts("charts", "datasets")],
  dataFlowInfo: [],
  dataJobInfo: [],
  dataJobInputOutput: [
    ...edges("inputDatajobEdges", "inputDatasetEdges", "outputDatasetEdges"),
    ...texts("inputDatajobs", "inputDatasets", "outputDatasets", "inputDatasetFields", "outputDatasetFields"),
  ],
  dataProductProperties: edges("assets"),
  datasetProperties: [],
  documentation: [keyed("documentations", "attribution\u241Fsource")],
  domains: texts("domains"),
  editableChartProperties: [],
  editableContainerProperties: [],
  editableDashboardProperties: [],
  editableDataFlowProperties: [],
  editableDataJobProperties: [],
  editableDatasetProperties: [],
  editableMlModelGroupProperties: [],
  editableSchemaMetadata: [
    keyed("editableSchemaFieldInfo", "fieldPath", [
      keyed("globalTags.tags", "tag"),
      keyed("glossaryTerms.terms", "urn"),
    ]),
  ],
  formInfo: [keyed("prompts", "id"), ...texts("actors.users", "actors.groups")],
  globalTags: [keyed("tags", "tag")],
  glossaryTerms: [keyed("terms", "urn")],
  institutionalMemory: [keyed("elements", "url")],
  ownership: [keyed("owners", "owner type")],
  propertyDefinition: [...texts("entityTypes", "allowedPlatforms"), keyed("allowedValues", "value\u241F*")],
  siblings: texts("siblings"),
  status: [],
  structuredProperties: [keyed("properties", "propertyUrn")],
  upstreamLineage: [keyed("upstreams", "dataset")],
  versionProperties: [],
};

/** Creates the initial info aspect for a chart or dashboard that lacks this aspect before the patch. */
const untitled = (stamp: JsonObject): JsonObject => ({
  title: "",
  description: "",
  lastModified: { created: stamp, lastModified: stamp },
});

const defaults: Readonly<Record<string, (stamp: JsonObject) => JsonObject>> = {
  chartInfo: untitled,
  dashboardInfo: untitled,
  editableSchemaMetadata: (stamp) => ({ created: stamp, lastModified: stamp }),
  ownership: (lastModified) => ({ lastModified }),
  propertyDefinition: () => ({ qualifiedName: "", valueType: "urn:li:dataType:datahub.string" }),
  glossaryTerms: (auditStamp) => ({ auditStamp }),
};

/**
 * Returns the initial value that a patch template defines for a missing aspect. The value does not include required lists, which
 * are initially empty (patch/template, getDefault).
 */
export function templateDefault(aspect: string, stamp: JsonObject): JsonObject {
  return defaults[aspect]?.(stamp) ?? {};
}

/** Adds the audit stamp that terms require, as DataHub's template does (GlossaryTermsTemplate.java). */
export function withStampedTerms(aspect: string, value: JsonObject, auditStamp: JsonObject): JsonObject {
  if (aspect === "glossaryTerms") return { auditStamp, ...value };
  if (aspect !== "editableSchemaMetadata") return value;
  const columns = objectsAt(value, "editableSchemaFieldInfo").map((column) => {
    const glossaryTerms = objectAt(column, "glossaryTerms");
    return glossaryTerms ? { ...column, glossaryTerms: { auditStamp, ...glossaryTerms } } : column;
  });
  return { ...value, editableSchemaFieldInfo: columns };
}

/** Converts column lineage to nested maps that patch paths can refer to, and back to lists. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { malformed } from "../errors.ts";
import { numberAt, objectAt, objectsAt, stringAt, stringsAt } from "../json.ts";
import { emptyNestedMap, nestedMapAt } from "./nested-maps.ts";

// A patch refers to column lineage with the path `/fineGrainedLineages/OPERATION/DOWNSTREAM/QUERY/UPSTREAM` (entity-registry
// FineGrainedLineageTemplateHelper.java).

const field = "fineGrainedLineages";
const aspects: ReadonlySet<string> = new Set(["upstreamLineage", "dataJobInputOutput"]);
const none = "NONE";

/** Whether an aspect's patch template includes column lineage. */
export function hasColumnLineage(aspect: string): boolean {
  return aspects.has(aspect);
}

/**
 * Converts an aspect's column lineage to nested maps, keyed by operation, downstream, query and upstream.
 * @throws RequestError when an entry does not have exactly one downstream.
 */
export function lineageToMap(value: JsonObject): JsonObject {
  const map = emptyNestedMap();
  for (const lineage of objectsAt(value, field)) {
    const [downstream, ...others] = stringsAt(lineage, "downstreams");
    if (downstream === undefined || others.length > 0)
      throw malformed("Patching not supported on fine grained lineages with not exactly one downstream.");
    const upstreams = stringsAt(lineage, "upstreams");
    const byDownstream = nestedMapAt(map, stringAt(lineage, "transformOperation") ?? none);
    const byQuery = nestedMapAt(byDownstream, downstream);
    const level = nestedMapAt(byQuery, stringAt(lineage, "query") ?? none);
    for (const upstream of upstreams)
      level[upstream] = {
        confidenceScore: numberAt(lineage, "confidenceScore") ?? 1,
        upstreamType: stringAt(lineage, "upstreamType") ?? upstreamTypeOf(upstreams),
        downstreamType: stringAt(lineage, "downstreamType") ?? "FIELD",
      };
  }
  return { ...value, [field]: map };
}

/** Converts an aspect's nested maps back to a list. Omits entries without upstreams. */
export function lineageToList(value: JsonObject): JsonObject {
  const map = value[field];
  if (isJsonList(map)) return value;
  const lineages = levels(map).flatMap(([operation, byDownstream]) =>
    levels(byDownstream).flatMap(([downstream, byQuery]) =>
      levels(byQuery).flatMap(([query, byUpstream]) => {
        const upstreams = isJsonObject(byUpstream) ? byUpstream : {};
        if (Object.keys(upstreams).length === 0) return [];
        return [lineageOf(operation, downstream, query, upstreams)];
      }),
    ),
  );
  return { ...value, [field]: lineages };
}

function lineageOf(operation: string, downstream: string, query: string, upstreams: JsonObject): JsonObject {
  const urns = Object.keys(upstreams);
  const stated = urns.map((urn) => objectAt(upstreams, urn));
  const last = (name: string, otherwise: string): string =>
    stated.reduce((found, each) => stringAt(each, name) ?? found, otherwise);
  return {
    downstreams: [downstream],
    upstreams: urns,
    ...(query.trim() !== "" && query !== none && { query }),
    upstreamType: last("upstreamType", "FIELD_SET"),
    downstreamType: last("downstreamType", "FIELD"),
    confidenceScore: Math.min(1, ...stated.map((each) => numberAt(each, "confidenceScore") ?? 1)),
    transformOperation: operation,
  };
}

function upstreamTypeOf([first = ""]: readonly string[]): string {
  return first.startsWith("urn:li:dataset:") ? "DATASET" : "FIELD_SET";
}

function levels(level: Json | undefined): readonly [string, Json | undefined][] {
  return isJsonObject(level) ? Object.entries(level) : [];
}

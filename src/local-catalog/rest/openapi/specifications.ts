/** Lists the registry's entity types and aspects over OpenAPI. */

import type { JsonObject } from "../../../model/json.ts";
import { malformed } from "../../errors.ts";
import { type EntityType, entityTypes } from "../../registry/entity-types.ts";
import { isTimeseries } from "../../registry/registry-data.ts";
import type { RestResponse, RestRequest } from "../exchange.ts";

/** The path at which clients request the server's entity types and aspects. */
export const specificationsPath = "/openapi/v1/registry/models/entity/specifications";

/**
 * Returns a page of the registry's entity types, sorted by name, with only their key aspects and aspect names
 * (EntityRegistryController.java).
 * @throws RequestError when the page starts after the last type.
 */
export function getSpecifications({ query }: RestRequest): RestResponse {
  const start = numberOf(query.get("start") ?? "0");
  const count = numberOf(query.get("count") ?? "5");
  const types = [...entityTypes.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const last = types.length - 1;
  if (start > last) throw malformed(`Start offset ${start} exceeds total ${last}`);
  const elements = types.slice(start, start + count).map(specification);
  return { status: 200, body: { elements, start, count: elements.length, total: types.length } };
}

function specification({ name, keyAspect, aspects }: EntityType): JsonObject {
  return {
    name,
    entityAnnotation: { name, keyAspect },
    keyAspectName: keyAspect,
    keyAspectSpec: aspectSpecification(keyAspect),
    aspectSpecs: [...aspects].map(aspectSpecification),
  };
}

function aspectSpecification(name: string): JsonObject {
  return { aspectAnnotation: { name, timeseries: isTimeseries(name) } };
}

function numberOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw malformed(`Not a number: ${text}`);
  return Number(text);
}

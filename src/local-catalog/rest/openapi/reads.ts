import type { Json, JsonObject } from "../../../model/json.ts";
import { aspectReader } from "../../store/aspect-reader.ts";
import { requireAspect } from "../../registry/entity-urn.ts";
import {
  aspectBody,
  checkType,
  entityBody,
  mapEntities,
  urnOfType,
  type AspectPath,
  type Wanted,
} from "./entity.ts";
import { malformed, notFound } from "../../errors.ts";
import { entityTypeNamed, entityTypeNames } from "../../registry/entity-types.ts";
import { relatedTo } from "../../store/relationships.ts";
import {
  listParameter,
  requestObject,
  type RestAnswer,
  type RestContext,
  type RestRequest,
} from "../exchange.ts";
import { filterOf } from "../../search/rest-filter.ts";
import { existing, find } from "../../search/find.ts";
import { stringsAt } from "../../json.ts";

/** `GET …/{type}/{urn}`: an entity with the requested aspects, all by default. */
export function getEntity(
  type: string,
  urn: string,
  { query }: RestRequest,
  context: RestContext,
): RestAnswer {
  urnOfType(type, urn);
  const body = entityBody(urn, wantedBy(query), context);
  if (!body) throw notFound(`Entity not found: ${urn}`);
  return { status: 200, body };
}

/** `HEAD …/{type}/{urn}`: whether an entity exists and is not soft-deleted. */
export function headEntity(type: string, urn: string, { store }: RestContext): RestAnswer {
  const checked = urnOfType(type, urn);
  const removed = store.latest(urn, "status")?.value["removed"] === true;
  return { status: store.has(urn, checked.type.keyAspect) && !removed ? 204 : 404 };
}

/** `GET …/{type}/{urn}/{aspect}`: one aspect, the latest version by default. */
export function getAspect(
  { type, urn, aspect }: AspectPath,
  { query }: RestRequest,
  { store }: RestContext,
): RestAnswer {
  requireAspect(urnOfType(type, urn).type, aspect);
  const version = Number(query.get("version") ?? 0);
  const stored = store.latest(urn, aspect);
  if (version === 0 && stored)
    return { status: 200, body: aspectBody(stored, query.get("systemMetadata") === "true") };
  const value = Number.isSafeInteger(version) ? store.valueAt(urn, aspect, version) : undefined;
  if (!value) throw notFound(`Aspect ${aspect} not found for ${urn}`);
  return { status: 200, body: { value } };
}

/** `HEAD …/{type}/{urn}/{aspect}`: whether an aspect exists. */
export function headAspect({ type, urn, aspect }: AspectPath, { store }: RestContext): RestAnswer {
  requireAspect(urnOfType(type, urn).type, aspect);
  return { status: store.has(urn, aspect) ? 204 : 404 };
}

/**
 * `POST …/{type}/batchGet`: entities with the aspects that each entry names, all if it names none. Missing ones are
 * omitted.
 */
export function batchGet(type: string, request: RestRequest, context: RestContext): RestAnswer {
  checkType(type);
  const systemMetadata = request.query.get("systemMetadata") === "true";
  const found = mapEntities(type, request.json(), ({ urn }, body) => {
    const names = Object.keys(body).filter((name) => name !== "urn");
    const aspects = names.length > 0 ? new Set(names) : undefined;
    return entityBody(urn, { aspects, systemMetadata }, context);
  });
  return { status: 200, body: found.filter((entity) => entity !== undefined) };
}

/** `POST /openapi/v2/entity/batch/{type}`: the same for older clients. */
export function batchGetV2(type: string, request: RestRequest, { store }: RestContext): RestAnswer {
  const body = requestObject(request);
  const names = stringsAt(body, "aspectNames");
  const entities = stringsAt(body, "urns").map((text) => {
    const { urn } = urnOfType(type, text);
    const found = [...store.latestOf(urn)].filter(([name]) => names.length === 0 || names.includes(name));
    const aspects = found.map(([name, stored]): [string, JsonObject] => [
      name,
      aspectBody(stored, body["withSystemMetadata"] === true),
    ]);
    return { urn, aspects: Object.fromEntries<Json>(aspects) };
  });
  return { status: 200, body: { entities } };
}

/**
 * Scrolls through entities in the order of their URNs: `POST /openapi/v3/entity/scroll`, and `GET …/{type}` for one type.
 * Without a list of aspects the response contains URNs only, with an empty list all aspects.
 */
export function scroll(
  types: readonly string[],
  { query }: RestRequest,
  body: JsonObject,
  context: RestContext,
): RestAnswer {
  for (const type of types) checkType(type);
  const count = countOf(query.get("count"));
  const names = types.length > 0 ? types.map((type) => entityTypeNamed(type)?.name ?? type) : entityTypeNames;
  const search = {
    types: names,
    query: query.get("query"),
    orFilters: filterOf(body["filter"]),
    includeSoftDeleted: query.get("includeSoftDelete") === "true",
  };
  const hits = find(search, aspectReader(context.index));
  const after = lastUrn(query.get("scrollId"));
  const rest = after === undefined ? hits : hits.filter(({ urn }) => urn > after);
  const page = rest.slice(0, count);
  const aspects = aspectsOf(body, query);
  const systemMetadata = query.get("systemMetadata") === "true";
  const entities = existing(page, context.store).map(
    ({ urn }) => entityBody(urn, { aspects, systemMetadata }, context) ?? { urn },
  );
  const last = page.at(-1);
  const scrollId = last && page.length === count ? { scrollId: scrollIdAfter(last.urn) } : {};
  return { status: 200, body: { ...scrollId, entities, totalCount: hits.length } };
}

/** `GET /openapi/relationships/v1/`: a page of an entity's relationships. */
export function getRelationships({ query }: RestRequest, { index }: RestContext): RestAnswer {
  const { urn } = urnOfType("generic", query.get("urn") ?? "");
  const direction = query.get("direction") ?? "";
  if (direction !== "INCOMING" && direction !== "OUTGOING")
    throw malformed(`The direction must be INCOMING or OUTGOING: ${direction}`);
  const types = new Set(listParameter(query, "relationshipTypes"));
  const isWanted = (type: string): boolean => types.size === 0 || types.has(type);
  const related = relatedTo(urn, direction, isWanted, aspectReader(index));
  const start = Number(query.get("start") ?? 0) || 0;
  const page = related.slice(start, start + countOf(query.get("count"), 200));
  const entities = page.map((found) => ({ relationshipType: found.type, urn: found.urn }));
  return { status: 200, body: { start, count: page.length, total: related.length, entities } };
}

function wantedBy(query: URLSearchParams): Wanted {
  const names = listParameter(query, "aspects");
  return {
    aspects: names.length > 0 ? new Set(names) : undefined,
    systemMetadata: query.get("systemMetadata") === "true",
  };
}

function aspectsOf(body: JsonObject, query: URLSearchParams): ReadonlySet<string> | undefined {
  const names = [...stringsAt(body, "aspects"), ...listParameter(query, "aspects")];
  return names.length === 0 && Array.isArray(body["aspects"]) ? undefined : new Set(names);
}

function countOf(text: string | null, otherwise = 10): number {
  const count = Number(text ?? otherwise);
  if (!Number.isSafeInteger(count) || count < 0) throw malformed(`The count is not a number: ${text}`);
  return count;
}

function scrollIdAfter(urn: string): string {
  return Buffer.from(urn).toString("base64url");
}

function lastUrn(scrollId: string | null): string | undefined {
  return scrollId === null || scrollId === "" ? undefined : Buffer.from(scrollId, "base64url").toString();
}

/** Answers OpenAPI requests that read entities, aspects and relationships. */

import { isJsonList, type Json, type JsonObject } from "../../../model/json.ts";
import { aspectReader } from "../../store/aspect-reader.ts";
import { requireAspect } from "../../registry/entity-urn.ts";
import {
  aspectBody,
  checkType,
  entityBody,
  mapEntities,
  urnOfType,
  type AspectPath,
  type EntityPath,
  type Handlers,
  type TypePath,
} from "./entity.ts";
import { malformed, notFound } from "../../errors.ts";
import { entityTypeNamed, entityTypeNames } from "../../registry/entity-types.ts";
import { relatedTo } from "../../store/relationships.ts";
import {
  hasFlag,
  listParameter,
  requestObject,
  requireView,
  type RestResponse,
  type RestContext,
  type RestRequest,
} from "../exchange.ts";
import { filterOf } from "../../search/rest-filter.ts";
import { existingHits, find } from "../../search/find.ts";
import { listAt, stringsAt } from "../../json.ts";

/** Handlers that read several entities of one type. */
export const typeReads: Handlers<TypePath> = {
  GET: ({ type }, request, context) => scroll({ entities: [type], aspects: [] }, request, context),

  /**
   * Returns the entities that the request body lists. Each entry can list the aspects to return. By default, returns all aspects.
   * Omits missing entities.
   */
  batchGet({ type }, request, context) {
    checkType(type);
    const sent = request.json();
    requireBatch(sent);
    const wanted = mapEntities(type, sent, ({ urn }, body) => {
      const names = Object.keys(body).filter((name) => name !== "urn");
      return { urn, aspects: names.length > 0 ? new Set(names) : undefined };
    });
    requireRead(
      wanted.map(({ urn }) => urn),
      context,
    );
    const found = wanted.map(({ urn, aspects }) => entityBody(urn, aspects, request, context));
    return { status: 200, body: found.filter((entity) => entity !== undefined) };
  },
};

/** Maximum number of entities in one batch. */
const maxEntities = 1_000;

function requireBatch(body: Json | undefined): void {
  if (!isJsonList(body) || body.length <= maxEntities) return;
  throw malformed(`The body contains more than ${maxEntities} entities`);
}

function requireRead(urns: readonly string[], context: RestContext): void {
  requireView(urns, context, () => `${context.actor} is unauthorized to READ entities.`);
}

/** Handlers that read one entity. */
export const entityReads: Handlers<EntityPath> = {
  /** Returns the entity with the requested aspects, or with all aspects by default. */
  GET(path, request, context) {
    const { urn } = urnOfType(path);
    requireRead([urn], context);
    const names = listParameter(request.query, "aspects");
    const body = entityBody(urn, names.length > 0 ? new Set(names) : undefined, request, context);
    if (!body) throw notFound(`Entity not found: ${urn}`);
    return { status: 200, body };
  },

  /** Responds with 204 if the entity exists and is not soft-deleted, or with 404 otherwise. */
  HEAD(path, _request, context) {
    const { store } = context;
    const { urn, type } = urnOfType(path);
    requireRead([urn], context);
    const isRemoved = store.latest(urn, "status")?.value["removed"] === true;
    return { status: store.has(urn, type.keyAspect) && !isRemoved ? 204 : 404 };
  },
};

/** Handlers that read one aspect. */
export const aspectReads: Handlers<AspectPath> = {
  /** Returns the requested version of the aspect, or the latest version by default. */
  GET(path, { query }, context) {
    const { store } = context;
    const { urn, aspect } = path;
    requireAspect(urnOfType(path).type, aspect);
    requireRead([urn], context);
    const version = Number(query.get("version") ?? 0);
    const stored = store.latest(urn, aspect);
    if (version === 0 && stored)
      return { status: 200, body: aspectBody(stored, hasFlag(query, "systemMetadata")) };
    const value = Number.isSafeInteger(version) ? store.valueAt(urn, aspect, version) : undefined;
    if (!value) throw notFound(`Aspect ${aspect} not found for ${urn}`);
    return { status: 200, body: { value } };
  },

  HEAD(path, _request, context) {
    const { store } = context;
    requireAspect(urnOfType(path).type, path.aspect);
    requireRead([path.urn], context);
    return { status: store.has(path.urn, path.aspect) ? 204 : 404 };
  },
};

/** Answers `POST /openapi/v2/entity/batch/{type}`, which older clients use to read several entities. */
export function batchGetV2(type: string, request: RestRequest, context: RestContext): RestResponse {
  const { store } = context;
  const body = requestObject(request);
  const names = stringsAt(body, "aspectNames");
  const urns = stringsAt(body, "urns");
  requireBatch(body["urns"]);
  requireRead(urns, context);
  const entities = urns.map((urn) => {
    urnOfType({ type, urn });
    const aspects: Record<string, JsonObject> = {};
    for (const [name, stored] of store.latestOf(urn))
      if (names.length === 0 || names.includes(name))
        aspects[name] = aspectBody(stored, body["withSystemMetadata"] === true);
    return { urn, aspects };
  });
  return { status: 200, body: { entities } };
}

/**
 * Scrolls through entities in the order of their URNs. `entities` selects the entity types; all by default. If the request has no
 * list of aspects, the response contains only URNs. If the list is empty, the response contains all aspects.
 */
export function scroll(body: JsonObject, request: RestRequest, context: RestContext): RestResponse {
  const { query } = request;
  const types = listAt(body, "entities").map(String);
  for (const type of types) checkType(type);
  const count = countOf(query.get("count"));
  const search = {
    types: types.length > 0 ? types.map((type) => entityTypeNamed(type)?.name ?? type) : entityTypeNames,
    query: query.get("query"),
    orFilters: filterOf(body["filter"]),
    includeSoftDeleted: hasFlag(query, "includeSoftDelete"),
  };
  const hits = find(search, aspectReader(context.index));
  const after = Buffer.from(query.get("scrollId") ?? "", "base64url").toString();
  const page = hits.filter(({ urn }) => urn > after).slice(0, count);
  requireRead(
    page.map(({ urn }) => urn),
    context,
  );
  const names = [...stringsAt(body, "aspects"), ...listParameter(query, "aspects")];
  const aspects = names.length === 0 && isJsonList(body["aspects"]) ? undefined : new Set(names);
  const entities = existingHits(page, context.store).map(
    ({ urn }) => entityBody(urn, aspects, request, context) ?? { urn },
  );
  const last = page.at(-1);
  const scrollId =
    last && page.length === count ? { scrollId: Buffer.from(last.urn).toString("base64url") } : {};
  return { status: 200, body: { ...scrollId, entities, totalCount: hits.length } };
}

/** Answers `GET /openapi/relationships/v1/` with a page of an entity's relationships. */
export function getRelationships({ query }: RestRequest, { index }: RestContext): RestResponse {
  const { urn } = urnOfType({ type: "generic", urn: query.get("urn") ?? "" });
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

function countOf(text: string | null, otherwise = 10): number {
  const count = Number(text ?? otherwise);
  if (!Number.isSafeInteger(count) || count < 0) throw malformed(`The count is not a number: ${text}`);
  return count;
}

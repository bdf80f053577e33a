/** Deletes entities, searches for entities, removes references and stores snapshots over Rest.li. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../../model/json.ts";
import { auditTrail } from "../../store/audit.ts";
import { aspectReader } from "../../store/aspect-reader.ts";
import { requireAspect, parseEntityUrn, unknownEntity } from "../../registry/entity-urn.ts";
import { listAt, numberAt, objectAt, requiredString, stringAt } from "../../json.ts";
import { readRecord, withoutUnknown } from "../../load/metadata-record.ts";
import { validateProposal, type Proposal } from "../../proposals/proposal.ts";
import { referringAspects } from "../../store/references.ts";
import { deleteKeepingReferences, scheduleReferenceRemoval } from "../../store/removals.ts";
import { malformed } from "../../errors.ts";
import { entityTypeNamed } from "../../registry/entity-types.ts";
import { relationshipsOf } from "../../store/relationships.ts";
import { requestObject, requireView, type RestContext, type RestRequest } from "../exchange.ts";
import { ingest } from "./aspects.ts";
import { existingHits, find } from "../../search/find.ts";
import { filterOf } from "../../search/rest-filter.ts";

/**
 * Deletes an entity permanently, or only one aspect if `aspectName` is set. It is not an error if the entity does not exist
 * (EntityResource.java, deleteEntity).
 */
export function deleteEntity(request: RestRequest, context: RestContext): JsonObject {
  const { store, actor, now } = context;
  const body = requestObject(request);
  const { urn, type } = parseEntityUrn(requiredString(body, "urn"));
  requireView([urn], context, () => `User is unauthorized to delete entity: ${urn}`);
  const aspect = stringAt(body, "aspectName");
  const rows =
    aspect === null || aspect === type.keyAspect
      ? deleteKeepingReferences(context, urn, auditTrail(actor, now()))
      : Number(store.deleteAspect(urn, requireAspect(type, aspect)));
  return { urn, rows, timeseriesRows: 0 };
}

/** Removes all references to an entity. With `dryRun`, only lists them (EntityResource.java, deleteReferencesTo). */
export function deleteReferences(request: RestRequest, context: RestContext): JsonObject {
  const { store, index, actor, now } = context;
  const body = requestObject(request);
  const { urn } = parseEntityUrn(requiredString(body, "urn"));
  const relationships = new Map<string, string>();
  index.eachContaining(urn, (entity, aspect, value) => {
    const found = relationshipsOf(aspect, value).find((relationship) => relationship.urn === urn);
    if (found) relationships.set(`${entity} ${aspect}`, found.type);
  });
  const relatedAspects = referringAspects(store, urn).map(({ urn: entity, aspect }) => ({
    entity,
    relationship: relationships.get(`${entity} ${aspect}`) ?? "",
    aspect,
  }));
  if (body["dryRun"] !== true) scheduleReferenceRemoval(context, urn, auditTrail(actor, now()));
  return { total: relatedAspects.length, relatedAspects };
}

/**
 * Stores the aspects that a snapshot contains. Snapshots are the format that preceded proposals (EntityResource.java, ingest).
 */
export function ingestSnapshot(request: RestRequest, context: RestContext): string {
  const body = requestObject(request);
  return ingestSnapshots([body["entity"]], [body["systemMetadata"]], context);
}

/** Stores several snapshots, either all or none (EntityResource.java, batchIngest). */
export function ingestSnapshotBatch(request: RestRequest, context: RestContext): string {
  const body = requestObject(request);
  const { entities } = body;
  if (!isJsonList(entities)) throw malformed('"entities" is missing or not a list');
  return ingestSnapshots(entities, listAt(body, "systemMetadata"), context);
}

function ingestSnapshots(
  entities: readonly (Json | undefined)[],
  systemMetadata: readonly (Json | undefined)[],
  context: RestContext,
): string {
  return ingest(
    entities.flatMap((entity, index) => proposalsOf(entity, systemMetadata[index])),
    context,
  );
}

function proposalsOf(entity: Json | undefined, systemMetadata: Json | undefined): readonly Proposal[] {
  const proposedSnapshot = isJsonObject(entity) ? objectAt(entity, "value") : undefined;
  if (!proposedSnapshot) throw malformed('"entity" has no snapshot in "value"');
  const { aspects } = withoutUnknown(readRecord({ proposedSnapshot, systemMetadata }));
  return aspects.map((part) => validateProposal({ ...part, headers: {} }));
}

/** Searches for entities of one type (EntityResource.java, search). */
export function searchEntities(request: RestRequest, { store, index }: RestContext): JsonObject {
  const body = requestObject(request);
  const name = requiredString(body, "entity");
  const type = entityTypeNamed(name);
  if (!type) throw unknownEntity(name);
  const from = numberAt(body, "start") ?? 0;
  const pageSize = numberAt(body, "count") ?? 10;
  const hits = find(
    { types: [type.name], query: stringAt(body, "input"), orFilters: filterOf(body["filter"]) },
    aspectReader(index),
  );
  return {
    from,
    pageSize,
    numEntities: hits.length,
    entities: existingHits(hits.slice(from, from + pageSize), store).map(({ urn }) => ({ entity: urn })),
    metadata: { aggregations: [] },
  };
}

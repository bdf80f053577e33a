/** Answers OpenAPI requests that create, patch and delete entities and aspects. */

import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../../model/json.ts";
import { applyProposals } from "../../proposals/apply.ts";
import { auditTrail } from "../../store/audit.ts";
import { deleteKeepingReferences } from "../../store/removals.ts";
import { entityTypeFor, requireAspect } from "../../registry/entity-urn.ts";
import { entityExists } from "../../store/aspect-write.ts";
import {
  aspectBody,
  aspectProposal,
  proposalsOf,
  urnOfType,
  type AspectPath,
  type EntityPath,
  type Handlers,
  type TypePath,
} from "./entity.ts";
import type { ChangeType, Proposal } from "../../proposals/proposal.ts";
import { malformed } from "../../errors.ts";
import { isTimeseries } from "../../registry/registry-data.ts";
import {
  hasFlag,
  listParameter,
  requestObject,
  requireEdit,
  type RestResponse,
  type RestContext,
  type RestRequest,
} from "../exchange.ts";
import { traceHeaders } from "./trace.ts";

/** Handlers that write several entities of one type, either all or none. */
export const typeWrites: Handlers<TypePath> = {
  /** Stores the aspects before responding, even if `async` is on (the default). If `async` is on, the status is 202. */
  POST({ type }, request, context) {
    const { query } = request;
    const otherwise = hasFlag(query, "createIfNotExists") ? "CREATE" : "UPSERT";
    const changeType = hasFlag(query, "createEntityIfNotExists") ? "CREATE_ENTITY" : otherwise;
    const proposals = proposalsOf(type, request.json(), changeType);
    const urns = proposals.map(({ urn }) => urn).filter((urn) => !entityExists(context.store, urn));
    return writeEntities(proposals, request, context, new Set(urns));
  },

  /** Patches aspects. If `async` is on (the default), the response has no body. */
  PATCH({ type }, request, context) {
    const answer = writeEntities(proposalsOf(type, request.json(), "PATCH"), request, context);
    return answer.status === 202 ? { ...answer, body: undefined } : answer;
  },
};

function writeEntities(
  proposals: readonly Proposal[],
  { query }: RestRequest,
  context: RestContext,
  fresh: ReadonlySet<string> = new Set(),
): RestResponse {
  requireEdit(
    proposals.map(({ urn }) => urn),
    context,
  );
  const applied = applyProposals(proposals, context);
  const headers = traceHeaders();
  const systemMetadata = hasFlag(query, "systemMetadata");
  const byUrn = new Map<string, Record<string, Json>>();
  for (const proposal of applied) {
    const entity = byUrn.get(proposal.urn) ?? { urn: proposal.urn };
    // If the entity is new, the response includes its key aspect.
    if (fresh.has(proposal.urn)) {
      const { keyAspect: aspect } = entityTypeFor(proposal.urn);
      entity[aspect] = writtenBody({ ...proposal, aspect }, systemMetadata, context);
    }
    entity[proposal.aspect] = writtenBody(proposal, systemMetadata, context);
    byUrn.set(proposal.urn, entity);
  }
  const status = query.get("async") === "false" ? 200 : 202;
  return { status, body: [...byUrn.values()], headers };
}

function writtenBody(
  { urn, aspect, value }: Proposal,
  systemMetadata: boolean,
  { store }: RestContext,
): JsonObject {
  const stored = isTimeseries(aspect) ? undefined : store.latest(urn, aspect);
  return stored ? aspectBody(stored, systemMetadata) : { value };
}

/** Handlers that write one entity. */
export const entityWrites: Handlers<EntityPath> = {
  /** Deletes the entity, or only the listed aspects. With `clear`, deletes all aspects except the key aspect. */
  DELETE(path, { query }, context) {
    const { store, actor, now } = context;
    const { urn, type } = urnOfType(path);
    requireEdit([urn], context);
    const clears = hasFlag(query, "clear");
    const aspects = clears
      ? store.aspectNames(urn).filter((name) => name !== type.keyAspect)
      : listParameter(query, "aspects");
    if (aspects.length === 0 && !clears) deleteKeepingReferences(context, urn, auditTrail(actor, now()));
    else
      store.transaction(() =>
        aspects.forEach((aspect) => store.deleteAspect(urn, requireAspect(type, aspect))),
      );
    return { status: 200 };
  },
};

/** Handlers that write one aspect. */
export const aspectWrites: Handlers<AspectPath> = {
  /** By default, creates the aspect, and fails if it already exists. */
  POST(path, request, context) {
    const { query } = request;
    const createsEntity = ["createEntityIfNotExists", "createIfEntityNotExists"].some((name) =>
      hasFlag(query, name),
    );
    const otherwise = query.get("createIfNotExists") === "false" ? "UPSERT" : "CREATE";
    const changeType = createsEntity ? "CREATE_ENTITY" : otherwise;
    return writeAspect(path, requestObject(request), changeType, context);
  },

  /** Patches the aspect. The body is the patch itself. */
  PATCH(path, request, context) {
    const body = request.json();
    const patch = isJsonList(body) ? { patch: body } : body;
    if (!isJsonObject(patch))
      throw malformed("The body must be a list of patch operations, or an object that contains one");
    return writeAspect(path, { value: patch }, "PATCH", context);
  },

  /**
   * Deletes the aspect, or the entire entity if the aspect is its key aspect. DataHub cannot delete `structuredProperties` in
   * this way.
   */
  DELETE(path, _request, context) {
    const { store, actor, now } = context;
    const { urn, type } = urnOfType(path);
    requireEdit([urn], context);
    const aspect = requireAspect(type, path.aspect);
    if (aspect === "structuredProperties")
      return {
        status: 500,
        body: { error: "Internal Server Error", message: `${aspect} cannot be deleted` },
      };
    if (aspect === type.keyAspect) deleteKeepingReferences(context, urn, auditTrail(actor, now()));
    else store.deleteAspect(urn, aspect);
    return { status: 200 };
  },
};

function writeAspect(
  path: AspectPath,
  part: JsonObject,
  changeType: ChangeType,
  context: RestContext,
): RestResponse {
  const { urn } = urnOfType(path);
  const { aspect } = path;
  requireEdit([urn], context);
  const proposal = aspectProposal(urn, aspect, part, changeType);
  applyProposals([proposal], context);
  const body = { urn, [aspect]: writtenBody(proposal, false, context) };
  return { status: 200, body, headers: traceHeaders() };
}

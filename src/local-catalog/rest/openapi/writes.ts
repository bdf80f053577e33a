import { isJsonObject, type Json, type JsonObject } from "../../../model/json.ts";
import { applyProposals } from "../../proposals/apply.ts";
import { entityTypeFor, requireAspect } from "../../registry/entity-urn.ts";
import { entityExists } from "../../store/aspect-write.ts";
import { aspectBody, aspectProposal, proposalsOf, urnOfType, type AspectPath } from "./entity.ts";
import type { ChangeType, Proposal } from "../../proposals/proposal.ts";
import { malformed } from "../../errors.ts";
import { isJsonList } from "../../json.ts";
import { isTimeseries } from "../../registry/aspects.ts";
import {
  listParameter,
  requestObject,
  type RestAnswer,
  type RestContext,
  type RestRequest,
} from "../exchange.ts";
import { traceHeaders } from "./trace.ts";

/**
 * `POST …/{type}`: stores aspects of entities, all or none, before the response. The status is 202 with `async`, the
 * default.
 */
export function postEntities(type: string, request: RestRequest, context: RestContext): RestAnswer {
  const flag = (name: string): boolean => request.query.get(name) === "true";
  const changeType = flag("createEntityIfNotExists")
    ? "CREATE_ENTITY"
    : flag("createIfNotExists")
      ? "CREATE"
      : "UPSERT";
  const proposals = proposalsOf(type, request.json(), changeType);
  const fresh = new Set(proposals.map(({ urn }) => urn).filter((urn) => !entityExists(context.store, urn)));
  return writeEntities(proposals, request, context, fresh);
}

/** `PATCH …/{type}`: patches aspects of entities, all or none. The response is empty with `async`, the default. */
export function patchEntities(type: string, request: RestRequest, context: RestContext): RestAnswer {
  const answer = writeEntities(proposalsOf(type, request.json(), "PATCH"), request, context);
  return answer.status === 202 ? { ...answer, body: undefined } : answer;
}

function writeEntities(
  proposals: readonly Proposal[],
  { query }: RestRequest,
  context: RestContext,
  fresh: ReadonlySet<string> = new Set(),
): RestAnswer {
  const applied = applyProposals(context.store, proposals, context);
  const headers = traceHeaders();
  const systemMetadata = query.get("systemMetadata") === "true";
  const byUrn = new Map<string, Record<string, Json>>();
  for (const proposal of applied) {
    const entity = byUrn.get(proposal.urn) ?? { urn: proposal.urn };
    // What is posted for a new entity includes its key.
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

/** `POST …/{type}/{urn}/{aspect}`: by default creates the aspect, and fails if it exists. */
export function postAspect(path: AspectPath, request: RestRequest, context: RestContext): RestAnswer {
  const flag = (name: string): string | null => request.query.get(name);
  const changeType =
    flag("createEntityIfNotExists") === "true" || flag("createIfEntityNotExists") === "true"
      ? "CREATE_ENTITY"
      : flag("createIfNotExists") === "false"
        ? "UPSERT"
        : "CREATE";
  return writeAspect(path, requestObject(request), changeType, context);
}

/** `PATCH …/{type}/{urn}/{aspect}`: the body is the patch itself. */
export function patchAspect(path: AspectPath, request: RestRequest, context: RestContext): RestAnswer {
  const body = request.json();
  const patch = isJsonList(body) ? { patch: body } : body;
  if (!isJsonObject(patch)) throw malformed("The body must be a patch");
  return writeAspect(path, { value: patch }, "PATCH", context);
}

function writeAspect(
  { type, urn, aspect }: AspectPath,
  part: JsonObject,
  changeType: ChangeType,
  context: RestContext,
): RestAnswer {
  urnOfType(type, urn);
  const proposal = aspectProposal(urn, aspect, part, changeType);
  applyProposals(context.store, [proposal], context);
  const body = { urn, [aspect]: writtenBody(proposal, false, context) };
  return { status: 200, body, headers: traceHeaders() };
}

/** `DELETE …/{type}/{urn}`: deletes the entity, or the named aspects, or with `clear` all aspects but its key. */
export function deleteEntity(
  type: string,
  urn: string,
  { query }: RestRequest,
  { store }: RestContext,
): RestAnswer {
  const entityType = urnOfType(type, urn).type;
  const aspects =
    query.get("clear") === "true"
      ? store.aspectNames(urn).filter((name) => name !== entityType.keyAspect)
      : listParameter(query, "aspects");
  if (aspects.length === 0 && query.get("clear") !== "true") store.deleteEntity(urn);
  else
    store.transaction(() =>
      aspects.forEach((aspect) => store.deleteAspect(urn, requireAspect(entityType, aspect))),
    );
  return { status: 200 };
}

/**
 * `DELETE …/{type}/{urn}/{aspect}`: deletes one aspect, or the entity if it is the key aspect. DataHub cannot delete structured
 * properties in this way.
 */
export function deleteAspect({ type, urn, aspect }: AspectPath, { store }: RestContext): RestAnswer {
  const entityType = urnOfType(type, urn).type;
  if (requireAspect(entityType, aspect) === entityType.keyAspect) store.deleteEntity(urn);
  else if (aspect === "structuredProperties")
    return { status: 500, body: { error: "Internal Server Error", message: `${aspect} cannot be deleted` } };
  else store.deleteAspect(urn, aspect);
  return { status: 200 };
}

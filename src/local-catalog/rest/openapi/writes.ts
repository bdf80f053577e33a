import { isJsonObject, type Json, type JsonObject } from "../../../model/json.ts";
import { applyProposals } from "../../proposals/apply.ts";
import { requireAspect } from "../../registry/entity-urn.ts";
import { aspectBody, aspectProposal, proposalsOf, urnOfType } from "./entity.ts";
import type { ChangeType, Proposal } from "../../proposals/proposal.ts";
import { malformed } from "../../errors.ts";
import { isTimeseries } from "../../registry/aspects.ts";
import { requestObject, type RestAnswer, type RestContext, type RestRequest } from "../exchange.ts";
import { traceHeaders } from "./trace.ts";

/** `POST …/{type}`: stores aspects of entities, all or none, before it answers; with `async`, the default, 202. */
export function postEntities(type: string, request: RestRequest, context: RestContext): RestAnswer {
  const flag = (name: string): boolean => request.query.get(name) === "true";
  const changeType = flag("createEntityIfNotExists")
    ? "CREATE_ENTITY"
    : flag("createIfNotExists")
      ? "CREATE"
      : "UPSERT";
  return writeEntities(proposalsOf(type, request.json(), changeType), request, context);
}

/** `PATCH …/{type}`: patches aspects of entities, all or none; with `async`, the default, the answer is empty. */
export function patchEntities(type: string, request: RestRequest, context: RestContext): RestAnswer {
  const answer = writeEntities(proposalsOf(type, request.json(), "PATCH"), request, context);
  return answer.status === 202 ? { ...answer, body: undefined } : answer;
}

function writeEntities(
  proposals: readonly Proposal[],
  { query }: RestRequest,
  context: RestContext,
): RestAnswer {
  const applied = applyProposals(context.store, proposals, context.now());
  const headers = traceHeaders();
  const byUrn = new Map<string, Record<string, Json>>();
  for (const { urn, aspect, value } of applied) {
    const entity = byUrn.get(urn) ?? { urn };
    entity[aspect] = written(urn, aspect, value, query.get("systemMetadata") === "true", context);
    byUrn.set(urn, entity);
  }
  const status = query.get("async") === "false" ? 200 : 202;
  return { status, body: [...byUrn.values()], headers };
}

function written(
  urn: string,
  aspect: string,
  sent: JsonObject,
  withSystemMetadata: boolean,
  { store }: RestContext,
): JsonObject {
  const stored = isTimeseries(aspect) ? undefined : store.latest(urn, aspect);
  return stored ? aspectBody(stored, withSystemMetadata) : { value: sent };
}

/** `POST …/{type}/{urn}/{aspect}`: by default it makes the aspect, and fails when that is there. */
export function postAspect(
  place: readonly [string, string, string],
  request: RestRequest,
  context: RestContext,
): RestAnswer {
  const flag = (name: string): string | null => request.query.get(name);
  const changeType =
    flag("createEntityIfNotExists") === "true" || flag("createIfEntityNotExists") === "true"
      ? "CREATE_ENTITY"
      : flag("createIfNotExists") === "false"
        ? "UPSERT"
        : "CREATE";
  return writeAspectAt(place, requestObject(request), changeType, context);
}

/** `PATCH …/{type}/{urn}/{aspect}`: the body is the patch itself. */
export function patchAspect(
  place: readonly [string, string, string],
  request: RestRequest,
  context: RestContext,
): RestAnswer {
  const body = request.json();
  const patch = Array.isArray(body) ? { patch: body as readonly Json[] } : body;
  if (!isJsonObject(patch)) throw malformed("The body is no patch");
  return writeAspectAt(place, { value: patch }, "PATCH", context);
}

function writeAspectAt(
  [type, urn, aspect]: readonly [string, string, string],
  part: JsonObject,
  changeType: ChangeType,
  context: RestContext,
): RestAnswer {
  urnOfType(type, urn);
  const proposal = aspectProposal(urn, aspect, part, changeType);
  applyProposals(context.store, [proposal], context.now());
  const body = { urn, [aspect]: written(urn, aspect, proposal.value, false, context) };
  return { status: 200, body, headers: traceHeaders() };
}

/** `DELETE …/{type}/{urn}`: the whole entity, or the aspects that are named, or with `clear` all but its key. */
export function deleteEntityAt(
  type: string,
  urn: string,
  { query }: RestRequest,
  { store }: RestContext,
): RestAnswer {
  const entityType = urnOfType(type, urn).type;
  const named = query
    .getAll("aspects")
    .flatMap((text) => text.split(","))
    .filter((name) => name !== "");
  const aspects =
    query.get("clear") === "true"
      ? store.aspectNames(urn).filter((name) => name !== entityType.keyAspect)
      : named;
  if (aspects.length === 0 && query.get("clear") !== "true") store.deleteEntity(urn);
  else
    store.transaction(() =>
      aspects.forEach((aspect) => store.deleteAspect(urn, requireAspect(entityType, aspect))),
    );
  return { status: 200 };
}

/** `DELETE …/{type}/{urn}/{aspect}`. */
export function deleteAspectAt(
  [type, urn, aspect]: readonly [string, string, string],
  { store }: RestContext,
): RestAnswer {
  const entityType = urnOfType(type, urn).type;
  if (requireAspect(entityType, aspect) === entityType.keyAspect) store.deleteEntity(urn);
  else store.deleteAspect(urn, aspect);
  return { status: 200 };
}

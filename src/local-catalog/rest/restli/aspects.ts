import type { Json, JsonObject } from "../../../model/json.ts";
import { applyProposals } from "../../proposals/apply.ts";
import { requireAspect, parseEntityUrn } from "../../registry/entity-urn.ts";
import { parseProposal } from "../../proposals/proposal.ts";
import { notFound, malformed } from "../../errors.ts";
import { classOfAspect } from "../../registry/aspects.ts";
import { requestObject, type RestAnswer, type RestContext, type RestRequest } from "../exchange.ts";

/** Applies one proposal. Whether it is asked to be asynchronous or not, it is stored before the answer. */
export function ingestProposal(request: RestRequest, context: RestContext): string {
  return ingest([requestObject(request)["proposal"]], context);
}

/** Applies all of a batch of proposals, or none. */
export function ingestProposalBatch(request: RestRequest, context: RestContext): string {
  const { proposals } = requestObject(request);
  if (!Array.isArray(proposals)) throw malformed('"proposals" is missing or no list');
  return ingest(proposals as readonly Json[], context);
}

function ingest(sent: readonly (Json | undefined)[], { store, now }: RestContext): string {
  applyProposals(store, sent.map(parseProposal), now());
  return "success";
}

/**
 * Reads one aspect at a version, under the name of its class. For DataHub's clients a key aspect that is there
 * is what tells that an entity exists.
 * @throws RequestError when it is not there.
 */
export function readAspect(urn: string, query: URLSearchParams, { store }: RestContext): RestAnswer {
  const { type } = parseEntityUrn(urn);
  const name = query.get("aspect");
  if (name === null) throw malformed('The parameter "aspect" is missing');
  const aspect = requireAspect(type, name);
  const version = versionOf(query.get("version") ?? "0");
  const value = store.valueAt(urn, aspect, version);
  if (!value) throw notFound(`Did not find urn: ${urn} aspect: ${aspect} version: ${version}`);
  return { status: 200, body: { version, aspect: { [classOfAspect(aspect) ?? aspect]: value } } };
}

function versionOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw malformed(`The version is no number: ${text}`);
  return Number(text);
}

/** The points in time of an aspect: none, since they are not stored. */
export function readTimeseries(request: RestRequest): JsonObject {
  const { urn, entity, aspect, limit } = requestObject(request);
  return { entityName: entity, aspectName: aspect, urn, limit, values: [] };
}

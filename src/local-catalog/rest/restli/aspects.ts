/** Reads aspects and entities, and applies proposals, over Rest.li. */

import { isJsonList, type Json, type JsonObject } from "../../../model/json.ts";
import { applyProposals } from "../../proposals/apply.ts";
import { requireAspect, parseEntityUrn } from "../../registry/entity-urn.ts";
import { parseProposal, type Proposal } from "../../proposals/proposal.ts";
import { malformed, notFound } from "../../errors.ts";
import type { StoredAspect } from "../../store/aspect-store.ts";
import { systemUser } from "../../store/audit.ts";
import { classOfAspect } from "../../registry/registry-data.ts";
import {
  requestObject,
  requireEdit,
  requireView,
  type RestResponse,
  type RestContext,
  type RestRequest,
} from "../exchange.ts";

/** Applies one proposal. Stores the result before responding, even if the client requests an asynchronous write. */
export function ingestProposal(request: RestRequest, context: RestContext): string {
  return ingest([parseProposal(requestObject(request)["proposal"])], context);
}

/** Applies a batch of proposals, either all or none. */
export function ingestProposalBatch(request: RestRequest, context: RestContext): string {
  const { proposals } = requestObject(request);
  if (!isJsonList(proposals)) throw malformed('"proposals" is missing or not a list');
  return ingest(proposals.map(parseProposal), context);
}

/** Applies the proposals that have an effect, either all or none. Returns Rest.li's result for success. */
export function ingest(sent: readonly (Proposal | undefined)[], context: RestContext): string {
  const proposals = sent.filter((proposal) => proposal !== undefined);
  requireEdit(
    proposals.map(({ urn }) => urn),
    context,
  );
  applyProposals(proposals, context);
  return "success";
}

/**
 * Reads one version of an aspect. The response contains the value under the aspect's class name. DataHub's clients read the key
 * aspect to check whether an entity exists.
 * @throws RequestError when the aspect does not exist.
 */
export function readAspect(urn: string, query: URLSearchParams, context: RestContext): RestResponse {
  const { store } = context;
  const { type } = parseEntityUrn(urn);
  requireView([urn], context, () => `User is unauthorized to get aspect for ${urn}`);
  const name = query.get("aspect");
  if (name === null) throw malformed('The parameter "aspect" is missing');
  const aspect = requireAspect(type, name);
  const version = versionOf(query.get("version") ?? "0");
  const value = store.valueAt(urn, aspect, version);
  if (!value) throw notFound(`Did not find urn: ${urn} aspect: ${aspect} version: ${version}`);
  return { status: 200, body: { version, aspect: { [classOfAspect(aspect) ?? aspect]: value } } };
}

function versionOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw malformed(`The version is not a number: ${text}`);
  return Number(text);
}

/**
 * Reads all of an entity's aspects, or only the aspects in `aspects=List(a,b)`. By default, includes the key aspect, and derives
 * it from the URN if the entity does not exist (EntityServiceImpl, alwaysIncludeKeyAspect).
 */
export function readEntity(urn: string, query: URLSearchParams, context: RestContext): RestResponse {
  const { store } = context;
  const { type, key } = parseEntityUrn(urn);
  requireView([urn], context, () => `User is unauthorized to get entity ${urn}`);
  const names = /^List\((.*)\)$/s.exec(query.get("aspects") ?? "")?.[1] ?? "";
  const wanted = names === "" ? undefined : new Set([...names.split(","), type.keyAspect]);
  const aspects: Record<string, Json> = {};
  if (query.get("alwaysIncludeKeyAspect") !== "false")
    aspects[type.keyAspect] = envelope(type.keyAspect, {
      value: key,
      created: { time: 0, actor: systemUser },
    });
  for (const [name, stored] of store.latestOf(urn))
    if (!wanted || wanted.has(name)) aspects[name] = envelope(name, stored);
  return { status: 200, body: { urn, entityName: type.name, aspects } };
}

function envelope(name: string, content: JsonObject | StoredAspect): JsonObject {
  return { name, type: "VERSIONED", version: 0, ...content };
}

/** Answers a request for timeseries values with an empty list, because the catalog does not store timeseries. */
export function readTimeseries(request: RestRequest): JsonObject {
  const { urn, entity, aspect, limit } = requestObject(request);
  return { entityName: entity, aspectName: aspect, urn, limit, values: [] };
}

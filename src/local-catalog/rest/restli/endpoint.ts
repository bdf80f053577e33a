/** Routes requests to DataHub's Rest.li resources, and converts errors to Rest.li responses. */

import { ingestProposal, ingestProposalBatch, readAspect, readEntity, readTimeseries } from "./aspects.ts";
import {
  deleteEntity,
  deleteReferences,
  ingestSnapshot,
  ingestSnapshotBatch,
  searchEntities,
} from "./entities.ts";
import {
  withErrorResponses,
  decodedPart,
  type RestResponse,
  type RestContext,
  type RestRequest,
} from "../exchange.ts";

/**
 * Handles an action on a Rest.li resource: `POST /resource?action=name`. The response contains the result under the key `value`.
 */
type Action = (request: RestRequest, context: RestContext) => RestResponse["body"];

const actions: Readonly<Record<string, Action>> = {
  "/aspects ingestProposal": ingestProposal,
  "/aspects ingestProposalBatch": ingestProposalBatch,
  "/aspects getTimeseriesAspectValues": readTimeseries,
  "/entities delete": deleteEntity,
  "/entities deleteReferences": deleteReferences,
  "/entities ingest": ingestSnapshot,
  "/entities batchIngest": ingestSnapshotBatch,
  "/entities search": searchEntities,
  "/operations restoreIndices": () => "Nothing to restore: the local catalog has no search indices.",
};

const errorStatus = {
  malformed: 400,
  unparsableUrn: 500,
  unknownAspect: 422,
  invalid: 422,
  precondition: 422,
  forbidden: 403,
  notFound: 404,
} as const;

/**
 * Answers a request to one of DataHub's Rest.li resources. Returns undefined for any other path
 * (metadata-service/restli-servlet-impl AspectResource.java, EntityResource.java, EntityV2Resource.java).
 */
export function answerRestli(request: RestRequest, context: RestContext): RestResponse | undefined {
  return withErrorResponses(
    () => route(request, context),
    (error) => failure("reason" in error ? errorStatus[error.reason] : error.status, error.message),
  );
}

function route(request: RestRequest, context: RestContext): RestResponse | undefined {
  const { method, path, query } = request;
  const [, resource = "", key] = /^(\/[^/]+)(?:\/(.+))?$/.exec(path) ?? [];
  if (resource === "/aspects" && key !== undefined && method === "GET")
    return readAspect(decodedPart(key), query, context);
  if (resource === "/entitiesV2" && key !== undefined && method === "GET")
    return readEntity(decodedPart(key), query, context);
  const name = query.get("action");
  const action = key === undefined ? actions[`${resource} ${name ?? ""}`] : undefined;
  if (action && method === "POST") return { status: 200, body: { value: action(request, context) ?? null } };
  if (!resources.has(resource)) return undefined;
  if (action) return failure(405, `Request method '${method}' is not supported.`);
  return failure(
    name === null ? 404 : 400,
    `The local catalog does not support the action '${name ?? ""}' on ${resource}.`,
  );
}

const resources: ReadonlySet<string> = new Set(["/aspects", "/entities", "/entitiesV2", "/operations"]);

function failure(status: number, message: string): RestResponse {
  return {
    status,
    body: { exceptionClass: "com.linkedin.restli.server.RestLiServiceException", message, status },
    headers: { "X-RestLi-Error-Response": "true", "X-RestLi-Protocol-Version": "2.0.0" },
  };
}

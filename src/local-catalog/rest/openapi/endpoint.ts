/** Routes requests to DataHub's OpenAPI interface, and converts errors to OpenAPI responses. */

import { aspectReads, batchGetV2, entityReads, getRelationships, scroll, typeReads } from "./reads.ts";
import { aspectWrites, entityWrites, typeWrites } from "./writes.ts";
import { entityTypeNamed } from "../../registry/entity-types.ts";
import {
  withErrorResponses,
  decodedPart,
  requestObject,
  type RestResponse,
  type RestContext,
  type RestRequest,
} from "../exchange.ts";
import type { AspectPath, EntityPath, Handlers, TypePath } from "./entity.ts";
import { getSpecifications, specificationsPath } from "./specifications.ts";
import { traceWrite } from "./trace.ts";

const errorStatus = {
  malformed: [400, "Bad Request"],
  unparsableUrn: [400, "Bad Request"],
  invalid: [400, "Validation Error"],
  precondition: [412, "Precondition Error"],
} as const;

/**
 * Answers a request to DataHub's OpenAPI interface. Returns undefined for any other path (metadata-service openapi-servlet,
 * GenericEntitiesController.java, v3 EntityController.java, GlobalControllerExceptionHandler.java).
 */
export function answerOpenApi(request: RestRequest, context: RestContext): RestResponse | undefined {
  return withErrorResponses(
    () => route(request, context),
    (error) => {
      if (!("reason" in error)) return failure(error.status, "Insufficient Storage", error.message);
      if (error.reason === "notFound" || error.reason === "unknownAspect")
        return { status: 404, headers: { "Not-Found-Reason": "ENTITY" } };
      if (error.reason === "forbidden") return { status: 403, body: { error: error.message } };
      const [status, reason] = errorStatus[error.reason];
      return failure(status, reason, error.message);
    },
  );
}

function failure(status: number, error: string, message: string): RestResponse {
  return { status, body: { error, message, status } };
}

const ofType: Handlers<TypePath> = { ...typeReads, ...typeWrites };
const ofEntity: Handlers<EntityPath> = { ...entityReads, ...entityWrites };
const ofAspect: Handlers<AspectPath> = { ...aspectReads, ...aspectWrites };

function route(request: RestRequest, context: RestContext): RestResponse | undefined {
  const { method, path } = request;
  if (path === "/openapi/relationships/v1" && method === "GET") return getRelationships(request, context);
  if (path === specificationsPath && method === "GET") return getSpecifications(request);
  if (path.startsWith("/openapi/v1/trace/write/") && method === "POST") return traceWrite(request, context);
  const [, olderType] = /^\/openapi\/v2\/entity\/batch\/([^/]+)$/.exec(path) ?? [];
  if (olderType !== undefined && method === "POST")
    return batchGetV2(decodedPart(olderType), request, context);
  const [, encodedType, rest] = /^\/openapi\/v3\/entity\/([^/]+)(?:\/(.+))?$/.exec(path) ?? [];
  if (encodedType === undefined) return undefined;
  const type = decodedPart(encodedType);
  if (rest === undefined && type === "scroll" && method === "POST")
    return scroll(requestObject(request), request, context);
  const action = method === "POST" && rest === "batchGet" ? "batchGet" : method;
  if (rest === undefined || action === "batchGet")
    return (ofType[action] ?? notSupported)({ type }, request, context);
  const [urn, aspect] = splitPath(type, rest);
  return aspect === undefined
    ? (ofEntity[method] ?? notSupported)({ type, urn }, request, context)
    : (ofAspect[method] ?? notSupported)({ type, urn, aspect }, request, context);
}

// An unencoded URN can contain slashes. The last segment is therefore treated as an aspect only if the entity type has such an
// aspect, or if there is no other slash.
function splitPath(type: string, rest: string): [urn: string, aspect?: string] {
  const slash = rest.lastIndexOf("/");
  if (slash < 0) return [decodedPart(rest)];
  const aspect = decodedPart(rest.slice(slash + 1));
  const isAspect = entityTypeNamed(type)?.aspects.has(aspect) === true || rest.indexOf("/") === slash;
  return isAspect ? [decodedPart(rest.slice(0, slash)), aspect] : [decodedPart(rest)];
}

function notSupported(_path: TypePath, { method }: RestRequest): RestResponse {
  return failure(405, "Method Not Allowed", `Request method '${method}' is not supported.`);
}

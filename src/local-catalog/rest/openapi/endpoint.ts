import {
  batchGet,
  batchGetV2,
  getAspect,
  getEntity,
  getRelationships,
  headAspect,
  headEntity,
  scroll,
} from "./reads.ts";
import {
  deleteAspect,
  deleteEntity,
  patchAspect,
  patchEntities,
  postAspect,
  postEntities,
} from "./writes.ts";
import { RequestError } from "../../errors.ts";
import { entityTypeNamed } from "../../registry/entity-types.ts";
import {
  decodedPart,
  requestObject,
  type RestAnswer,
  type RestContext,
  type RestRequest,
} from "../exchange.ts";
import { storageFault } from "../storage-fault.ts";
import { traceWrite } from "./trace.ts";

const errorStatus = {
  malformed: [400, "Bad Request"],
  unparsableUrn: [400, "Bad Request"],
  invalid: [400, "Validation Error"],
  precondition: [412, "Precondition Error"],
} as const;

/**
 * Answers a request to DataHub's OpenAPI interface; undefined for any other path (metadata-service openapi-servlet,
 * GenericEntitiesController.java, v3 EntityController.java, GlobalControllerExceptionHandler.java).
 */
export function answerOpenApi(request: RestRequest, context: RestContext): RestAnswer | undefined {
  try {
    return route(request, context);
  } catch (error) {
    if (error instanceof RequestError) return failure(error);
    const fault = storageFault(error);
    if (fault)
      return { status: fault.status, body: { error: "Insufficient Storage", message: fault.message } };
    throw error;
  }
}

function failure({ reason, message }: RequestError): RestAnswer {
  if (reason === "notFound" || reason === "unknownAspect")
    return { status: 404, headers: { "Not-Found-Reason": "ENTITY" } };
  const [status, error] = errorStatus[reason];
  return { status, body: { error, message, status } };
}

function route(request: RestRequest, context: RestContext): RestAnswer | undefined {
  const { method, path } = request;
  if (path === "/openapi/relationships/v1" && method === "GET") return getRelationships(request, context);
  if (path.startsWith("/openapi/v1/trace/write/") && method === "POST") return traceWrite(request, context);
  const [, olderType] = /^\/openapi\/v2\/entity\/batch\/([^/]+)$/.exec(path) ?? [];
  if (olderType !== undefined && method === "POST")
    return batchGetV2(decodedPart(olderType), request, context);
  const [, type, rest] = /^\/openapi\/v3\/entity\/([^/]+)(?:\/(.+))?$/.exec(path) ?? [];
  if (type === undefined) return undefined;
  if (rest === undefined) return routeOfType(decodedPart(type), request, context);
  if (rest === "batchGet" && method === "POST") return batchGet(decodedPart(type), request, context);
  return routeOfUrn(decodedPart(type), rest, request, context);
}

function routeOfType(type: string, request: RestRequest, context: RestContext): RestAnswer {
  if (request.method === "POST" && type === "scroll") {
    const body = requestObject(request);
    const types = Array.isArray(body["entities"]) ? body["entities"].map(String) : [];
    return scroll(types, request, body, context);
  }
  if (request.method === "POST") return postEntities(type, request, context);
  if (request.method === "PATCH") return patchEntities(type, request, context);
  if (request.method === "GET") return scroll([type], request, { aspects: [] }, context);
  return notSupported(request);
}

function routeOfUrn(type: string, rest: string, request: RestRequest, context: RestContext): RestAnswer {
  const [urn, aspect] = splitPath(type, rest);
  const { method } = request;
  if (aspect === undefined) {
    if (method === "GET") return getEntity(type, urn, request, context);
    if (method === "HEAD") return headEntity(type, urn, context);
    if (method === "DELETE") return deleteEntity(type, urn, request, context);
    return notSupported(request);
  }
  const path = { type, urn, aspect };
  if (method === "GET") return getAspect(path, request, context);
  if (method === "HEAD") return headAspect(path, context);
  if (method === "POST") return postAspect(path, request, context);
  if (method === "PATCH") return patchAspect(path, request, context);
  if (method === "DELETE") return deleteAspect(path, context);
  return notSupported(request);
}

// A URN that is not encoded can contain slashes. So the last part is an aspect only if the type has it, or if there is
// no other slash.
function splitPath(type: string, rest: string): [urn: string, aspect?: string] {
  const slash = rest.lastIndexOf("/");
  if (slash < 0) return [decodedPart(rest)];
  const aspect = decodedPart(rest.slice(slash + 1));
  const isAspect = entityTypeNamed(type)?.aspects.has(aspect) === true || rest.indexOf("/") === slash;
  return isAspect ? [decodedPart(rest.slice(0, slash)), aspect] : [decodedPart(rest)];
}

function notSupported({ method }: RestRequest): RestAnswer {
  const message = `Request method '${method}' is not supported.`;
  return { status: 405, body: { error: "Method Not Allowed", message, status: 405 } };
}

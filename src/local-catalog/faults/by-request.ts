/** Routes reads to a separate router, and refuses requests for too many entities. */

import { classifyRequest, type ClassifiedRequest } from "./request.ts";
import { isJsonObject, type Json } from "../../model/json.ts";
import { isJsonList, parseJson } from "../json.ts";
import { sendResponse } from "../rest/exchange.ts";
import { readBody, replayRequest } from "../http/body.ts";
import { pathOf, refuseBody, type RequestRouter } from "../http/router.ts";

/** Creates a router that passes reads to one router, and all other requests to another. */
export function routeReads(reads: RequestRouter, others: RequestRouter): RequestRouter {
  return byRequest(({ kind }) => (kind === "reads" ? reads : others));
}

/**
 * Creates a router that answers requests for more than `max` entities with 504, as a gateway with a short timeout does. It passes
 * on all smaller requests.
 */
export function withMaxBatch(max: number, route: RequestRouter): RequestRouter {
  return byRequest((seen, body) => (entitiesIn(seen, body) > max ? timedOut : route));
}

const timedOut: RequestRouter = async (_, response) =>
  sendResponse(response, { status: 504, body: { status: 504, message: "Gateway Timeout" } });

function byRequest(choose: (seen: ClassifiedRequest, body: string) => RequestRouter): RequestRouter {
  return async (request, response) => {
    const body = await readBody(request);
    if (!body) return refuseBody(response);
    const text = body.toString("utf8");
    return await choose(classifyRequest(request, pathOf(request), text), text)(
      replayRequest(request, body),
      response,
    );
  };
}

/**
 * Counts the entities in a request. For GraphQL, returns the greatest of three numbers: the length of the longest list in the
 * variables, the fields in a mutation, and the uses of one query field under numbered aliases. For REST, counts the entities or
 * proposals in the body.
 */
function entitiesIn({ kind, fields }: ClassifiedRequest, body: string): number {
  const sent = jsonIn(body);
  if (fields.length === 0) return lengthOf(isJsonObject(sent) ? sent["proposals"] : sent);
  const variables = isJsonObject(sent) && isJsonObject(sent["variables"]) ? sent["variables"] : {};
  const numbered = fields.filter(({ key }) => /\d/.test(key)).map(({ name }) => name);
  const ofOneField = numbered.map((name) => numbered.filter((each) => each === name).length);
  return Math.max(
    ...Object.values(variables).map(lengthOf),
    ...(kind === "writes" ? [fields.length] : ofOneField),
  );
}

function lengthOf(value: Json | undefined): number {
  return isJsonList(value) ? value.length : 1;
}

function jsonIn(body: string): Json | undefined {
  try {
    return body === "" ? undefined : parseJson(body, "The body");
  } catch {
    return undefined;
  }
}

/** Routes reads to a separate router, and rejects requests for too many entities. */

import { classifyRequest, type ClassifiedRequest } from "./request.ts";
import { isJsonList, isJsonObject, type Json } from "../../model/json.ts";
import { parseJson } from "../json.ts";
import { sendResponse } from "../rest/exchange.ts";
import { readBody, replayRequest } from "../http/body.ts";
import { pathOf, refuseBody, type RequestRouter } from "../http/router.ts";

/** Creates a router that passes reads to `reads` and all other requests to `others`. */
export function routeReads(reads: RequestRouter, others: RequestRouter): RequestRouter {
  return byRequest(({ kind }) => (kind === "reads" ? reads : others));
}

/**
 * Creates a router that answers requests for more than `max` entities with 504, like a gateway with a short timeout. All other
 * requests are passed to `route`.
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
 * Estimates how many entities a request reads or writes. For GraphQL, returns the largest of these numbers: the length of the
 * longest list among the variables, the number of fields in a mutation, and how often a query selects the same field under
 * aliases that contain a digit. For REST, counts the entities or proposals in the body.
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

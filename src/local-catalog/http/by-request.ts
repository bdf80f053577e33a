import { seenRequest, type SeenRequest } from "../faults/request.ts";
import { groupBy } from "../../model/group-by.ts";
import { isJsonObject, type Json } from "../../model/json.ts";
import { isJsonList, parseJson } from "../json.ts";
import { answer } from "../rest/exchange.ts";
import { readBody, replayed } from "./body.ts";
import { pathOf, refuseBody, type RequestRouter } from "./router.ts";

/** A router that answers what reads by one router, and all else by another. */
export function readsBy(reads: RequestRouter, others: RequestRouter): RequestRouter {
  return byRequest(({ kind }) => (kind === "reads" ? reads : others));
}

/** A router before another one that answers 504 to requests for more entities, and does not pass them on, as a gateway does that waits no longer. */
export function withMaxBatch(most: number, route: RequestRouter): RequestRouter {
  return byRequest((seen, body) => (entitiesIn(seen, body) > most ? timedOut : route));
}

const timedOut: RequestRouter = async (_, response) =>
  answer(response, { status: 504, body: { status: 504, message: "Gateway Timeout" } });

function byRequest(choose: (seen: SeenRequest, body: string) => RequestRouter): RequestRouter {
  return async (request, response) => {
    const body = await readBody(request);
    if (!body) return refuseBody(response);
    const text = body.toString("utf8");
    return await choose(seenRequest(request, pathOf(request), text), text)(replayed(request, body), response);
  };
}

/**
 * How many entities a request is about: of GraphQL the longest list of its variables, or how often it has one field under numbered
 * aliases; all fields of a mutation; of REST the entities or proposals of its body.
 */
function entitiesIn({ kind, fields }: SeenRequest, body: string): number {
  const sent = jsonIn(body);
  if (fields.length === 0) return lengthOf(isJsonObject(sent) ? sent["proposals"] : sent);
  const variables = isJsonObject(sent) && isJsonObject(sent["variables"]) ? sent["variables"] : {};
  const numbered = fields.filter(({ key }) => /\d/.test(key));
  const ofOneField = [...groupBy(numbered, ({ name }) => name).values()].map(({ length }) => length);
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

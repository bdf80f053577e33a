/** Creates trace headers for writes, and reports the state of the written aspects. */

import { randomBytes } from "node:crypto";
import type { Json, JsonObject } from "../../../model/json.ts";
import { isTimeseries } from "../../registry/registry-data.ts";
import { requestObject, type RestResponse, type RestContext, type RestRequest } from "../exchange.ts";
import { stringsAt } from "../../json.ts";

/** Creates the response header that lets a client request the result of its write. */
export function traceHeaders(): Readonly<Record<string, string>> {
  return { traceparent: `00-${randomBytes(16).toString("hex")}-${randomBytes(8).toString("hex")}-00` };
}

/**
 * Answers `POST /openapi/v1/trace/write/{id}` with the state of the written aspects. The catalog stores every write before it
 * responds, so the state of every existing aspect is active (metadata-io TraceServiceImpl.java).
 */
export function traceWrite(request: RestRequest, { store }: RestContext): RestResponse {
  const sent = requestObject(request);
  const onlyErrors = request.query.get("onlyIncludeErrors") !== "false";
  const entities = Object.keys(sent).map((urn): [string, JsonObject] => {
    const states = stringsAt(sent, urn).map((aspect): [string, JsonObject] => [
      aspect,
      stateOf(isTimeseries(aspect) || store.has(urn, aspect)),
    ]);
    const shown = states.filter(([, { success }]) => !onlyErrors || success !== true);
    return [urn, Object.fromEntries(shown)];
  });
  const body = entities.filter(([, states]) => !onlyErrors || Object.keys(states).length > 0);
  return { status: 200, body: Object.fromEntries<Json>(body) };
}

function stateOf(exists: boolean): JsonObject {
  const writeStatus = exists ? "ACTIVE_STATE" : "NOT_FOUND";
  return { success: exists, primaryStorage: { writeStatus }, searchStorage: { writeStatus } };
}

/** Injects faults into a router's responses (latency, rate limits, error statuses, broken connections), and counts requests. */

import { STATUS_CODES, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { graphqlPath } from "../graphql/endpoint.ts";
import { readBody, replayRequest } from "../http/body.ts";
import { pathOf, refuseBody, type RequestRouter } from "../http/router.ts";
import { sendResponse } from "../rest/exchange.ts";
import { type DrawnFault, type DrawnFaultOf, drawFaults, faultsNamed } from "./draw-faults.ts";
import type { FaultReport } from "./report.ts";
import { classifyRequest } from "./request.ts";
import type { FaultSettings } from "./settings.ts";

/** The path that serves the report about requests and faults. */
export const reportPath = "/faults";

const unaffected: ReadonlySet<string> = new Set([reportPath, "/health"]);

interface HttpFaults {
  readonly settings: FaultSettings;
  readonly report: FaultReport;
  /** Connections that stay open without a response until the client closes them. */
  readonly hanging: Set<Socket>;
  /** Runs `handle` with the drawn faults in effect. */
  readonly carryOut: (drawn: readonly DrawnFault[], handle: () => Promise<void>) => Promise<void>;
}

/** Adds faults to a router. Faults never affect `/health` or the report. */
export function faultyRouter(route: RequestRouter, faults: HttpFaults): RequestRouter {
  const { settings, report } = faults;
  const waitOf = rateLimit(settings.requests_per_second ?? Number.POSITIVE_INFINITY);
  let arrivals = 0;
  return async (request, response) => {
    const path = pathOf(request);
    if (unaffected.has(path)) return route(request, response);
    // Requests are numbered when they arrive, not when their bodies are complete.
    arrivals += 1;
    const number = arrivals;
    const body = await readBody(request);
    if (!body) return refuseBody(response);
    const again = replayRequest(request, body);
    const seen = classifyRequest(request, path, body.toString("utf8"));
    report.requests[seen.kind] += 1;
    const wait = waitOf(performance.now());
    if (wait !== undefined) {
      report.refused_by_rate_limit += 1;
      return refuse(response, 429, Math.ceil(wait / 1_000));
    }
    return answerWith(drawFaults(number, seen, settings, report), faults, response, async () => {
      await route(again, response);
      const isRestWrite = seen.kind === "writes" && path !== graphqlPath;
      if (isRestWrite && response.statusCode < 300) report.writes.rest += 1;
    });
  };
}

/**
 * Creates a rate limiter that allows at most `perSecond` requests in any one-second period. The returned function accepts a
 * request's arrival time in milliseconds, and returns how many milliseconds the client has to wait, or undefined if the request
 * is allowed. Refused requests do not count toward the limit.
 */
export function rateLimit(perSecond: number): (time: number) => number | undefined {
  const allowed: number[] = [];
  return (time) => {
    while (allowed[0] !== undefined && allowed[0] <= time - 1_000) allowed.shift();
    const [oldest] = allowed;
    if (oldest !== undefined && allowed.length >= perSecond) return oldest + 1_000 - time;
    allowed.push(time);
    return undefined;
  };
}

async function answerWith(
  drawn: readonly DrawnFault[],
  { hanging, carryOut }: HttpFaults,
  response: ServerResponse,
  handle: () => Promise<void>,
): Promise<void> {
  for (const { fault, inject } of faultsNamed(drawn, "latency")) {
    inject();
    // `ref: false` prevents this wait from keeping the process alive.
    await pause(fault.milliseconds, undefined, { ref: false });
  }
  const before = breakageOf(drawn, "before");
  if (before) return breakAnswer(before, response, hanging);
  const after = breakageOf(drawn, "after");
  if (!after) return carryOut(drawn, handle);
  const body = await bufferResponse(response, () => carryOut(drawn, handle));
  breakAnswer(after, response, hanging, body);
}

/** A drawn fault that replaces the response. */
type Breakage = DrawnFaultOf<"status" | "reset" | "hang" | "truncated_body">;

/** Returns the first drawn fault that replaces the response either before or after the catalog carries out the request. */
function breakageOf(drawn: readonly DrawnFault[], when: "before" | "after"): Breakage | undefined {
  return drawn.find((each): each is Breakage => momentOf(each.fault) === when);
}

function momentOf(fault: DrawnFault["fault"]): "before" | "after" | undefined {
  if (fault.fault === "truncated_body") return "after";
  if (fault.fault === "status" || fault.fault === "reset" || fault.fault === "hang")
    return fault.when ?? "before";
  return undefined;
}

/**
 * Carries out a fault instead of sending the response. `body` is the body of the original response, if the catalog carried out
 * the request.
 */
function breakAnswer(
  { fault, inject }: Breakage,
  response: ServerResponse,
  hanging: Set<Socket>,
  body: Uint8Array = new Uint8Array(),
): void {
  const { socket } = response;
  // The socket is null if the client has already closed the connection.
  if (!socket) return;
  if (fault.fault === "truncated_body" && body.length === 0) return void response.end();
  inject();
  if (fault.fault === "reset") socket.resetAndDestroy();
  else if (fault.fault === "hang") hanging.add(socket.once("close", () => hanging.delete(socket)));
  else if (fault.fault === "status") refuse(response, fault.status, fault.retry_after);
  else response.write(body.subarray(0, body.length / 2), () => socket.destroy());
}

function refuse(response: ServerResponse, status: number, retryAfter?: number): void {
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  const error = status === 429 ? "Rate limit exceeded" : (STATUS_CODES[status] ?? "");
  const headers = retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
  sendResponse(response, { status, body: { error, status }, headers });
}

/**
 * Handles a request without sending the response. Sets the response's status and headers, and resolves with the complete body.
 */
async function bufferResponse(response: ServerResponse, handle: () => Promise<void>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown): void => {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  response.writeHead = (status: number, ...rest: readonly unknown[]) => {
    response.statusCode = status;
    for (const [name, value] of Object.entries(rest.at(-1) ?? {})) response.setHeader(name, value);
    return response;
  };
  response.write = (chunk: unknown) => {
    keep(chunk);
    return true;
  };
  const ended = new Promise<void>((resolve) => {
    response.end = (chunk?: unknown) => {
      keep(chunk);
      resolve();
      return response;
    };
  });
  try {
    await Promise.all([handle(), ended]);
  } finally {
    // The replacements shadow the methods of the prototype, so deleting them restores the original methods.
    for (const name of ["writeHead", "write", "end"]) Reflect.deleteProperty(response, name);
  }
  return Buffer.concat(chunks);
}

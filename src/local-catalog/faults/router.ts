import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { graphqlPath } from "../graphql/endpoint.ts";
import { readBody, replayed } from "../http/body.ts";
import { pathOf, refuseBody, type RequestRouter } from "../http/router.ts";
import { breakAnswer, breakageOf, type HangingConnections, refuse } from "./breakage.ts";
import type { Counts } from "./counts.ts";
import { named, type Drawn } from "./drawn.ts";
import { rateLimit } from "./rate-limit.ts";
import { seenRequest, type SeenRequest } from "./request.ts";
import { withheld } from "./withheld.ts";

/** The path of the counts. */
export const reportPath = "/faults";

const unaffected: ReadonlySet<string> = new Set([reportPath, "/health"]);

/** What the faults of HTTP need. */
export interface HttpFaults {
  readonly requestsPerSecond: number | undefined;
  readonly counts: Counts;
  readonly hanging: HangingConnections;
  /** The faults of the request with this number, from 1. */
  readonly draw: (request: SeenRequest, number: number) => readonly Drawn[];
  /** Carries a request out that has these faults. */
  readonly carryOut: (drawn: readonly Drawn[], handle: () => Promise<void>) => Promise<void>;
}

/** Puts faults before a router. `/health` and the counts have none. */
export function faultyRouter(route: RequestRouter, faults: HttpFaults): RequestRouter {
  const { requestsPerSecond, counts } = faults;
  const waitOf = requestsPerSecond === undefined ? () => undefined : rateLimit(requestsPerSecond);
  return async (request, response) => {
    const path = pathOf(request);
    if (unaffected.has(path)) return route(request, response);
    // The order in which requests arrive decides, not that in which their bodies are complete.
    const number = counts.arrived();
    const body = await readBody(request);
    if (!body) return refuseBody(response);
    const again = replayed(request, body);
    const seen = seenRequest(request, path, body.toString("utf8"));
    counts.seen(seen);
    const wait = waitOf(performance.now());
    if (wait !== undefined) {
      counts.refused();
      return refuse(response, 429, Math.ceil(wait / 1_000));
    }
    return answerWith(faults.draw(seen, number), faults, response, async () => {
      await route(again, response);
      const isRestWrite = seen.kind === "writes" && path !== graphqlPath;
      if (isRestWrite && response.statusCode < 300) counts.wrote("rest");
    });
  };
}

async function answerWith(
  drawn: readonly Drawn[],
  { hanging, carryOut }: HttpFaults,
  response: ServerResponse,
  handle: () => Promise<void>,
): Promise<void> {
  for (const { fault, inject } of named(drawn, "latency")) {
    inject();
    // An end of the process does not wait for it.
    await pause(fault.milliseconds, undefined, { ref: false });
  }
  const before = breakageOf(drawn, "before");
  if (before) return breakAnswer(before, response, hanging);
  const after = breakageOf(drawn, "after");
  if (!after) return carryOut(drawn, handle);
  const body = await withheld(response, () => carryOut(drawn, handle));
  breakAnswer(after, response, hanging, body);
}

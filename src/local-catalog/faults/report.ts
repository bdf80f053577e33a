/** Defines the report about requests and faults that `GET /faults` returns, and creates an empty report. */

import type { JsonObject } from "../../model/json.ts";
import type { FaultSettings } from "./settings.ts";

/** Counts of requests and faults. The keys are part of the public interface. */
export interface FaultReport {
  readonly seed: number;
  /** Numbers of requests that the catalog has received completely, including failed requests. */
  readonly requests: { reads: number; writes: number };
  refused_by_rate_limit: number;
  /** The configured faults, each with the number of requests that the fault affected. */
  readonly faults: readonly (JsonObject & { injected: number })[];
  /** Numbers of successful GraphQL mutations and successful REST writes. */
  readonly writes: { mutations: number; rest: number };
  /** The largest number of mutations that overlapped on one entity, each between its read and its write, and the entity's URN. */
  overlapping_writes: { readonly greatest: number; readonly urn: string | null };
  /** Number of mutations that overwrote a value that had changed since they read it. */
  lost_updates: number;
}

/** Creates the report for a catalog that has not received any requests. */
export function emptyReport({ seed = 1, faults = [] }: FaultSettings): FaultReport {
  return {
    seed,
    requests: { reads: 0, writes: 0 },
    refused_by_rate_limit: 0,
    faults: faults.map((fault) => ({ ...fault, injected: 0 })),
    writes: { mutations: 0, rest: 0 },
    overlapping_writes: { greatest: 0, urn: null },
    lost_updates: 0,
  };
}

/** Defines the report about requests and faults that `GET /faults` returns, and creates an empty report. */

import type { JsonObject } from "../../model/json.ts";
import type { FaultSettings } from "./settings.ts";

/** Counts requests and faults. Its keys are public. */
export interface FaultReport {
  readonly seed: number;
  /** Requests that the catalog has read, including failed ones. */
  readonly requests: { reads: number; writes: number };
  refused_by_rate_limit: number;
  /** The configured faults, each with the number of requests that it affected. */
  readonly faults: readonly (JsonObject & { injected: number })[];
  /** GraphQL mutations and REST requests that carried out their writes. */
  readonly writes: { mutations: number; rest: number };
  /** The most mutations that were between read and write of the same entity at once, and that entity. */
  overlapping_writes: { readonly greatest: number; readonly urn: string | null };
  /** Mutations that replaced another value than they had read. */
  lost_updates: number;
}

/** Creates the report that a catalog has before its first request. */
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

import { createBatchSize } from "../../../src/datahub/http/batch-size.ts";
import type { Run } from "../../../src/sync/write/run-state.ts";

/** What the traffic of a run says of the server. */
export interface Traffic {
  readonly lost?: boolean;
  readonly silent?: boolean;
}

/** A run that has begun, of which only the state matters. */
export function runOf(more: Partial<Run> = {}, { lost = false, silent = false }: Traffic = {}): Run {
  const state = {
    writer: { traffic: { isLost: () => lost, isSilent: () => silent } },
    signal: undefined,
    provenance: undefined,
    writes: undefined,
    edited: new Map(),
    moved: new Set(),
    created: new Set(),
    maybeCreated: new Set(),
    outcomes: new Map(),
    roots: new Map(),
    pendingLocks: new Set(),
    deferred: new Map(),
    inDoubt: new Map(),
    finalChecks: new Map(),
    size: createBatchSize(),
    looks: { next: async () => false },
    sendAlone: new Set(),
    tries: new Map(),
    stopped: undefined,
  };
  return { ...(state as unknown as Run), ...more };
}

import type { JsonObject } from "../../model/json.ts";
import type { SeenRequest } from "./request.ts";
import type { FaultSettings } from "./settings.ts";

/** What `GET /faults` answers. Its keys are public. */
export interface FaultReport extends JsonObject {
  readonly seed: number;
  /** Those that arrived, whatever became of them. */
  readonly requests: { readonly reads: number; readonly writes: number };
  readonly refused_by_rate_limit: number;
  /** The faults of the file, with the number of requests that had each. */
  readonly faults: readonly (JsonObject & { readonly injected: number })[];
  /** GraphQL mutations and REST requests that wrote what they were asked to. */
  readonly writes: { readonly mutations: number; readonly rest: number };
  /** The most mutations that were between their read and their write of one entity at once, and that entity. */
  readonly overlapping_writes: { readonly greatest: number; readonly urn: string | null };
  /** Mutations that replaced a value other than the one that they had read. */
  readonly lost_updates: number;
}

/** Counts what a catalog with faults does. */
export interface Counts {
  /** Counts a request that arrived, and returns its number, from 1. */
  arrived(): number;
  seen(request: SeenRequest): void;
  refused(): void;
  /** Counts a request that has the fault at this index. */
  injected(index: number): void;
  wrote(by: "mutations" | "rest"): void;
  lostUpdate(): void;
  /** Marks entities as being written; the returned function ends that. */
  writing(urns: ReadonlySet<string>): () => void;
  report(): FaultReport;
}

/** Counts from zero. */
export function countsOf(seed: number, { faults = [] }: FaultSettings): Counts {
  let arrivals = 0;
  let refusals = 0;
  let lostUpdates = 0;
  const requests = { reads: 0, writes: 0 };
  const writes = { mutations: 0, rest: 0 };
  const injections = faults.map(() => 0);
  const overlaps = overlapsOf();
  return {
    arrived: () => (arrivals += 1),
    seen: ({ kind }) => void (requests[kind] += 1),
    refused: () => void (refusals += 1),
    injected: (index) => void (injections[index] = (injections[index] ?? 0) + 1),
    wrote: (by) => void (writes[by] += 1),
    lostUpdate: () => void (lostUpdates += 1),
    writing: (urns) => overlaps.open(urns),
    report: () => ({
      seed,
      requests: { ...requests },
      refused_by_rate_limit: refusals,
      faults: faults.map((fault, index) => ({ ...fault, injected: injections[index] ?? 0 })),
      writes: { ...writes },
      overlapping_writes: overlaps.greatest(),
      lost_updates: lostUpdates,
    }),
  };
}

function overlapsOf() {
  const open = new Map<string, number>();
  let greatest: FaultReport["overlapping_writes"] = { greatest: 0, urn: null };
  const change = (urn: string, by: number): void => {
    const count = (open.get(urn) ?? 0) + by;
    if (count === 0) open.delete(urn);
    else open.set(urn, count);
    if (count > greatest.greatest) greatest = { greatest: count, urn };
  };
  return {
    open(urns: ReadonlySet<string>): () => void {
      for (const urn of urns) change(urn, 1);
      return () => {
        for (const urn of urns) change(urn, -1);
      };
    },
    greatest: () => greatest,
  };
}

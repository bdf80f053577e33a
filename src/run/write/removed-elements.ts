import { fullerAmongRemoved } from "../../facets/stored-elements.ts";
import { canonicalJson, isJsonObject } from "../../model/json.ts";
import type { Operation } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import type { Run } from "./run-state.ts";

/** How much of what an operation removes is kept beside its values, in characters of JSON. */
const maxKept = 100_000;

/** Keeps what an operation is about to remove from an aspect, as it was read right before, if manifests cannot express all of it. */
export function keepRemoved({ removed }: Run, { id, request }: Operation, aspect: unknown): void {
  if (request.type !== "proposal" || !isJsonObject(aspect)) return;
  const fuller = fullerAmongRemoved(aspect, request.edits ?? []);
  if (fuller.length > 0) removed.set(id, canonicalJson(fuller).length > maxKept ? null : fuller);
}

/** An outcome with what its operation removed. */
export function withRemoved(outcome: Outcome, { removed }: Run): Outcome {
  const stored = removed.get(outcome.operation.id);
  return outcome.status === "applied" && stored !== undefined ? { ...outcome, stored } : outcome;
}

/** Determines whether a failed operation that the server may have carried out counts as applied. */

import { CatalogError } from "../../model/catalog-error.ts";
import { aspectKey, type Operation } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import type { Rechecked } from "../../plan/recheck/recheck.ts";
import type { CurrentState } from "./current-state.ts";
import { isWritten } from "./propose.ts";
import type { Run } from "./run-state.ts";

/**
 * Counts an operation as applied only if its complete result is in the catalog. For example, DataHub returns an error for an
 * aspect of more than 5 MB, but stores the aspect (EntityServiceImpl.java).
 */
export async function finalCheck(
  run: Run,
  current: CurrentState,
  operation: Operation,
  { left, settled }: Rechecked,
): Promise<Outcome> {
  const isDone = !left && settled.every(({ status }) => status === "applied");
  if (isDone || (await isAspectThere(run, current, left))) return { status: "applied", operation };
  return { status: "failed", operation, error: run.finalChecks.get(operation.id) ?? "" };
}

/** Whether a proposal's aspect is stored as planned. The changes alone do not show which aspects of a new entity are stored. */
async function isAspectThere(
  { writer, signal }: Run,
  { stored }: CurrentState,
  operation: Operation | undefined,
): Promise<boolean> {
  if (operation?.request.type !== "proposal") return false;
  const { urn, aspect } = operation.request;
  try {
    const found = stored.get(aspectKey(urn, aspect)) ?? (await writer.aspects.read(urn, aspect, signal));
    return isWritten(operation.request, found);
  } catch (error) {
    if (error instanceof CatalogError || signal?.aborted) return false;
    throw error;
  }
}

import { CatalogError } from "../../model/catalog-error.ts";
import type { Operation } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import type { Rechecked } from "../../plan/recheck/recheck.ts";
import { aspectKey, type Look } from "./look.ts";
import { isWritten } from "./propose.ts";
import type { Run } from "./run.ts";

/**
 * What became of an operation that failed and may have been carried out, by what is in the catalog after that: it was applied
 * where all is there as it would leave it. DataHub answers an aspect of more than 5 MB with an error, for example, and stores
 * it (EntityServiceImpl.java).
 */
export async function lastLookAt(
  run: Run,
  look: Look,
  operation: Operation,
  { left, settled }: Rechecked,
): Promise<Outcome> {
  const isDone = !left && settled.every(({ status }) => status === "applied");
  if (isDone || (await isAspectThere(run, look, left))) return { status: "applied", operation };
  return { status: "failed", operation, error: run.lastLooks.get(operation.id) ?? "" };
}

/** Of a new entity the changes do not tell which of its aspects are there. */
async function isAspectThere(
  { writer, signal }: Run,
  { stored }: Look,
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

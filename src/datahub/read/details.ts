import type { Plan } from "../../model/plan.ts";
import type { Details } from "../../plan/diff/details.ts";
import { readAssignments } from "./assignments.ts";
import type { Reader } from "../client/client.ts";
import { readLastWriters } from "./last-writers.ts";
import type { ReadOptions } from "./read-batches.ts";

/**
 * Reads what the catalog tells of what changes remove, and of the values that others put there. Nothing is asked where
 * there is neither; what it cannot tell is left out.
 */
export async function readDetails(
  reader: Reader,
  { changes, unmanaged }: Pick<Plan, "changes" | "unmanaged">,
  { onProgress: _, ...options }: ReadOptions = {},
): Promise<Details> {
  const deletions = changes.filter(({ action }) => action === "delete");
  const [assignments, writerOf] = await Promise.all([
    readAssignments(reader, deletions, options),
    readLastWriters(reader, { changes, unmanaged }, options),
  ]);
  return { assignments, writerOf };
}

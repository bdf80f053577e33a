import type { Change } from "../../model/change.ts";
import type { RemovalDetails } from "../../plan/diff/removal-details.ts";
import { readAssignments } from "./assignments.ts";
import type { Reader } from "../client/client.ts";
import { readLastWriters } from "./last-writers.ts";
import type { ReadOptions } from "./read-batches.ts";

/** Reads what the catalog tells of what changes remove. Nothing is asked where nothing is removed; what it cannot tell is left out. */
export async function readRemovalDetails(
  reader: Reader,
  changes: readonly Change[],
  { onProgress: _, ...options }: ReadOptions = {},
): Promise<RemovalDetails> {
  const deletions = changes.filter(({ action }) => action === "delete");
  const [assignments, writerOf] = await Promise.all([
    readAssignments(reader, deletions, options),
    readLastWriters(reader.stored, changes, options),
  ]);
  return { assignments, writerOf };
}

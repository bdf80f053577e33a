import type { Change } from "../../model/change.ts";
import type { Knowledge } from "../../plan/diff/removal-details.ts";
import { readAssignments } from "./assignments.ts";
import type { Reader } from "../client/client.ts";
import { readLastWriters } from "./last-writers.ts";
import type { ReadOptions } from "./read-batches.ts";

/** What the catalog can tell of what changes take away. Nothing is asked where nothing goes; what it cannot tell is left open. */
export async function readKnowledge(
  reader: Reader,
  changes: readonly Change[],
  { onProgress: _, ...options }: ReadOptions = {},
): Promise<Knowledge> {
  const deletions = changes.filter(({ action }) => action === "delete");
  const [assignments, writerOf] = await Promise.all([
    readAssignments(reader, deletions, options),
    readLastWriters(reader.stored, changes, options),
  ]);
  return { assignments, writerOf };
}

import type { Plan } from "../../model/plan.ts";
import type { Details } from "../../plan/diff/details.ts";
import type { Reader } from "../../datahub/client.ts";
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
  return { writerOf: await readLastWriters(reader, { changes, unmanaged }, options) };
}

/** Determines the creation time of plans and other results. `SOURCE_DATE_EPOCH` overrides the clock. */

import { UsageError } from "./errors.ts";
import type { Io } from "./io.ts";

/**
 * Returns the time in `SOURCE_DATE_EPOCH`, or else the current time, in ISO 8601 format. Throws `UsageError` if the variable is
 * not a number.
 */
export function createdAt(io: Io): string {
  const epoch = io.env["SOURCE_DATE_EPOCH"];
  if (epoch === undefined || epoch === "") return io.now().toISOString();
  if (!/^\d{1,11}$/.test(epoch)) throw new UsageError("SOURCE_DATE_EPOCH is not a number of seconds");
  return new Date(Number(epoch) * 1000).toISOString();
}

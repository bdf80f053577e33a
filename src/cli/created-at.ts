/** Determines when plans and other results were created. `SOURCE_DATE_EPOCH` can fix the time. */

import { UsageError } from "./errors.ts";
import type { Io } from "./io.ts";

/** Returns the time from `SOURCE_DATE_EPOCH` or the clock, as ISO 8601. Throws `UsageError` if the variable is not a number. */
export function createdAt(io: Io): string {
  const epoch = io.env["SOURCE_DATE_EPOCH"];
  if (epoch === undefined || epoch === "") return io.now().toISOString();
  if (!/^\d{1,11}$/.test(epoch)) throw new UsageError("SOURCE_DATE_EPOCH is not a number of seconds");
  return new Date(Number(epoch) * 1000).toISOString();
}

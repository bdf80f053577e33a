import { UsageError } from "./errors.ts";
import type { Io } from "./io.ts";

/** The instant that a plan names: `SOURCE_DATE_EPOCH` where it is set, so that the same plan is the same text. */
export function createdAt(io: Io): string {
  const epoch = io.env["SOURCE_DATE_EPOCH"];
  if (epoch === undefined || epoch === "") return io.now().toISOString();
  if (!/^\d{1,11}$/.test(epoch)) throw new UsageError("SOURCE_DATE_EPOCH is not a number of seconds");
  return new Date(Number(epoch) * 1000).toISOString();
}

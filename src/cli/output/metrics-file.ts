/** Writes the metrics of a command to a file. */

import { type Measured, metricsText } from "../../report/metrics.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { writeResult } from "./report-files.ts";

/** The file for the metrics, and the command with the time at which it began. */
export interface MetricsRequest {
  readonly file: string;
  readonly command: string;
  readonly startedAt: Date;
}

type Facts = Pick<Measured, "exitCode" | "plan" | "report" | "traffic">;

/** Replaces the file in one step, because collectors can read it at any time. If that fails, prints an error and returns 1. */
export async function writeMetrics(
  { file, command, startedAt }: MetricsRequest,
  facts: Facts,
  io: Io,
): Promise<ExitCode> {
  const endedAt = io.now();
  const seconds = (endedAt.getTime() - startedAt.getTime()) / 1000;
  const text = metricsText({ ...facts, command, endedAt, seconds });
  return await writeResult(file, text, io, { mode: readableByAll });
}

/** Collectors of another user must be able to read the file. */
const readableByAll = 0o644;

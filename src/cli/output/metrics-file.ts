/** Writes a command's metrics to a file. */

import { type Measured, metricsText } from "../../report/metrics.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { writeResult } from "./report-files.ts";

/** The metrics file, the command, and its start time. */
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

/** Lets another user's collectors read the file. */
const readableByAll = 0o644;

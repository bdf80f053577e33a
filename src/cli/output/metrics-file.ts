import { type Measured, metricsText } from "../../report/metrics.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { writeResult } from "./report-files.ts";

/** The file for the metrics of a command, and when it began. */
export interface MetricsRequest {
  readonly file: string;
  readonly command: string;
  readonly startedAt: Date;
}

/** What a run was measured by. */
type Facts = Pick<Measured, "exitCode" | "plan" | "report" | "traffic">;

/** Writes the metrics of a run in one step, because collectors read the file at any time. Exit code 1, with an error, where it cannot. */
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

/** The mode of a file that everybody can read, as collectors must. */
const readableByAll = 0o644;

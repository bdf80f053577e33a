/** Writes a command's metrics to a file. */

import { metricsText } from "../../report/metrics.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Facts, Io } from "../io.ts";
import { writeResult } from "./report-files.ts";

/** A metrics file, and the name and start time of the measured command. */
export interface MetricsRequest {
  readonly file: string;
  readonly command: string;
  readonly startedAt: Date;
}

/**
 * Writes the metrics. The file is replaced atomically, because collectors can read it at any time. If writing fails, prints an
 * error and returns 1.
 */
export async function writeMetrics(
  { file, command, startedAt }: MetricsRequest,
  facts: Facts & { readonly exitCode: ExitCode },
  io: Io,
): Promise<ExitCode> {
  const endedAt = io.now();
  const seconds = (endedAt.getTime() - startedAt.getTime()) / 1000;
  const text = metricsText({ ...facts, command, endedAt, seconds });
  return await writeResult(file, text, io, { mode: readableByAll });
}

/** The file mode. Collectors that run as a different user must be able to read the file. */
const readableByAll = 0o644;

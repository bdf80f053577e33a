import { rename, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Measured, metricsText } from "../../report/metrics.ts";
import { errorMessage } from "../../text/error-text.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { say } from "./say.ts";

/** The file for the metrics of a command. */
export interface MetricsRequest {
  readonly file: string;
  readonly command: string;
}

/** What a run was measured by, and when it began. */
export interface Facts extends Pick<Measured, "exitCode" | "plan" | "report" | "traffic"> {
  readonly startedAt: Date;
}

/**
 * Writes the metrics of a run. The file is replaced as a whole, because collectors read it at any time, and anyone can read
 * it. Says that it cannot be written; then the exit code is 1.
 */
export async function writeMetrics(
  { file, command }: MetricsRequest,
  { startedAt, ...facts }: Facts,
  io: Io,
): Promise<ExitCode> {
  const path = resolve(io.cwd, file);
  // Collectors read files that end in `.prom`, so not this one.
  const beside = `${path}.${process.pid}.tmp`;
  const endedAt = io.now();
  const seconds = (endedAt.getTime() - startedAt.getTime()) / 1000;
  try {
    await writeFile(beside, metricsText({ ...facts, command, endedAt, seconds }), {
      mode: 0o644,
      flag: "wx",
    });
    await rename(beside, path);
    return exitCodes.done;
  } catch (error) {
    await rm(beside, { force: true });
    say(`cannot write ${file}: ${errorMessage(error)}`, io);
    return exitCodes.error;
  }
}

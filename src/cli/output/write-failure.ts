import { type Format, jsonText } from "../../library/render.ts";
import { type Failure, failureJson, failureText } from "../../report/failure.ts";
import { failureMarkdown } from "../../report/markdown/markdown.ts";
import type { PlanProblem } from "../../model/problem.ts";
import type { Io } from "../io.ts";
import { problemsAs } from "./print.ts";
import { type ReportFile, writeReports } from "./report-files.ts";

/** Where a command was to put its result. */
export interface Destination {
  readonly format: Format;
  readonly report?: readonly ReportFile[];
  /** Whether the result is already on stdout. */
  readonly hasPrinted: () => boolean;
}

/** Prints why there is no result as JSON, if JSON was asked for, and writes it to the report files in their formats. */
export async function writeFailure(failure: Failure, to: Destination, io: Io): Promise<void> {
  if (to.format === "json" && !to.hasPrinted()) io.stdout.write(failureAs(failure, "json"));
  await writeReports(to.report, (format) => failureAs(failure, format), io);
}

/** Writes the problems because of which there is no plan to the report files, in their formats. */
export async function writeProblems(
  problems: readonly PlanProblem[],
  { report }: Destination,
  io: Io,
): Promise<void> {
  await writeReports(report, (format) => problemsAs(problems, format, io), io);
}

function failureAs(failure: Failure, format: Format): string {
  if (format === "json") return jsonText(failureJson(failure));
  return format === "markdown" ? failureMarkdown(failure) : `${failureText(failure)}\n`;
}

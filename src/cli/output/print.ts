/** Prints command results and their problems in the requested format, to stdout, stderr and report files. */

import type { Origin } from "../../model/origin.ts";
import type { PlanProblem } from "../../model/problem.ts";
import type { Report } from "../../model/report.ts";
import type { CoverageFormat } from "../../report/format.ts";
import { type Format, resultPieces, type View } from "../../workflow/render.ts";
import type { Result } from "../../report/document/document.ts";
import { type AnnotatedPlan, annotationsOf } from "../../report/github/annotations.ts";
import { wrapLines } from "../../report/text/wrap.ts";
import { type ExitCode, highestPrecedence } from "../exit-code.ts";
import { annotate } from "./annotate.ts";
import { hasColor, type Io } from "../io.ts";
import { fileAddress } from "./file-address.ts";
import { writeAll, writePaged } from "./paged.ts";
import { type ReportFile, writeResult } from "./report-files.ts";
import { showProblems } from "./show-problems.ts";

/** The options for printing a result. */
export interface ResultOptions {
  readonly format: Format;
  /** Additional files to write the result to. */
  readonly report?: readonly ReportFile[];
  readonly quiet?: boolean;
  readonly showUnmanaged?: boolean;
  /** Whether to list changes separately for each entity, even if many entities share a change. */
  readonly all?: boolean;
  /** Whether to use a pager for long output. */
  readonly pager?: boolean;
}

/** View properties that are not set by options. */
type Style = Pick<View, "isRefusable" | "withPlan" | "color">;

/** Renders a result in pieces. Colors are used only if the style has `color`. */
export function piecesOf(
  result: Result,
  { format, quiet, showUnmanaged, all }: ResultOptions,
  io: Io,
  style: Style = {},
): Iterable<string> {
  const { cwd } = io;
  const commit = commitOf(result);
  const fileOf = (origin: Origin): string | undefined => fileAddress(origin, commit, io);
  const unmanaged = showUnmanaged === true ? "all" : quiet === true ? "none" : "counts";
  return resultPieces(result, format, { cwd, unmanaged, all, fileOf, ...style });
}

/** Returns the commit that a result is based on, or `null` if files were modified after that commit. */
function commitOf(result: Result): string | null {
  const plan = "plan" in result ? result.plan : "drift" in result ? result.drift : undefined;
  const { commit = null, dirty = false } =
    (plan ?? ("report" in result ? result.report.plan : undefined))?.git ?? {};
  return dirty ? null : commit;
}

/** Report files that the command has written or tried to write. The report of a later failure must not overwrite them. */
const attempted = new WeakSet<ReportFile>();

/**
 * Writes a result to its report files. Each file is written only once. If a file cannot be written, prints an error and returns
 * 1.
 */
export async function writeReports(
  result: Result,
  { report: files = [], ...options }: Partial<ResultOptions>,
  io: Io,
  style: Style = {},
): Promise<ExitCode> {
  const codes: ExitCode[] = [];
  for (const file of files) {
    if (attempted.has(file)) continue;
    attempted.add(file);
    const pieces = piecesOf(result, { ...options, format: file.format }, io, style);
    codes.push(await writeResult(file.file, pieces, io));
  }
  return highestPrecedence(codes);
}

/** Prints a command's result and its problems. */
export async function printResult(
  result: Result,
  options: ResultOptions,
  io: Io,
  style: Style = {},
): Promise<void> {
  const color = hasColor(io.stdout, io.env);
  await print(() => piecesOf(result, options, io, { ...style, color }), options, io);
  printProblemsOf(result, options.format, io);
}

/** Prints a report without a pager. In text format, the plan and its problems have already been printed. */
export async function printReport(report: Report, options: ResultOptions, io: Io): Promise<void> {
  const { format } = options;
  const color = hasColor(io.stdout, io.env);
  await print(() => piecesOf({ report }, options, io, { color }), { format }, io);
  if (format !== "text") printProblemsOf({ report }, format, io);
}

/** Prints a report to stderr if writing to stdout failed, so the user can still see which changes were applied. */
export async function printToStderrIfStdoutFailed(
  report: Report,
  options: ResultOptions,
  io: Io,
): Promise<void> {
  await io.stdout.flush();
  if (io.stdout.loss()) writeAll(io.stderr, piecesOf({ report }, { ...options, format: "text" }, io));
}

/** Prints the report of a command that had no changes to apply, unless the plan was already printed as text. */
export async function printIdle(
  report: Report,
  options: ResultOptions,
  io: Io,
  isRefusable = true,
): Promise<void> {
  if (options.format === "text") return;
  if (options.format === "json") await printReport(report, options, io);
  else await printResult({ plan: report.plan }, options, io, { isRefusable });
}

/**
 * Prints pieces to stdout. On a terminal, text is wrapped and, if the options allow it, shown in a pager. Each piece of text must
 * end with a line break.
 */
export async function print(
  pieces: () => Iterable<string>,
  { format, pager = false }: Pick<ResultOptions, "pager"> & { readonly format: Format | CoverageFormat },
  io: Io,
): Promise<void> {
  const { stdout } = io;
  if (format !== "text" || !stdout.isTTY) return writeAll(stdout, pieces());
  const text = (): Iterable<string> => wrappedPieces(pieces(), stdout.columns);
  if (pager) await writePaged(text, io);
  else writeAll(stdout, text());
}

function* wrappedPieces(pieces: Iterable<string>, width: number): Iterable<string> {
  for (const piece of pieces) yield wrapLines(piece, width);
}

/** Prints problems without a plan. `sentence` is a summary. In text format, the summary is the only output on stdout. */
export function printProblems(
  problems: readonly PlanProblem[],
  format: Format,
  io: Io,
  sentence?: string,
): void {
  printProblemsOf({ problems }, format, io);
  if (format !== "text") writeAll(io.stdout, piecesOf({ problems, sentence }, { format }, io));
  else if (sentence !== undefined) io.stdout.write(`${sentence}\n`);
}

function printProblemsOf(result: Result, format: Format, io: Io): void {
  const found = problemsIn(result);
  if (format !== "json") showProblems(found, io);
  annotate(annotationsOf(found), io);
}

/** Returns the problems and findings to print for a result. */
function problemsIn(result: Result): AnnotatedPlan {
  if ("plan" in result) return result.plan;
  if ("report" in result) return result.report.plan;
  if ("check" in result) return { findings: [], problems: result.check.problems, createdAt: result.check.at };
  // The guard findings of a drift report appear only in JSON.
  if ("drift" in result) return { ...result.drift, findings: [] };
  return { findings: [], createdAt: "", ...("problems" in result && { problems: result.problems }) };
}

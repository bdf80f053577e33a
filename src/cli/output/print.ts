import type { Plan } from "../../model/plan.ts";
import type { PlanProblem } from "../../model/problem.ts";
import type { Report } from "../../model/report.ts";
import { annotationsOf } from "../../report/annotations.ts";
import {
  driftPieces,
  type Format,
  jsonText,
  planPieces,
  problemsAsJson,
  renderProblems,
  reportPieces,
  type View,
} from "../../library/render.ts";
import { problemsMarkdown } from "../../report/markdown/markdown.ts";
import { countsOf } from "../../report/problems.ts";
import type { UnmanagedView } from "../../report/text/unmanaged-text.ts";
import { runText } from "../../report/text/run-text.ts";
import { wrappedLines } from "../../report/wrapped.ts";
import { annotate } from "./annotate.ts";
import { hasColor, type Io } from "../io.ts";
import { writeAll, writePaged } from "./paged.ts";
import { showProblems } from "./show-problems.ts";

/** What the options of a command say of how its result is shown. */
export interface ResultOptions {
  readonly format: Format;
  readonly quiet?: boolean;
  readonly showUnmanaged?: boolean;
  /** Whether changes that many entities share are listed for each of them. */
  readonly all?: boolean;
  /** Whether a text may go through a pager. */
  readonly pager?: boolean;
}

/**
 * Prints a plan to stdout and its problems to stderr. In JSON the problems are part of the plan. `isWhole` as in
 * `PlanView`.
 */
export async function printPlan(plan: Plan, options: ResultOptions, io: Io, isWhole = true): Promise<void> {
  const style = { isWhole, color: hasColor(io.stdout, io.env) };
  await print(() => planAs(plan, options, io, style), options, io);
  showPlanProblems(plan, options.format, io);
}

/** How a plan is written: `isWhole` and `countsKept` as in `PlanView`; `color` only for a terminal. */
interface PlanStyle {
  readonly isWhole?: boolean;
  readonly countsKept?: boolean;
  readonly color?: boolean;
}

/** The text of a plan in some form, in pieces, without colour unless `color` says so. */
export function planAs(plan: Plan, options: ResultOptions, io: Io, style: PlanStyle = {}): Iterable<string> {
  return planPieces(plan, options.format, {
    cwd: io.cwd,
    unmanaged: unmanagedBy(options),
    all: options.all,
    ...style,
  });
}

function viewBy(options: ResultOptions, { cwd }: Io, color: boolean): View {
  return { cwd, color, unmanaged: unmanagedBy(options), all: options.all };
}

function unmanagedBy({ quiet, showUnmanaged }: ResultOptions): UnmanagedView {
  if (showUnmanaged === true) return "all";
  return quiet === true ? "none" : "counts";
}

/** Prints drift to stdout and problems to stderr. What guards find is only in the JSON. */
export async function printDrift(plan: Plan, options: ResultOptions, io: Io): Promise<void> {
  await print(() => driftAs(plan, options, io, hasColor(io.stdout, io.env)), options, io);
  showPlanProblems({ ...plan, findings: [] }, options.format, io);
}

/** The text of drift in some form, in pieces. */
export function driftAs(plan: Plan, options: ResultOptions, io: Io, color = false): Iterable<string> {
  return driftPieces(plan, options.format, viewBy(options, io, color));
}

/** A plan as it is saved. */
export function planAsJson(plan: Plan, io: Io): Iterable<string> {
  return planAs(plan, { format: "json" }, io);
}

/** Prints a report to stdout, without a pager. With `text` the plan was already printed. */
export async function printReport(report: Report, options: ResultOptions, io: Io): Promise<void> {
  const { format } = options;
  await print(() => reportAs(report, options, io, hasColor(io.stdout, io.env)), { format }, io);
  if (format !== "text") showPlanProblems(report.plan, format, io);
}

/** The text of what became of a plan, in some form and in pieces; as text without the plan itself. */
function reportAs(report: Report, options: ResultOptions, io: Io, color = false): Iterable<string> {
  return reportPieces(report, options.format, viewBy(options, io, color));
}

/** Tells on stderr what became of a plan where stdout is lost: it is never lost on both for want of trying. */
export async function tellIfLost(report: Report, options: ResultOptions, io: Io): Promise<void> {
  await io.stdout.flush();
  if (io.stdout.loss()) writeAll(io.stderr, reportAs(report, { ...options, format: "text" }, io));
}

/** Prints the report of a command that had nothing to apply, unless the plan was already printed as text. */
export async function printIdle(
  report: Report,
  options: ResultOptions,
  io: Io,
  isWhole = true,
): Promise<void> {
  if (options.format === "json") await printReport(report, options, io);
  if (options.format === "markdown") await printPlan(report.plan, options, io, isWhole);
}

/** Prints a report to stdout as a file holds it, and the problems of its plan to stderr. */
export async function printWholeReport(report: Report, options: ResultOptions, io: Io): Promise<void> {
  await print(() => wholeReportAs(report, options, io, hasColor(io.stdout, io.env)), options, io);
  showPlanProblems(report.plan, options.format, io);
}

/** A report as a file holds it, in some form: as text the plan, what is known of its run, and the outcomes. */
export function* wholeReportAs(
  report: Report,
  options: ResultOptions,
  io: Io,
  color = false,
): Iterable<string> {
  if (options.format === "text") {
    const run = runText(report);
    yield* planAs(report.plan, options, io, { color, countsKept: false });
    if (run !== "") yield `\n${run}\n`;
  }
  yield* reportAs(report, options, io, color);
}

/**
 * Prints the result of a command. On a terminal lines of text are wrapped, and go through the pager if the options allow it.
 * Each piece of a text ends with a line.
 */
export async function print(
  pieces: () => Iterable<string>,
  { format, pager = false }: Pick<ResultOptions, "format" | "pager">,
  io: Io,
): Promise<void> {
  const { stdout } = io;
  if (format !== "text" || !stdout.isTTY) return writeAll(stdout, pieces());
  const text = (): Iterable<string> => wrappedPieces(pieces(), stdout.columns);
  if (pager) await writePaged(text, io);
  else writeAll(stdout, text());
}

function* wrappedPieces(pieces: Iterable<string>, width: number): Iterable<string> {
  for (const piece of pieces) yield wrappedLines(piece, width);
}

/** Prints problems where there is no plan to print. `sentence` sums up what they are about, as text the only result. */
export function printProblems(
  problems: readonly PlanProblem[],
  format: Format,
  io: Io,
  sentence?: string,
): void {
  showPlanProblems({ problems, findings: [] }, format, io);
  if (format !== "text") io.stdout.write(problemsAs(problems, format, io, sentence));
  else if (sentence !== undefined) io.stdout.write(`${sentence}\n`);
}

/** The text of problems where there is no plan, in some form. */
export function problemsAs(
  problems: readonly PlanProblem[],
  format: Format,
  io: Io,
  sentence = `Refused: ${countsOf(problems)}`,
): string {
  if (format === "json") return jsonText({ formatVersion: "1", problems: problemsAsJson(problems, io.cwd) });
  if (format === "markdown") return problemsMarkdown(problems, sentence);
  return `${renderProblems(problems, { cwd: io.cwd })}${sentence}\n`;
}

function showPlanProblems(plan: Pick<Plan, "findings" | "problems" | "names">, format: Format, io: Io): void {
  if (format !== "json") showProblems(plan, io);
  annotate(annotationsOf(plan), io);
}

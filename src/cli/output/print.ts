import type { Plan } from "../../model/plan.ts";
import type { PlanProblem } from "../../model/problem.ts";
import type { Report } from "../../model/report.ts";
import { annotationsOf } from "../../report/annotations.ts";
import {
  type Format,
  jsonText,
  problemsAsJson,
  renderDrift,
  renderPlan,
  renderProblems,
  renderReport,
} from "../../library/render.ts";
import { problemsMarkdown } from "../../report/markdown/markdown.ts";
import { countsOf } from "../../report/problems.ts";
import { runText } from "../../report/text/run-text.ts";
import { annotate } from "./annotate.ts";
import { hasColor, type Io } from "../io.ts";
import { showProblems } from "./show-problems.ts";

/**
 * Prints a plan to stdout and its problems to stderr. In JSON the problems are part of the plan. `isWhole` as in
 * `planText`.
 */
export function printPlan(plan: Plan, format: Format, io: Io, isWhole = true): void {
  io.stdout.write(planAs(plan, format, io, { isWhole, color: hasColor(io.stdout, io.env) }));
  showPlanProblems(plan, format, io);
}

/** How a plan is written: `isWhole` as in `planText`; `color` only for a terminal. */
interface PlanStyle {
  readonly isWhole?: boolean;
  readonly color?: boolean;
}

/** The text of a plan in some form, without colour unless `color` says so. */
export function planAs(plan: Plan, format: Format, io: Io, style: PlanStyle = {}): string {
  return renderPlan(plan, format, { cwd: io.cwd, ...style });
}

/** Prints drift to stdout and problems to stderr. What guards find is only in the JSON. */
export function printDrift(plan: Plan, format: Format, io: Io): void {
  io.stdout.write(driftAs(plan, format, io, hasColor(io.stdout, io.env)));
  showPlanProblems({ ...plan, findings: [] }, format, io);
}

/** The text of drift in some form. */
export function driftAs(plan: Plan, format: Format, io: Io, color = false): string {
  return renderDrift(plan, format, { cwd: io.cwd, color });
}

/** A plan as it is saved. */
export function planAsJson(plan: Plan, io: Io): string {
  return planAs(plan, "json", io);
}

/** Prints a report to stdout. With `text` the plan was already printed. */
export function printReport(report: Report, format: Format, io: Io): void {
  io.stdout.write(reportAs(report, format, io, hasColor(io.stdout, io.env)));
  if (format !== "text") showPlanProblems(report.plan, format, io);
}

/** The text of what became of a plan, in some form; as text without the plan itself. */
function reportAs(report: Report, format: Format, io: Io, color = false): string {
  return renderReport(report, format, { cwd: io.cwd, color });
}

/** Prints the report of a command that had nothing to apply, unless the plan was already printed as text. */
export function printIdle(report: Report, format: Format, io: Io, isWhole = true): void {
  if (format === "json") printReport(report, format, io);
  if (format === "markdown") printPlan(report.plan, format, io, isWhole);
}

/** Prints a report to stdout as a file holds it, and the problems of its plan to stderr. */
export function printWholeReport(report: Report, format: Format, io: Io): void {
  io.stdout.write(wholeReportAs(report, format, io, hasColor(io.stdout, io.env)));
  showPlanProblems(report.plan, format, io);
}

/** A report as a file holds it, in some form: as text the plan, what is known of its run, and the outcomes. */
export function wholeReportAs(report: Report, format: Format, io: Io, color = false): string {
  const text = reportAs(report, format, io, color);
  if (format !== "text") return text;
  const run = runText(report);
  const blocks = [planAs(report.plan, format, io, { color }), ...(run === "" ? [] : [run]), text];
  return blocks.join(run === "" ? "" : "\n");
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

function showPlanProblems(plan: Pick<Plan, "findings" | "problems">, format: Format, io: Io): void {
  if (format !== "json") showProblems(plan.problems ?? [], io);
  annotate(annotationsOf(plan), io);
}

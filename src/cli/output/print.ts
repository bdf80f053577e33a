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
export function reportAs(report: Report, format: Format, io: Io, color = false): string {
  return renderReport(report, format, { cwd: io.cwd, color });
}

/** Prints the result of a command that had nothing to apply, unless the plan was already printed as text. */
export function printIdle(plan: Plan, format: Format, io: Io, isWhole = true): void {
  if (format === "json") printReport({ plan, outcomes: [] }, format, io);
  if (format === "markdown") printPlan(plan, format, io, isWhole);
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

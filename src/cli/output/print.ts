import type { Plan } from "../../model/plan.ts";
import type { Problem } from "../../model/problem.ts";
import type { Report } from "../../model/report.ts";
import { annotationsOf } from "../../report/annotations.ts";
import { planJson, reportJson } from "../../report/json.ts";
import { planMarkdown, problemsMarkdown, reportMarkdown } from "../../report/markdown/markdown.ts";
import { countsOf } from "../../report/problems.ts";
import { reportText } from "../../report/text/report-text.ts";
import { paintWith } from "../../report/paint.ts";
import { planText } from "../../report/text/plan-text.ts";
import { annotate } from "./annotate.ts";
import { hasColor, type Io } from "../io.ts";
import { problemsAsJson, showProblems } from "./show-problems.ts";

/** The output formats. */
export const formats = ["text", "json", "markdown"] as const;

/** An output format. */
export type Format = (typeof formats)[number];

/** A JSON document as text, as it is printed and saved. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

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

/** A plan in a format. */
export function planAs(
  plan: Plan,
  format: Format,
  io: Io,
  { isWhole = true, color = false }: PlanStyle = {},
): string {
  if (format === "json") return planAsJson(plan, io);
  if (format === "markdown") return planMarkdown(plan, isWhole);
  return planText(plan, paintWith(color), isWhole);
}

/** A plan as it is saved. */
export function planAsJson(plan: Plan, io: Io): string {
  return jsonText(planJson(plan, problemsAsJson(plan.problems ?? [], io)));
}

/** Prints a report to stdout. With `text` the plan was already printed. */
export function printReport(report: Report, format: Format, io: Io): void {
  io.stdout.write(reportAs(report, format, io, hasColor(io.stdout, io.env)));
  if (format !== "text") showPlanProblems(report.plan, format, io);
}

/** A report in a format. With `text` it does not include the plan. */
export function reportAs(report: Report, format: Format, io: Io, color = false): string {
  if (format === "json") return jsonText(reportJson(report, problemsAsJson(report.plan.problems ?? [], io)));
  if (format === "markdown") return reportMarkdown(report);
  return reportText(report, paintWith(color));
}

/** Prints the result of a command that had nothing to apply, unless the plan was already printed as text. */
export function printIdle(plan: Plan, format: Format, io: Io, isWhole = true): void {
  if (format === "json") printReport({ plan, outcomes: [] }, format, io);
  if (format === "markdown") printPlan(plan, format, io, isWhole);
}

/** Prints problems if there is no plan. `sentence` summarizes the result; with `text` it is the only output on stdout. */
export function printProblems(problems: readonly Problem[], format: Format, io: Io, sentence?: string): void {
  showPlanProblems({ problems, findings: [] }, format, io);
  if (format === "json") {
    io.stdout.write(jsonText({ formatVersion: "1", problems: problemsAsJson(problems, io) }));
  } else if (format === "markdown") {
    io.stdout.write(problemsMarkdown(problems, sentence ?? `Refused: ${countsOf(problems)}`));
  } else if (sentence !== undefined) io.stdout.write(`${sentence}\n`);
}

function showPlanProblems(plan: Pick<Plan, "findings" | "problems">, format: Format, io: Io): void {
  if (format !== "json") showProblems(plan.problems ?? [], io);
  annotate(annotationsOf(plan), io);
}

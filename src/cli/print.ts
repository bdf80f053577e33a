import type { Plan } from "../model/plan.ts";
import type { Report } from "../model/report.ts";
import { planJson, reportJson } from "../report/json.ts";
import { paintWith } from "../report/symbols.ts";
import { reportText } from "../report/report-text.ts";
import { planText } from "../report/text.ts";
import { hasColour, type Io } from "./io.ts";
import { problemsAsJson, showProblems } from "./show-problems.ts";

/** The form of a result. */
export type Format = "text" | "json";

/** The text of a JSON document as we print and store it. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Prints a plan to stdout; as text its problems go to stderr, as JSON they are part of it. `isWhole` as in `planText`. */
export function printPlan(plan: Plan, format: Format, io: Io, isWhole = true): void {
  if (format === "json") {
    io.stdout.write(planAsJson(plan, io));
    return;
  }
  io.stdout.write(planText(plan, paintWith(hasColour(io.stdout, io.env)), isWhole));
  showProblems(plan.problems ?? [], io);
}

/** A plan in the form in which it is stored. */
export function planAsJson(plan: Plan, io: Io): string {
  return jsonText(planJson(plan, problemsAsJson(plan.problems ?? [], io)));
}

/** Prints what became of a plan to stdout. */
export function printReport(report: Report, format: Format, io: Io): void {
  const text =
    format === "json"
      ? jsonText(reportJson(report, problemsAsJson(report.plan.problems ?? [], io)))
      : reportText(report, paintWith(hasColour(io.stdout, io.env)));
  io.stdout.write(text);
}

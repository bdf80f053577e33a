/** Renders plans, reports, explanations and problems in a chosen format. */

import { sourceLines } from "../manifests/yaml/source-lines.ts";
import type { Explanation } from "../model/explanation.ts";
import type { Names, Plan } from "../model/plan.ts";
import type { PlanProblem } from "../model/problem.ts";
import type { Report } from "../model/report.ts";
import type { Result, View as ReportView } from "../report/document/document.ts";
import { problemRow } from "../report/document/problems.ts";
import type { ExplanationFormat, Format } from "../report/format.ts";
import { joinChunks } from "../report/chunks.ts";
import { explanationPrinters, printers } from "../report/printers.ts";
import { problemsText } from "../report/text/problems.ts";

export type { Format } from "../report/format.ts";

export interface View extends Omit<ReportView, "lineOf"> {
  /** The directory to which paths in problems and sources are relative. */
  readonly cwd: string;
}

export interface ProblemsView extends View {
  /** The terminal width. If absent, lines are not wrapped. */
  readonly width?: number | undefined;
  /** Maximum number of problems to list. */
  readonly limit?: number;
  /** The display names of URNs, from the plan's `names`. */
  readonly names?: Names | undefined;
}

/**
 * Renders a plan in the given format. JSON conforms to `schemas/plan.schema.json`. Text output omits problems, which
 * `renderProblems` renders.
 */
export function renderPlan(plan: Plan, format: Format, view: View): string {
  return joinChunks(resultPieces({ plan }, format, view));
}

/** Renders a report in the given format. JSON conforms to `schemas/report.schema.json`. Text output omits the plan. */
export function renderReport(report: Report, format: Format, view: View): string {
  return joinChunks(resultPieces({ report }, format, view));
}

/** Renders a result in pieces, because the text of a large plan can exceed the maximum string length. */
export function resultPieces(result: Result, format: Format, { cwd, ...view }: View): Iterable<string> {
  return printers[format](result, { ...view, lineOf: sourceLines(cwd) });
}

export interface ExplanationView {
  /** The directory to which paths in problems and sources are relative. */
  readonly cwd: string;
  readonly color?: View["color"];
}

/** Renders an explanation as text or JSON. JSON has the type `Explanation`, with locations and problems as in plans. */
export function renderExplanation(
  explanation: Explanation,
  format: ExplanationFormat,
  { cwd, color }: ExplanationView,
): string {
  return joinChunks(explanationPrinters[format](explanation, { color, lineOf: sourceLines(cwd) }));
}

/** Renders problems as text. Each problem has its file, line and column, its source line, and a suggestion if there is one. */
export function renderProblems(
  problems: readonly PlanProblem[],
  { cwd, color = false, width, limit, names }: ProblemsView,
): string {
  const lineOf = sourceLines(cwd);
  const rows = problems.map((problem) => problemRow(problem, lineOf, names));
  return problemsText(rows, { width: width ?? 80, wrap: width !== undefined, color, limit });
}

import { withNamedKeys } from "../facets/places.ts";
import type { Format } from "./format.ts";
import { sourceLines } from "../manifests/yaml/source-lines.ts";
import type { Explanation } from "../model/explanation.ts";
import type { Names, Plan } from "../model/plan.ts";
import type { PlanProblem } from "../model/problem.ts";
import type { Report } from "../model/report.ts";
import { jsonPieces } from "../report/json-pieces.ts";
import { planJson, reportJson } from "../report/json.ts";
import { wholeOf } from "../report/pieces.ts";
import { driftMarkdown, planMarkdown, reportMarkdown } from "../report/markdown/markdown.ts";
import { problemsJson, renderProblems as problemsText } from "../report/problems.ts";
import { paintWith } from "../report/paint.ts";
import { driftText } from "../report/text/drift-text.ts";
import { explanationText } from "../report/text/explanation-text.ts";
import { planTexts, type PlanView } from "../report/text/plan-text.ts";
import { reportText } from "../report/text/report-text.ts";

export type { Format } from "./format.ts";

/** How something is rendered. */
export interface View extends PlanView {
  /** The directory that the files in problems and sources are relative to. */
  readonly cwd: string;
  /** Whether text has the colors of a terminal. */
  readonly color?: boolean | undefined;
}

/** How problems are rendered. */
export interface ProblemsView extends View {
  /** The width of the terminal; without one lines are not broken. */
  readonly width?: number | undefined;
  /** The most problems that are shown one by one. */
  readonly limit?: number;
  /** The display names of URNs: `names` of the plan. */
  readonly names?: Names | undefined;
}

/**
 * A plan in a format. JSON is as `schemas/plan.schema.json` says. As text and Markdown it names no problem's line:
 * `renderProblems` does.
 */
export function renderPlan(plan: Plan, format: Format, view: View): string {
  return wholeOf(planPieces(plan, format, view));
}

/** `renderPlan` in pieces: the whole may be longer than a string can be. */
export function planPieces(plan: Plan, format: Format, { cwd, color, ...view }: View): Iterable<string> {
  if (format === "json") return jsonPieces(planJson(plan, problemsAsJson(plan.problems ?? [], cwd)));
  if (format === "markdown") return [planMarkdown(plan, view)];
  return planTexts(plan, paintWith(color ?? false), view);
}

/** A plan of drift in a format, in pieces: its changes by class. JSON is that of the plan. */
export function driftPieces(plan: Plan, format: Format, view: View): Iterable<string> {
  if (format === "json") return planPieces(plan, format, view);
  if (format === "markdown") return [driftMarkdown(plan, view)];
  return [driftText(plan, paintWith(view.color ?? false), view)];
}

/** How an explanation is rendered. */
export type ExplanationView = Pick<View, "cwd" | "color">;

/** An explanation as text or JSON: that is the type `Explanation`, with places and problems as in plans. */
export function renderExplanation(
  explanation: Explanation,
  format: Exclude<Format, "markdown">,
  { cwd, color = false }: ExplanationView,
): string {
  if (format === "text") return explanationText(explanation, paintWith(color));
  const { problems, facets, ...rest } = explanation;
  return jsonText({ ...rest, facets: facets.map(withNamedKeys), problems: problemsAsJson(problems, cwd) });
}

/** A report in a format. JSON is as `schemas/report.schema.json` says. As text it does not include the plan. */
export function renderReport(report: Report, format: Format, view: View): string {
  return wholeOf(reportPieces(report, format, view));
}

/** `renderReport` in pieces. */
export function reportPieces(
  report: Report,
  format: Format,
  { cwd, color, ...view }: View,
): Iterable<string> {
  if (format === "json")
    return jsonPieces(reportJson(report, problemsAsJson(report.plan.problems ?? [], cwd)));
  if (format === "markdown") return [reportMarkdown(report, view)];
  return [reportText(report, paintWith(color ?? false), view.all)];
}

/** Problems as text, each with its file, line and column, its source line and a suggestion. */
export function renderProblems(
  problems: readonly PlanProblem[],
  { cwd, color = false, width, limit, names }: ProblemsView,
): string {
  return problemsText(problems, {
    lineOf: sourceLines(cwd),
    width: width ?? 80,
    wrap: width !== undefined,
    color,
    names,
    ...(limit !== undefined && { limit }),
  });
}

/** Problems as they are in the JSON form of plans and reports. */
export function problemsAsJson(problems: readonly PlanProblem[], cwd: string): readonly object[] {
  return problemsJson(problems, sourceLines(cwd));
}

/** A JSON document as text, as it is printed and saved: control and direction characters are escaped. */
export function jsonText(value: unknown): string {
  return wholeOf(jsonPieces(value));
}

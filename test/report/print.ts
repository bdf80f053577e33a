import type { Names } from "../../src/model/plan.ts";
import type { PlanProblem } from "../../src/model/problem.ts";
import type { Result, View } from "../../src/report/document/document.ts";
import { problemRow } from "../../src/report/document/problems.ts";
import type { Format } from "../../src/report/format.ts";
import { printers } from "../../src/report/printers.ts";
import { type ProblemsStyle, problemsText } from "../../src/report/text/problems.ts";

/** A result in a format. No file is read. */
export function printed(result: Result, format: Format, view: Partial<View> = {}): string {
  return [...printers[format](result, { lineOf: () => undefined, ...view })].join("");
}

interface ProblemsView extends Omit<ProblemsStyle, "limit"> {
  readonly limit?: number;
  readonly lineOf: View["lineOf"];
  readonly names?: Names;
}

/** Problems as text. */
export function problemsPrinted(
  problems: readonly PlanProblem[],
  { lineOf, names, ...look }: ProblemsView,
): string {
  return problemsText(
    problems.map((problem) => problemRow(problem, lineOf, names)),
    look,
  );
}

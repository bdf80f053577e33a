import type { Origin } from "../../model/origin.ts";
import type { Plan } from "../../model/plan.ts";
import type { Outcome, Report } from "../../model/report.ts";
import { findingRow, remarksOn } from "../document/documents.ts";
import { workText } from "../document/outcomes.ts";
import { problemRow } from "../document/problems.ts";
import { sourcePosition } from "../document/values.ts";
import { printable } from "../printable.ts";
import type { Annotation } from "./annotation-text.ts";

/** The annotations of a plan: its problems and findings. */
export function annotationsOf({
  problems = [],
  findings,
  names,
}: Pick<Plan, "findings" | "problems" | "names">): readonly Annotation[] {
  const rows = problems.map((problem) => problemRow(problem, () => undefined, names));
  return [
    ...rows.map(({ severity: level, code: title, text, origin, isOfFile, related }): Annotation => {
      const at = origin && !isOfFile ? { at: lineOf(origin) } : {};
      const place = origin && { file: origin.file, ...at };
      const other = related ? ` (see also ${sourcePosition(related)})` : "";
      return { level, title, message: text + other, ...place };
    }),
    ...findings.map(findingRow).map(({ severity: level, guard, text: message }): Annotation => {
      return { level, title: `guard ${guard}`, message };
    }),
  ];
}

/** The annotations of operations that failed or were stale, and of the remarks on a report. */
export function failureAnnotations(report: Report): readonly Annotation[] {
  const remarks = remarksOn(report).map(({ severity: level, code: title, text: message }) => {
    return { level, title, message };
  });
  return [...remarks, ...report.outcomes.flatMap(annotationsOfOutcome)];
}

function annotationsOfOutcome(outcome: Outcome): readonly Annotation[] {
  if (outcome.status !== "failed" && outcome.status !== "stale") return [];
  const { urn, source } = outcome.operation.changes[0] ?? {};
  const place = source && !source.base ? { file: source.file, at: lineOf(source) } : {};
  const [level, reason] =
    outcome.status === "stale"
      ? (["warning", outcome.because] as const)
      : (["error", outcome.error] as const);
  const message = printable(`${outcome.status} for \`${urn}\`: ${reason}`);
  return [{ level, title: workText(outcome.operation), message, ...place }];
}

function lineOf({ line, column }: Origin): Pick<Origin, "line" | "column"> {
  return { line, column };
}

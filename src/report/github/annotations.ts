import type { Plan } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import { findingRow, remarksOn } from "../document/documents.ts";
import { findingIssue, type Issue, outcomeIssues, problemIssue, remarkIssue } from "../document/issues.ts";
import { problemRow } from "../document/problems.ts";
import type { Annotation } from "./annotation-text.ts";

/** The annotations of a plan: its problems and findings. */
export function annotationsOf({
  problems = [],
  findings,
  names,
}: Pick<Plan, "findings" | "problems" | "names">): readonly Annotation[] {
  const rows = problems.map((problem) => problemRow(problem, () => undefined, names));
  return [...rows.map(problemIssue), ...findings.map((finding) => findingIssue(findingRow(finding)))].map(
    annotationOf,
  );
}

/** The annotations of operations that failed or were stale, and of the remarks on a report. */
export function failureAnnotations(report: Report): readonly Annotation[] {
  return [...remarksOn(report).map(remarkIssue), ...report.outcomes.flatMap(outcomeIssues)].map(annotationOf);
}

function annotationOf({ level, title, message, file, at }: Issue): Annotation {
  return { level, title, message, ...(file !== undefined && { file }), ...(at && { at }) };
}

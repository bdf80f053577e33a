/** Converts plans and failed operations into pull request annotations. */

import type { Report } from "../../model/report.ts";
import { findingRow, remarksOn } from "../document/document-of.ts";
import { findingIssue, outcomeIssues, policyIssue, problemIssue, remarkIssue } from "../document/issues.ts";
import { type JudgedPlan, noLongerStoppedRows, policyRows, unknownRows } from "../document/policies.ts";
import { problemRow } from "../document/problems.ts";
import type { Annotation } from "./annotation-text.ts";

/** Returns a plan's annotations: problems, findings, new violations, and unknown verdicts. */
export function annotationsOf(plan: JudgedPlan): readonly Annotation[] {
  const { problems = [], findings = [], names } = plan;
  const rows = problems.map((problem) => problemRow(problem, () => undefined, names));
  return [
    ...rows.map(problemIssue),
    ...findings.map((finding) => findingIssue(findingRow(finding, names))),
    ...[...policyRows(plan), ...noLongerStoppedRows(plan), ...unknownRows(plan)].map(policyIssue),
  ];
}

/** Returns a report's annotations: remarks, and failed or stale operations. */
export function failureAnnotations(report: Report): readonly Annotation[] {
  return [...remarksOn(report).map(remarkIssue), ...report.outcomes.flatMap(outcomeIssues)];
}

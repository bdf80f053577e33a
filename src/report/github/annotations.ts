/** Converts plans and failed operations into pull request annotations. */

import type { Finding, PlanProblems } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import { findingRow, remarksOn } from "../document/document-of.ts";
import { findingIssue, outcomeIssues, policyIssue, problemIssue, remarkIssue } from "../document/issues.ts";
import { noLongerStoppedRows, type PlanVerdicts, policyRows, unknownRows } from "../document/policies.ts";
import { problemRow } from "../document/problems.ts";
import type { Annotation } from "./annotation-text.ts";

/** The parts of a plan that annotations show. */
export interface AnnotatedPlan extends PlanVerdicts, PlanProblems {
  readonly findings: readonly Finding[];
}

/** Returns a plan's annotations: problems, findings, new violations, and unknown verdicts. */
export function annotationsOf(plan: AnnotatedPlan): readonly Annotation[] {
  const { problems = [], findings, names } = plan;
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

/** Converts the result of a check into a document. */

import type { PolicyCount } from "../../model/catalog-policy.ts";
import { type CheckResult, checkTotals, isBelow, restrictedOf } from "../../plan/policies/check-result.ts";
import { policyFindings } from "../../plan/policies/findings.ts";
import { countOf, matchedBy, percentOf, type PolicyResult } from "../../plan/policies/judge-policies.ts";
import { count, numberText, restrictedText } from "../count.ts";
import { printable } from "../printable.ts";
import { type CheckedPolicy, type Document, emptyDocument, type FindingRow, type View } from "./document.ts";
import { aboutPolicy, verdictSubject, policyHelpOf, policyRows, violationText } from "./policies.ts";
import { problemRow } from "./problems.ts";
import { positionText } from "./values.ts";

/** Builds the document for a check: each policy, its violations, and the totals. */
export function checkDocument(check: CheckResult, view: View): Document {
  const { policies, problems, at } = check;
  const counts = policies.map(countOf);
  return {
    ...emptyDocument,
    verdict: checkLine(check, counts),
    checkOf: check,
    problems: problems.map((problem) => problemRow(problem, view.lineOf)),
    policies: policyRows({ policies: counts, createdAt: at }),
    policyHelp: policyHelpOf(
      counts.filter(({ introduced }) => introduced.length > 0),
      at,
    ),
    findings: [...policyFindings(policies).map(violationRow), ...policies.filter(isBelow).map(coverageRow)],
    judged: counts,
    checked: policies.map((result) => checkedPolicy(result, view.all === true)),
    complete: "The full result is available as JSON (`check --format json`).",
  };
}

function checkLine(check: CheckResult, counts: readonly PolicyCount[]): string {
  const { matched, passes, introduced, fixed, existing, waived, unknown } = checkTotals(counts);
  const others = Object.entries({ introduced, fixed, existing, waived, unknown })
    .filter(([, number]) => number > 0)
    .map(([name, number]) => `${numberText(number)} ${name}`);
  const numbers = [`${numberText(passes)} of ${numberText(matched)} pass`, ...others];
  return `Check: ${count(counts.length, "policy", "policies")}; ${numbers.join(", ")}.${restrictedText(restrictedOf(check))}`;
}

function violationRow(finding: ReturnType<typeof policyFindings>[number]): FindingRow {
  const violations = count(finding.numbers["violations"] ?? 0, "violation");
  return { ...finding, text: printable(`Failed: policy ${finding.rule}: ${violations}.`) };
}

function coverageRow(result: PolicyResult): FindingRow {
  const { id, minPercent = 0 } = result.policy;
  const text = printable(
    `Failed: policy ${id}: ${percentText(result)} pass, at least ${minPercent}% required.`,
  );
  const numbers = { percent: percentOf(result), min_percent: minPercent };
  return {
    guard: "policy",
    severity: "error",
    rule: id,
    numbers,
    flag: "",
    setting: "",
    changes: [],
    text,
  };
}

/** Formats a percentage. It is rounded down, so 99.99% is not shown as 100%. */
function percentText(result: PolicyResult): string {
  return `${Math.floor(percentOf(result) * 10) / 10}%`;
}

/**
 * The maximum number of verdicts to list for a policy, unless all are requested. All other verdicts are counted, but not listed.
 */
const maxListed = 20;

function checkedPolicy(result: PolicyResult, all: boolean): CheckedPolicy {
  const { policy, passes, existing, fixed, waived, unknown } = result;
  const listed = [
    ...unknown.map((each) => `unknown: ${violationText(each)}`),
    ...existing.map((each) => `existing: ${violationText(each)}`),
    ...waived.map(
      (each) =>
        `waived until ${each.waiver.expires}: ${verdictSubject(each)} (${positionText(each.waiver.origin)}: ${each.waiver.reason})`,
    ),
    ...fixed.map((each) => `fixed: ${verdictSubject(each)}`),
  ];
  const shown = all ? listed : listed.slice(0, maxListed);
  const left = listed.length - shown.length;
  const severity = policy.severity === "warning" ? " (warning)" : "";
  const matched = matchedBy(result);
  const verdict =
    matched === 0
      ? "matches nothing"
      : `${numberText(passes)} of ${numberText(matched)} pass (${percentText(result)})`;
  const text = `policy ${policy.id}${severity}: ${verdict}`;
  return {
    policy: policy.id,
    text: printable(text),
    origin: policy.origin,
    waived: waived.map((each) => ({
      text: printable(verdictSubject(each)),
      reason: printable(`waived until ${each.waiver.expires}: ${each.waiver.reason}`),
    })),
    lines: [
      ...(policy.description === undefined && !policy.codeOwners ? [] : [printable(aboutPolicy(policy))]),
      ...shown.map(printable),
      ...(left > 0 ? [`… and ${numberText(left)} more (--all lists them)`] : []),
    ],
  };
}

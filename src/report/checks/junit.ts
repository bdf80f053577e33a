/** Prints a result as JUnit XML, for Jenkins, GitLab and similar tools. */

import type { PolicyCount } from "../../model/catalog-policy.ts";
import { groupBy } from "../../model/group-by.ts";
import { numberText, sum } from "../count.ts";
import type { CheckedPolicy, Document, Result, View } from "../document/document.ts";
import { documentOf } from "../document/document-of.ts";
import { type Issue, type IssueClass, issuesOf } from "../document/issues.ts";
import { positionText } from "../document/values.ts";
import { chunked } from "../chunks.ts";
import { printable } from "../printable.ts";

const suites: Readonly<Record<IssueClass, string>> = {
  failure: "error",
  problem: "problems",
  finding: "findings",
  violation: "violations",
  remark: "remarks",
  outcome: "operations",
};

/**
 * Lists the suites that are always printed. Without issues, they contain a passing test case, because Jenkins rejects files
 * without test cases. For drift, an empty findings suite is omitted, because guards do not check drift.
 */
function alwaysIn({ isDrift }: Document): readonly string[] {
  return isDrift ? [suites.problem] : [suites.problem, suites.finding];
}

/**
 * Prints a suite for each policy and each class of issue. An error becomes a failed test case. A warning becomes a test case with
 * output. A waived violation becomes a skipped test case with its reason.
 */
export function printJunit(result: Result, view: View): Iterable<string> {
  return chunked(documentParts(documentOf(result, view)));
}

interface Suite {
  readonly name: string;
  readonly issues: readonly Issue[];
  readonly skipped: readonly Skipped[];
  /** The names of the test cases that pass. */
  readonly passing: readonly string[];
  readonly properties: Readonly<Record<string, number>>;
}

interface Skipped {
  readonly name: string;
  readonly reason: string;
}

function* documentParts(document: Document): Iterable<string> {
  const all = suitesOf(document);
  const failures = sum(all.map(({ issues }) => failuresOf(issues)));
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites name="datahub-gitops" tests="${sum(all.map(testsOf))}" failures="${failures}" errors="0">\n`;
  for (const suite of all) yield* suiteParts(suite, document);
  yield "</testsuites>\n";
}

function suitesOf(document: Document): readonly Suite[] {
  const { about, judged, checked } = document.plan ?? document;
  const issues = issuesOf(document);
  const byName = groupBy(issues, suiteOf);
  const isJudged = issues.length === 0 || about !== undefined || judged.length > 0;
  const names = new Set([...(isJudged ? alwaysIn(document) : []), ...byName.keys()]);
  const policies = judged.map((policy) => {
    const row = checked.find((each) => each.policy === policy.id);
    const own = byName.get(policySuite(policy.id)) ?? [];
    return policySuiteOf(policy, own, row?.waived);
  });
  for (const { name } of policies) names.delete(name);
  const others = [...names].map((name): Suite => {
    const own = byName.get(name) ?? [];
    return {
      name,
      issues: own,
      skipped: [],
      passing: own.length === 0 ? [`no ${name}`] : [],
      properties: {},
    };
  });
  return [...others, ...policies];
}

function suiteOf({ policy, class: of }: Issue): string {
  return policy === undefined ? suites[of] : policySuite(policy);
}

function policySuite(id: string): string {
  return `policy ${id}`;
}

/** Builds the suite for a policy. Entities that pass are counted, not listed. In a plan, the same applies to waived entities. */
function policySuiteOf(
  policy: PolicyCount,
  issues: readonly Issue[],
  rows: CheckedPolicy["waived"] = [],
): Suite {
  const { id, matched, passes, introduced, fixed, existing, waived, unknown } = policy;
  const counted = `${numberText(waived)} waived`;
  return {
    name: policySuite(id),
    issues,
    skipped:
      rows.length > 0 || waived === 0
        ? rows.map(({ text, reason }) => ({ name: text, reason }))
        : [{ name: counted, reason: counted }],
    passing: [`${numberText(passes)} of ${numberText(matched)} pass`],
    properties: {
      matched,
      passes,
      introduced: introduced.length,
      fixed: fixed.length,
      existing,
      waived,
      unknown,
    },
  };
}

function* suiteParts(suite: Suite, { verdict, about }: Document): Iterable<string> {
  const { issues, skipped, passing } = suite;
  const name = xml(suite.name);
  const numbers = `tests="${testsOf(suite)}" failures="${failuresOf(issues)}" errors="0" skipped="${skipped.length}"`;
  const at = about ? ` timestamp="${xml(about.createdAt)}"` : "";
  const of = `classname="datahub-gitops.${name}"`;
  yield `  <testsuite name="${name}" ${numbers}${at}>\n    <properties>\n`;
  yield `      <property name="verdict" value="${xml(verdict)}"/>\n`;
  for (const [key, number] of Object.entries(suite.properties))
    yield `      <property name="${key}" value="${number}"/>\n`;
  yield "    </properties>\n";
  for (const issue of issues) yield caseText(of, issue);
  for (const each of skipped)
    yield `    <testcase ${of} name="${xml(each.name)}"><skipped>${xml(each.reason)}</skipped></testcase>\n`;
  for (const each of passing) yield `    <testcase ${of} name="${xml(each)}"/>\n`;
  yield "  </testsuite>\n";
}

function caseText(of: string, issue: Issue): string {
  const { level, code, title, message, help = [], file, at } = issue;
  const place = file === undefined ? "" : at ? positionText({ file, ...at }) : printable(file);
  const text = [place === "" ? message : `${place}: ${message}`, ...help].map(xml).join("\n");
  const name = xml([title, place].filter((part) => part !== "").join(" "));
  const body =
    level === "error"
      ? `<failure type="${xml(code)}" message="${xml(message)}">${text}</failure>`
      : `<system-out>${text}</system-out>`;
  return `    <testcase ${of} name="${name}">\n      ${body}\n    </testcase>\n`;
}

function testsOf({ issues, skipped, passing }: Suite): number {
  return issues.length + skipped.length + passing.length;
}

function failuresOf(issues: readonly Issue[]): number {
  return issues.filter(({ level }) => level === "error").length;
}

/** Escapes text for XML, and removes the characters that XML 1.0 does not allow. */
function xml(text: string): string {
  return printable(text)
    .replaceAll(/[\p{Surrogate}\uFFFE\uFFFF]/gu, "\uFFFD")
    .replaceAll(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

import { groupBy } from "../../model/group-by.ts";
import type { Document, Result, View } from "../document/document.ts";
import { documentOf } from "../document/documents.ts";
import { type Issue, type IssueClass, issuesOf } from "../document/issues.ts";
import { positionText } from "../document/values.ts";
import { gathered } from "../pieces.ts";
import { printable } from "../printable.ts";

const suites: Readonly<Record<Exclude<IssueClass, "violation">, string>> = {
  failure: "error",
  problem: "problems",
  finding: "findings",
  remark: "remarks",
  outcome: "operations",
};

/** Suites that a plan has also where there is nothing to list: Jenkins refuses a file without a test case. */
const always = [suites.problem, suites.finding];

/** A result as JUnit XML, which Jenkins, GitLab and others read: an error is a failed test case, a warning one with output. */
export function printJunit(result: Result, view: View): Iterable<string> {
  return gathered(documentParts(documentOf(result, view)));
}

function* documentParts(document: Document): Iterable<string> {
  const issues = issuesOf(document);
  const bySuite = groupBy(issues, suiteOf);
  const passing = issues.length === 0 || document.about !== undefined ? always : [];
  const names = [...new Set([...bySuite.keys(), ...passing])];
  const tests = names.reduce((sum, name) => sum + (bySuite.get(name)?.length ?? 1), 0);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites name="datahub-gitops" tests="${tests}" failures="${failuresOf(issues)}" errors="0">\n`;
  for (const name of names) yield* suiteParts(xml(name), bySuite.get(name) ?? [], document);
  yield "</testsuites>\n";
}

/** Each policy is a suite of its own. */
function suiteOf(issue: Issue): string {
  return issue.class === "violation" ? issue.title : suites[issue.class];
}

function* suiteParts(name: string, issues: readonly Issue[], { verdict, about }: Document): Iterable<string> {
  const tests = Math.max(1, issues.length);
  const at = about ? ` timestamp="${xml(about.createdAt)}"` : "";
  yield `  <testsuite name="${name}" tests="${tests}" failures="${failuresOf(issues)}" errors="0" skipped="0"${at}>\n`;
  yield `    <properties>\n      <property name="verdict" value="${xml(verdict)}"/>\n    </properties>\n`;
  for (const issue of issues) yield caseText(name, issue);
  if (issues.length === 0) yield `    <testcase classname="datahub-gitops.${name}" name="no ${name}"/>\n`;
  yield "  </testsuite>\n";
}

function caseText(suite: string, { level, code, title, message, file, at }: Issue): string {
  const place = file === undefined ? "" : at ? positionText({ file, ...at }) : printable(file);
  const text = xml(place === "" ? message : `${place}: ${message}`);
  const name = xml([title, place].filter((part) => part !== "").join(" "));
  const body =
    level === "error"
      ? `<failure type="${xml(code)}" message="${xml(message)}">${text}</failure>`
      : `<system-out>${text}</system-out>`;
  return `    <testcase classname="datahub-gitops.${suite}" name="${name}">\n      ${body}\n    </testcase>\n`;
}

function failuresOf(issues: readonly Issue[]): number {
  return issues.filter(({ level }) => level === "error").length;
}

/** A text as XML, without the characters that XML 1.0 does not have. */
function xml(text: string): string {
  return printable(text)
    .replaceAll(/[\p{Surrogate}\uFFFE\uFFFF]/gu, "\uFFFD")
    .replaceAll(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

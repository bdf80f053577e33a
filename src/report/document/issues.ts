/** Converts a document into issues for code review tools, each with a code, a location and a fingerprint. */

import { type Change, isFacetChange } from "../../model/change.ts";
import type { Origin } from "../../model/origin.ts";
import type { PolicyCount } from "../../model/catalog-policy.ts";
import type { Outcome } from "../../model/report.ts";
import { isOfPolicy } from "../../plan/policies/findings.ts";
import { sha256 } from "../../plan/base/hash.ts";
import { count } from "../count.ts";
import type { Row } from "../page.ts";
import { printable } from "../printable.ts";
import {
  changesIn,
  type Document,
  type FindingRow,
  type PolicyRow,
  type ProblemRow,
  type Remark,
} from "./document.ts";
import { workText } from "./outcomes.ts";
import { verdictSubject } from "./policies.ts";
import { placeIn, sourcePosition } from "./values.ts";

/** The type of problem that an issue reports. */
export type IssueClass = "problem" | "finding" | "violation" | "outcome" | "remark" | "failure";

/** An error or a warning, with its location if it has one. */
export interface Issue extends Subject {
  readonly class: IssueClass;
  readonly level: "error" | "warning";
  readonly message: string;
  readonly file?: string;
  /** Absent if only the file is known, or if the line belongs to an earlier commit. */
  readonly at?: Pick<Origin, "line" | "column">;
}

/** An issue's code, title and explanation. The row supplies the other fields. */
interface Subject {
  /** The public code: the code of a problem, or a code such as `guard-deletes` or `operation-failed`. */
  readonly code: string;
  readonly title: string;
  /** The policy that the issue concerns. */
  readonly policy?: string;
  /** Explanatory lines. */
  readonly help?: readonly string[];
  /** The data from which the fingerprint is computed. It must not change when lines move. */
  readonly identity: unknown;
}

/** Converts a document into issues, in the same order as the text output. Without a plan, returns at least one error. */
export function issuesOf(document: Document): readonly Issue[] {
  const { failure, plan, problems, findings, remarks, outcomes } = document;
  const changes = changesIn(document);
  return [
    ...(failure ? [failureIssue(failure)] : []),
    ...(plan ? issuesOf(plan) : []),
    ...problems.map(problemIssue),
    ...findings.map((finding) => findingIssue(finding, changes)),
    ...[...document.policies, ...document.lifted].map(policyIssue),
    ...document.judged.filter(({ unknown }) => unknown > 0).map(unknownIssue),
    ...remarks.map(remarkIssue),
    ...outcomes.flatMap((row) => row.outcomes).flatMap(outcomeIssues),
  ];
}

function issueOf(of: IssueClass, row: Row, subject: Subject): Issue {
  const { severity: level = "error", text: message, origin, isOfFile = false } = row;
  const at = origin && !isOfFile && { line: origin.line, column: origin.column };
  return { ...subject, class: of, level, message, ...(origin && { file: origin.file }), ...(at && { at }) };
}

function failureIssue({ code, message }: NonNullable<Document["failure"]>): Issue {
  const row = { text: printable(message) };
  return issueOf("failure", row, { code: printable(code), title: "error", identity: code });
}

/** Converts a problem into an issue. */
export function problemIssue(row: ProblemRow): Issue {
  const { code, args, text, origin, related } = row;
  const other = related ? ` (see also ${sourcePosition(related)})` : "";
  const shown = printable(code);
  const subject = { code: shown, title: shown, identity: [code, args, origin?.file] };
  return issueOf("problem", { ...row, text: text + other }, subject);
}

/** The maximum number of unknown verdicts that an issue lists. */
const maxListed = 20;

/** Returns a policy's unknown verdicts as an error, because the policy may be violated. */
function unknownIssue({ id, unknown, unknownEntities = [], source: origin }: PolicyCount): Issue {
  const listed = unknownEntities.slice(0, maxListed);
  const help = listed.map((each) => printable(`${verdictSubject(each)}: ${each.reason}`));
  const text = printable(`policy ${id}: ${count(unknown, "verdict")} unknown`);
  const subject = { code: "policy-unknown", title: "policy unknown", policy: id, help, identity: id };
  return issueOf("finding", { text, origin }, subject);
}

/** Converts a finding into an issue, located at the finding's first change that has a known location. */
export function findingIssue(finding: FindingRow, changes: readonly Change[] = []): Issue {
  const { guard, facet, rule } = finding;
  const urns = new Set<string>(finding.changes.map(({ urn }) => urn));
  const origin = changes.find((change) => urns.has(change.urn) && change.source?.base !== true)?.source;
  const title =
    isOfPolicy(finding) && rule !== undefined ? printable(`guard policy ${rule}`) : `guard ${guard}`;
  const subject = { code: `guard-${guard}`, title, identity: [guard, facet, rule] };
  return issueOf("finding", { ...finding, ...(origin && { origin }) }, subject);
}

/** Converts a new violation into an issue, located at the change that causes the violation. */
export function policyIssue(row: PolicyRow): Issue {
  const { policy, judged, help } = row;
  const title = printable(`policy ${policy}`);
  const identity = [policy, judged.urn, judged.column];
  const code = `policy-${printable(policy)}`;
  return issueOf("violation", row, { code, title, policy, identity, ...(help.length > 0 && { help }) });
}

/** Converts a report's remark into an issue. */
export function remarkIssue(remark: Remark): Issue {
  const { title, text } = remark;
  return issueOf("remark", remark, { code: title.replaceAll(" ", "-"), title, identity: [title, text] });
}

/**
 * Returns an issue for a failed or stale operation, at the location of its first change. Returns no issues for other operations.
 */
export function outcomeIssues(outcome: Outcome): readonly Issue[] {
  if (outcome.status !== "failed" && outcome.status !== "stale") return [];
  const { status, operation } = outcome;
  const { urn, source: origin } = operation.changes[0] ?? {};
  const [severity, reason] =
    status === "stale" ? (["warning", outcome.because] as const) : (["error", outcome.error] as const);
  const title = workText(operation);
  const identity = [status, urn, title, operation.changes.filter(isFacetChange).map(placeIn)];
  const text = printable(`${status} for \`${urn}\`: ${reason}`);
  const row = { severity, text, ...(origin && !origin.base && { origin }) };
  return [issueOf("outcome", row, { code: `operation-${status}`, title, identity })];
}

/** Computes a fingerprint for each issue. Fingerprints do not depend on lines, and are unique among the issues. */
export function fingerprintsOf(issues: readonly Issue[]): readonly string[] {
  const times = new Map<string, number>();
  return issues.map(({ class: of, code, identity }) => {
    const own = sha256([of, code, identity]);
    const before = times.get(own) ?? 0;
    times.set(own, before + 1);
    return before === 0 ? own : sha256([own, before]);
  });
}

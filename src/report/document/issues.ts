/** Turns a document into issues for code review tools, each with a code, a place and a fingerprint. */

import { type Change, isFacetChange } from "../../model/change.ts";
import type { Origin } from "../../model/origin.ts";
import type { PolicyCount } from "../../model/catalog-policy.ts";
import type { Finding } from "../../model/plan.ts";
import type { Outcome } from "../../model/report.ts";
import { isOfPolicy } from "../../plan/policies/findings.ts";
import { sha256 } from "../../plan/base/hash.ts";
import { count } from "../count.ts";
import { printable } from "../printable.ts";
import type { Document, FindingRow, PolicyRow, ProblemRow, Remark } from "./document.ts";
import { workText } from "./outcomes.ts";
import { verdictSubject } from "./policies.ts";
import { placeIn, sourcePosition } from "./values.ts";

/** The subject of an issue. */
export type IssueClass = "problem" | "finding" | "violation" | "outcome" | "remark" | "failure";

/** An obstacle or a warning, at a line if it has one. */
export interface Issue {
  readonly class: IssueClass;
  readonly level: "error" | "warning";
  /** The public code: that of a problem, or one such as `guard-deletes` or `operation-failed`. */
  readonly code: string;
  readonly title: string;
  /** The policy that the issue is about. */
  readonly policy?: string;
  readonly message: string;
  /** Lines of explanation. */
  readonly help?: readonly string[];
  readonly file?: string;
  /** Absent if only the file is known, or if the line is in an earlier commit. */
  readonly at?: Pick<Origin, "line" | "column">;
  /** The input of the fingerprint. It must not change when lines move. */
  readonly identity: unknown;
}

/** The issues of a result, in the order of its text. Without a plan, there is at least one error. */
export function issuesOf(document: Document): readonly Issue[] {
  const { failure, plan, problems, findings, remarks, outcomes } = document;
  const changes = document.changes.flatMap((group) => group.changes);
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

function failureIssue({ code, message }: NonNullable<Document["failure"]>): Issue {
  return {
    class: "failure",
    level: "error",
    code: printable(code),
    title: "error",
    message: printable(message),
    identity: code,
  };
}

/** A problem as an issue. */
export function problemIssue({ severity, code, args, text, origin, isOfFile, related }: ProblemRow): Issue {
  const other = related ? ` (see also ${sourcePosition(related)})` : "";
  return {
    class: "problem",
    level: severity,
    code: printable(code),
    title: printable(code),
    message: text + other,
    ...(origin && { file: origin.file, ...(!isOfFile && { at: lineOf(origin) }) }),
    identity: [code, args, origin?.file],
  };
}

/** The maximum of unknown verdicts that an issue lists. */
const maxListed = 20;

/** The unknown verdicts of a policy are an error, because the policy may be violated. */
function unknownIssue({ id, unknown, unknownEntities = [], source }: PolicyCount): Issue {
  const listed = unknownEntities.slice(0, maxListed);
  return {
    class: "finding",
    level: "error",
    code: "policy-unknown",
    title: "policy unknown",
    policy: id,
    message: printable(`policy ${id}: ${count(unknown, "verdict")} unknown`),
    help: listed.map((each) => printable(`${verdictSubject(each)}: ${each.reason}`)),
    file: source.file,
    at: lineOf(source),
    identity: id,
  };
}

/** A finding as an issue, at the first of its changes with a known place. */
export function findingIssue(finding: FindingRow, changes: readonly Change[] = []): Issue {
  const { severity, guard, facet, rule, text, changes: those } = finding;
  return {
    class: "finding",
    level: severity,
    code: `guard-${guard}`,
    title: isOfPolicy(finding) && rule !== undefined ? printable(`guard policy ${rule}`) : `guard ${guard}`,
    message: text,
    ...placeOf(those, changes),
    identity: [guard, facet, rule],
  };
}

function placeOf(those: Finding["changes"], changes: readonly Change[]): Pick<Issue, "file" | "at"> {
  const urns = new Set<string>(those.map(({ urn }) => urn));
  const source = changes.find((change) => urns.has(change.urn) && change.source?.base !== true)?.source;
  return source ? { file: source.file, at: lineOf(source) } : {};
}

/** A violation that a plan introduces as an issue, at the change that causes it. */
export function policyIssue({ severity, policy, judged, text, help, origin }: PolicyRow): Issue {
  return {
    class: "violation",
    level: severity,
    code: `policy-${printable(policy)}`,
    title: printable(`policy ${policy}`),
    policy,
    message: text,
    ...(help.length > 0 && { help }),
    ...(origin && { file: origin.file, at: lineOf(origin) }),
    identity: [policy, judged.urn, judged.column],
  };
}

/** A remark on a report as an issue. */
export function remarkIssue({ severity, title, text }: Remark): Issue {
  return {
    class: "remark",
    level: severity,
    code: title.replaceAll(" ", "-"),
    title,
    message: text,
    identity: [title, text],
  };
}

/** A failed or stale operation as an issue at the place of its first change. Other operations have none. */
export function outcomeIssues(outcome: Outcome): readonly Issue[] {
  if (outcome.status !== "failed" && outcome.status !== "stale") return [];
  const { status, operation } = outcome;
  const { urn, source } = operation.changes[0] ?? {};
  const [level, reason] =
    status === "stale" ? (["warning", outcome.because] as const) : (["error", outcome.error] as const);
  const title = workText(operation);
  return [
    {
      class: "outcome",
      level,
      code: `operation-${status}`,
      title,
      message: printable(`${status} for \`${urn}\`: ${reason}`),
      ...(source && !source.base && { file: source.file, at: lineOf(source) }),
      identity: [status, urn, title, operation.changes.filter(isFacetChange).map(placeIn)],
    },
  ];
}

function lineOf({ line, column }: Origin): Pick<Origin, "line" | "column"> {
  return { line, column };
}

/** The fingerprint of each issue. It does not depend on lines, and is unique among the issues. */
export function fingerprintsOf(issues: readonly Issue[]): readonly string[] {
  const times = new Map<string, number>();
  return issues.map(({ class: of, code, identity }) => {
    const own = sha256([of, code, identity]);
    const before = times.get(own) ?? 0;
    times.set(own, before + 1);
    return before === 0 ? own : sha256([own, before]);
  });
}

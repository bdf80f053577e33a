/** Evaluates one policy against one entity, and returns a verdict for the entity or for each of its columns. */

import type { CatalogPolicy, ColumnPolicy, Judged, Waiver } from "../../model/catalog-policy.ts";
import type { AssetColumn } from "../../model/rule.ts";
import { notViewable } from "../../model/restricted.ts";
import { type Budget, budgetOf, spentReason } from "./budget.ts";
import { describeValues } from "./violating-values.ts";
import { type Check, checkOf, requirementsOf } from "./policy.ts";
import { matchesColumn, matchesSubject } from "./matches.ts";
import { messageOf } from "./message.ts";
import { allTrue, type Checked, checkRequirement, reasonsIn } from "./requirements.ts";
import { allOf, anyOf, ownerOf, type People, type Subject, type Truth, valuesAt } from "./subject.ts";

/** A policy's verdict on an entity or column that the policy matches or may match. */
export interface Verdict extends Judged {
  readonly status: "passes" | "violates" | "waived" | "unknown";
  /** The reasons why the entity or column violates the policy, or why it is unknown whether it does. */
  readonly reasons: readonly string[];
  /** The values in the facets that the policy uses, as text. Present only if the entity or column violates the policy. */
  readonly found?: string | undefined;
  readonly waiver?: Waiver;
}

/** Evaluates one policy against an entity. */
export type Judge = (subject: Subject, people: People) => readonly Verdict[];

/** Prepares a policy for evaluation on a UTC date such as `2027-01-31`. Waivers that expired before that date have no effect. */
export function judgeOf(policy: CatalogPolicy, waivers: readonly Waiver[], day: string): Judge {
  const check = checkOf(policy);
  const own = waivers.filter(({ policy: id }) => id === policy.id);
  const prepared = {
    policy,
    check,
    facets: [...requirementsOf(policy).map(({ facet }) => facet), ...(check?.facets ?? [])],
    waivers: own.filter(({ expires }) => expires >= day),
    expired: own.filter(({ expires }) => expires < day),
    budget: budgetOf(),
  };
  return (subject, people) => {
    if (subject.asset.kind !== policy.kind) return [];
    const match = matchesSubject(policy, subject);
    if (match === false) return [];
    const judging = { prepared, match, subject, people };
    const verdicts = policy.columns ? ofColumns(judging, policy.columns) : [ofEntity(judging)];
    return subject.isRestricted ? verdicts.map(restricted) : verdicts;
  };
}

/** Replaces the reasons for an unknown verdict on an entity that the token may not view. */
function restricted(found: Verdict): Verdict {
  return found.status === "unknown" ? { ...found, reasons: [notViewable] } : found;
}

/** A policy that is prepared for evaluation. */
interface PreparedPolicy {
  readonly policy: CatalogPolicy;
  readonly check: Check | undefined;
  /** The facets that the policy requires or that its check uses. */
  readonly facets: readonly string[];
  readonly waivers: readonly Waiver[];
  readonly expired: readonly Waiver[];
  readonly budget: Budget;
}

/** A policy, and the subject on which it is evaluated. All verdicts on a catalog share the prepared policy. */
interface Judging {
  readonly prepared: PreparedPolicy;
  readonly match: Truth;
  readonly subject: Subject;
  readonly people: People;
}

function ofEntity(judging: Judging): Verdict {
  const { prepared, subject, people, match } = judging;
  const { policy, check } = prepared;
  const checked = policy.requirements.flatMap((each) => checkRequirement(each, subject, people));
  return verdict(judging, match, [...checked, ...(check ? [evaluated(check, judging)] : [])]);
}

function ofColumns(judging: Judging, columns: ColumnPolicy): readonly Verdict[] {
  const { subject, people, match } = judging;
  // Unread columns produce one unknown verdict, so the entity does not pass.
  if (subject.isUnread) return [verdict(judging, "unknown", [])];
  return (subject.asset.columns ?? []).flatMap((column) => {
    const truth = allOf([match, matchesColumn(columns, subject, column)]);
    if (truth === false) return [];
    const checked = columns.requirements.flatMap((each) =>
      checkRequirement(each, subject, people, [column.path]),
    );
    return [verdict(judging, truth, checked, column)];
  });
}

function verdict(
  { prepared: { policy, facets, waivers, expired }, subject }: Judging,
  match: Truth,
  checked: readonly Checked[],
  column?: AssetColumn,
): Verdict {
  const { urn } = subject.asset;
  const judged = column ? { urn, column: column.path } : { urn };
  if (match === "unknown")
    return unknownVerdict(judged, ["a field that the policy's `match` uses could not be read"]);
  const truth = allTrue(checked);
  if (truth === true) return { ...judged, status: "passes", reasons: [] };
  const found = reasonsIn(checked);
  if (truth === "unknown") return unknownVerdict(judged, found);
  const reasons = policy.message === undefined ? found : [messageOf(policy.message, subject.asset, column)];
  const violated = { ...judged, found: describeValues(subject, facets, column?.path) };
  const isWaived = waivers.map((waiver) => matchesSubject(waiver, subject));
  const waiver = waivers.find((_, index) => isWaived[index] === true);
  if (waiver) return { ...violated, status: "waived", reasons, waiver };
  if (anyOf(isWaived) === false) {
    const ended = expired.filter((each) => matchesSubject(each, subject) === true).map(expiryReason);
    return { ...violated, status: "violates", reasons: [...reasons, ...ended] };
  }
  return unknownVerdict(judged, ["a field that a waiver's `match` uses could not be read"]);
}

function unknownVerdict(judged: Judged, reasons: readonly string[]): Verdict {
  return { ...judged, status: "unknown", reasons };
}

function expiryReason({ expires, origin: { file, line, column } }: Waiver): string {
  return `its waiver (${file}:${line}:${column}) expired on ${expires}`;
}

function evaluated(
  { expression, types, facets, usesPeople }: Check,
  { prepared: { budget }, subject, people }: Judging,
): Checked {
  const unread = subject.isUnread ? "the entity" : facets.find((facet) => !subject.facets.has(facet));
  if (unread !== undefined) return { truth: "unknown", reason: `${unread} could not be read` };
  if (usesPeople && facets.some((facet) => hasUnknownOwner(facet, subject, people))) {
    return { truth: "unknown", reason: "an owner could not be read" };
  }
  const steps = budget.next(subject.asset.urn);
  if (steps === 0) return { truth: "unknown", reason: spentReason };
  const outcome = expression.evaluate(types.objectOf(subject, people, expression.fields), steps);
  budget.spend(outcome.steps);
  if ("unknown" in outcome)
    return { truth: "unknown", reason: budget.isSpent() ? spentReason : outcome.unknown };
  return { truth: outcome.value, reason: `the check is false: ${expression.text.trim()}` };
}

function hasUnknownOwner(facet: string, subject: Subject, people: People): boolean {
  return (valuesAt(subject, facet) ?? []).some((value) => {
    const owner = ownerOf(facet, value);
    return owner !== undefined && !people.has(owner);
  });
}

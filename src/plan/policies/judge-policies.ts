/**
 * Evaluates policies against entities before and after a plan, and counts introduced, fixed, existing, waived and unknown
 * violations.
 */

import type {
  CatalogPolicy,
  Judged,
  Policies,
  PolicyCount,
  Violation,
  Waiver,
} from "../../model/catalog-policy.ts";
import { compareText } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import { spentReason } from "./budget.ts";
import type { People, Subject } from "./subject.ts";
import { judgeOf, type Judge, type Verdict } from "./verdicts.ts";

/** An entity before and after the plan. Either state is absent if the entity does not exist at that time. */
export interface SubjectPair {
  readonly live?: Subject | undefined;
  readonly planned?: Subject | undefined;
}

/** Users and groups before and after the plan. */
export interface PeoplePair {
  readonly live: People;
  readonly planned: People;
}

/** The verdicts of one policy: the number of passing verdicts, and all other verdicts. */
export interface PolicyResult {
  readonly policy: CatalogPolicy;
  readonly passes: number;
  /** Violations after the plan that did not exist before it. */
  readonly introduced: readonly Violation[];
  /** Violations that exist before the plan, under the current or base policies, but no longer exist after it. */
  readonly fixed: readonly Judged[];
  readonly existing: readonly Violation[];
  readonly waived: readonly (Violation & { readonly waiver: Waiver })[];
  readonly unknown: readonly Violation[];
  /**
   * The number of additional unknown verdicts after the policy used up its steps. `unknown` contains only the first of these
   * verdicts, with the reason.
   */
  readonly unjudged?: number;
}

/** The input of an evaluation, in addition to the entities. */
interface JudgeOptions {
  /** The policies at the last applied commit. If absent, only the current policies determine which violations are fixed. */
  readonly base?: Policies | undefined;
  /** The current date in UTC, for example `2027-01-31`. */
  readonly day: string;
  /** Returns the position of the change that causes a violation. */
  readonly sourceOf?: (policy: CatalogPolicy, judged: Judged) => Origin | undefined;
}

/** Evaluates policies against one entity at a time. */
interface PolicyJudge {
  /**
   * The evaluation functions, one for each policy. They are separate so the caller can do other work in between, because a policy
   * may take a long time to evaluate.
   */
  readonly each: readonly ((pair: SubjectPair, people: PeoplePair) => void)[];
  /** Returns the results, one for each policy, sorted by id. */
  readonly results: () => readonly PolicyResult[];
}

/** Creates a judge that evaluates policies before and after a plan, one entity at a time. */
export function policyJudge(at: Policies, { base, day, sourceOf }: JudgeOptions): PolicyJudge {
  const judged = at.policies
    .toSorted((a, b) => compareText(a.id, b.id))
    .map((policy) => {
      const before = base?.policies.find(({ id }) => id === policy.id);
      return {
        judge: judgeOf(policy, at.waivers, day),
        judgeOfBase: base && before && judgeOf(before, base.waivers, day),
        result: noResult(policy),
      };
    });
  return {
    each: judged.map(({ judge, judgeOfBase, result }) => (pair, people) => {
      const isSame = pair.live === pair.planned && people.live === people.planned;
      const before = verdictsBy(judge, pair.live, people.live);
      const ofBase = judgeOfBase ? verdictsBy(judgeOfBase, pair.live, people.live) : noVerdicts;
      const after = isSame ? before : verdictsBy(judge, pair.planned, people.planned);
      note(result, { before, ofBase, after }, sourceOf);
    }),
    results: () => judged.map(({ result }) => sorted(result)),
  };
}

type Verdicts = ReadonlyMap<string, Verdict>;

const noVerdicts: Verdicts = new Map();

/** Returns verdicts, keyed by column. A verdict about the entity itself has an empty key. */
function verdictsBy(judge: Judge, subject: Subject | undefined, people: People): Verdicts {
  if (!subject) return noVerdicts;
  return new Map(judge(subject, people).map((verdict) => [verdict.column ?? "", verdict]));
}

/** A result to which verdicts can still be added. */
type Growing = {
  -readonly [Key in keyof PolicyResult]: PolicyResult[Key] extends readonly (infer Each)[]
    ? Each[]
    : PolicyResult[Key];
};

function noResult(policy: CatalogPolicy): Growing {
  return { policy, passes: 0, introduced: [], fixed: [], existing: [], waived: [], unknown: [] };
}

interface Times {
  readonly before: Verdicts;
  readonly ofBase: Verdicts;
  readonly after: Verdicts;
}

function note(result: Growing, times: Times, sourceOf: JudgeOptions["sourceOf"]): void {
  const { before, ofBase, after } = times;
  for (const [key, verdict] of after) {
    const earlier = before.get(key);
    const { urn, column, reasons, found, status, waiver } = verdict;
    const judged: Judged = column === undefined ? { urn } : { urn, column };
    const violation = { ...judged, reasons, ...(found !== undefined && { found }) };
    if (status === "passes") result.passes += 1;
    else if (status === "waived") result.waived.push({ ...violation, waiver: waiver as Waiver });
    else if (status === "unknown") noteUnknown(result, { ...judged, reasons });
    else if (earlier?.status === "unknown") noteUnknown(result, { ...judged, reasons: earlier.reasons });
    else if (earlier?.status === "violates") result.existing.push(violation);
    else {
      const source = sourceOf?.(result.policy, judged);
      result.introduced.push({ ...violation, ...(source && { source }) });
    }
  }
  for (const key of new Set([...before.keys(), ...ofBase.keys()])) {
    const violating = [before.get(key), ofBase.get(key)].find((each) => each?.status === "violates");
    const now = after.get(key)?.status;
    if (!violating || (now !== undefined && now !== "passes")) continue;
    const { urn, column } = violating;
    result.fixed.push(column === undefined ? { urn } : { urn, column });
  }
}

function noteUnknown(result: Growing, unknown: Violation): void {
  const isSpent = unknown.reasons.includes(spentReason);
  if (isSpent && result.unknown.some(({ reasons }) => reasons.includes(spentReason)))
    result.unjudged = (result.unjudged ?? 0) + 1;
  else result.unknown.push(unknown);
}

function sorted(result: Growing): PolicyResult {
  return {
    ...result,
    introduced: result.introduced.toSorted(byPlace),
    fixed: result.fixed.toSorted(byPlace),
    existing: result.existing.toSorted(byPlace),
    waived: result.waived.toSorted(byPlace),
    unknown: result.unknown.toSorted(byPlace),
  };
}

/** Sorts verdicts by URN, then by column. */
export function byPlace(a: Judged, b: Judged): number {
  return compareText(a.urn, b.urn) || compareText(a.column ?? "", b.column ?? "");
}

/** Counts the verdicts after the plan. */
export function matchedBy(result: PolicyResult): number {
  const { passes, introduced, existing, waived } = result;
  return passes + introduced.length + existing.length + waived.length + unknownIn(result);
}

function unknownIn({ unknown, unjudged = 0 }: PolicyResult): number {
  return unknown.length + unjudged;
}

/** Returns the percentage of verdicts that pass after the plan. It is 100 if the policy matches nothing. */
export function percentOf(result: PolicyResult): number {
  const matched = matchedBy(result);
  return matched === 0 ? 100 : (result.passes / matched) * 100;
}

/** Converts a result to the format used in plans. */
export function countOf(result: PolicyResult): PolicyCount {
  const { policy, passes, introduced, fixed, existing, waived, unknown } = result;
  return {
    id: policy.id,
    ...(policy.description !== undefined && { description: policy.description }),
    ...(policy.codeOwners && { codeOwners: policy.codeOwners }),
    severity: policy.severity,
    source: policy.origin,
    matched: matchedBy(result),
    passes,
    introduced,
    fixed,
    existing: existing.length,
    waived: waived.length,
    unknown: unknownIn(result),
    unknownEntities: unknown.map(({ reasons, source: _, ...judged }) => ({
      ...judged,
      reason: reasons.join("; "),
    })),
  };
}

/**
 * Returns the violations that stop an apply. Only policies with the severity `error` stop an apply: for introduced violations
 * and, with `fail_on: any`, for existing violations.
 */
export function stoppingIn({ policy, introduced, existing }: PolicyResult): readonly Violation[] {
  if (policy.severity !== "error") return [];
  return policy.failOn === "any" ? [...introduced, ...existing] : introduced;
}

/** Whether a result stops an apply. */
export function isViolated(result: PolicyResult): boolean {
  return stoppingIn(result).length > 0;
}

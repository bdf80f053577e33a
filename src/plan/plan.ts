import { type Change, type EntityChange, isSetChange } from "../model/change.ts";
import { canonicalJson } from "../model/json.ts";
import type { Live } from "../model/live.ts";
import { type Memberships, noMemberships } from "../model/membership.ts";
import type { Finding, Plan, PlanHeader, Summary, Unmanaged } from "../model/plan.ts";
import { type Problem, sortProblems } from "../model/problem.ts";
import type { Entity, State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import { adopt } from "./adopt.ts";
import { type Base, type Declared, withBaseMembers } from "./base.ts";
import { isInConflict } from "./conflicts.ts";
import { resolveColumns } from "./columns.ts";
import { createdIn, withBlanks, withImplied } from "./definitions.ts";
import { domainCircles } from "./domain-circles.ts";
import { diff } from "./diff.ts";
import { sha256 } from "./fingerprint.ts";
import { guardFindings } from "./guards.ts";
import { liveProblems, unreadProblems } from "./live-problems.ts";
import { membersNoLongerDeclared, withMembers } from "./membership.ts";
import { settleMissing } from "./missing.ts";
import { orderChanges } from "./order.ts";
import { defaultPolicy, type Policy } from "./policy.ts";
import { withProvenance } from "./provenance.ts";
import { pruned } from "./prune.ts";
import type { Rules } from "./rules.ts";
import { ingestedIn, noLongerDeclared, reported } from "./unmanaged.ts";

/** What was found by comparing: all of a plan but what stands at its head. */
export interface Comparison extends Pick<Plan, "summary" | "changes" | "findings" | "unmanaged"> {
  readonly problems: readonly Problem[];
}

/** The difference between what is declared and what is there, with all that a reader of it must know. */
export function compare(
  { state: declared, groups }: Declared,
  found: Live,
  memberships: Memberships = noMemberships,
  policy: Policy = defaultPolicy,
): Comparison {
  const { base, ignored, limits } = policy;
  const created = createdIn(declared, found.missing);
  const resolved = resolveColumns(withImplied(declared, created), found.state);
  const blank = withBlanks(found.state, declared, created);
  const joined = withMembers(resolved.state, blank, groups, memberships, policy);
  const { live } = joined;
  const deletions = base && policy.prune ? pruned(declared, live, base.state, policy.prune, ignored) : [];
  const deleted = new Set(deletions.map(({ urn }) => urn));
  // The members of a group that is deleted fall with it.
  const desired: State = new Map([...joined.desired].filter(([urn]) => !deleted.has(urn)));
  const gone = base ? vanishedIn(declared, base) : [];
  const before = base && beforeOf(base, gone, found.state);
  const rules: Rules = { modes: policy.modes, ignored, base: before };
  const { state: adopted, kept } = adopt(desired, live, rules);
  const updates = withProvenance(diff(adopted, live), desired, live, rules, policy.winner).map((change) =>
    created.has(change.urn) ? { ...change, action: "create" as const } : change,
  );
  const changes = [...orderChanges([...updates, ...bareCreations(declared, created, updates)]), ...deletions];
  const left =
    base && before
      ? [
          ...noLongerDeclared(desired, live, before),
          ...membersNoLongerDeclared(declared, groups, memberships, base),
        ]
      : [];
  const others = [...ingestedIn(desired, found), ...joined.unmanaged, ...kept, ...left];
  const unmanaged = reported(others, ignored, deleted);
  const vanished = base && { urns: gone.map(({ urn }) => urn), of: base.size };
  const findings = guardFindings({ changes, desired, live, ignored, vanished }, limits);
  return {
    summary: summarise(changes, adopted.size, unmanaged, findings),
    changes,
    findings,
    unmanaged,
    problems: [
      ...liveProblems([...declared.values()], found),
      ...unreadProblems(gone, found),
      ...resolved.problems,
      ...joined.problems,
      ...domainCircles(adopted),
    ],
  };
}

/** What base declared, with columns and members as in live state, and the names that it left to their entities. */
function beforeOf({ state, groups }: Base, gone: readonly Entity[], live: State): State {
  const implied = withImplied(state, new Set(gone.map(({ urn }) => urn)));
  return resolveColumns(withBaseMembers({ state: implied, groups }), live).state;
}

/** The entities that base declares and nobody declares any more. */
function vanishedIn(declared: State, { state }: Base): readonly Entity[] {
  return [...state.values()].filter(({ urn }) => !declared.has(urn));
}

function bareCreations(
  declared: State,
  created: ReadonlySet<Urn>,
  changes: readonly Change[],
): readonly EntityChange[] {
  const changed = new Set(changes.map(({ urn }) => urn));
  return [...created].flatMap((urn) => {
    const entity = declared.get(urn);
    if (!entity || changed.has(urn)) return [];
    const { kind, origin } = entity;
    return [{ action: "create", kind, urn, ...(origin && { source: origin }), fingerprint: sha256(null) }];
  });
}

/** The plan of a comparison, with the problems that were found beside it. */
export function makePlan(
  header: PlanHeader,
  comparison: Comparison,
  others: readonly Problem[] = [],
  { missing, limits }: Pick<Policy, "missing" | "limits"> = defaultPolicy,
): Plan {
  const { tool, createdAt, target, git } = header;
  const { summary, changes, unmanaged } = comparison;
  const settled = settleMissing(sortProblems([...comparison.problems, ...others]), missing);
  const findings = [...settled.findings, ...comparison.findings];
  const { problems } = settled;
  const sealed = { formatVersion: "1", target, limits, changes, findings } as const;
  return {
    formatVersion: "1",
    tool,
    createdAt,
    target,
    git,
    limits,
    digest: digestOf(sealed),
    summary,
    changes,
    findings,
    unmanaged,
    ...(problems.length > 0 && { problems }),
  };
}

/** The problems because of which an apply writes nothing; what could not be read holds back only itself. */
export function refusingProblems({ problems = [] }: Pick<Plan, "problems">): readonly Problem[] {
  return problems.filter(({ severity, code }) => severity === "error" && code !== "read-failed");
}

/** What the digest of a plan is computed over. */
type Sealed = Pick<Plan, "formatVersion" | "target" | "limits" | "changes" | "findings">;

/** The digest of a plan. It finds accidents and edits; it is no signature. */
export function digestOf({ formatVersion, target, limits, changes, findings }: Sealed): string {
  const withoutSource = changes.map(({ source, ...change }) => change);
  return `sha256:${sha256({ formatVersion, target, limits, changes: withoutSource, findings })}`;
}

function summarise(
  changes: readonly Change[],
  present: number,
  unmanaged: readonly Unmanaged[],
  findings: readonly Finding[],
): Summary {
  const entities = (action: Change["action"]): number =>
    new Set(changes.flatMap((change) => (change.action === action ? [change.urn] : []))).size;
  const [created, updated, deleted] = [entities("create"), entities("update"), entities("delete")];
  const sets = changes.filter(isSetChange);
  return {
    create: created,
    update: updated,
    delete: deleted,
    unchanged: present - created - updated,
    additions: sets.reduce((sum, change) => sum + change.add.length, 0),
    removals: sets.reduce((sum, change) => sum + change.remove.length, 0),
    unmanaged: unmanaged.length,
    conflicts: changes.filter(isInConflict).length,
    blocked: blockedBy(findings),
  };
}

function blockedBy(findings: readonly Finding[]): number {
  const errors = findings.filter(({ severity }) => severity === "error");
  return new Set(errors.flatMap(({ changes }) => changes.map((change) => canonicalJson(change)))).size;
}

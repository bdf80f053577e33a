import { type Change, type EntityChange, type FacetChange } from "../model/change.ts";
import type { Live } from "../model/live.ts";
import { type Memberships, noMemberships } from "../model/membership.ts";
import type { Plan, Unmanaged } from "../model/plan.ts";
import type { Problem } from "../model/problem.ts";
import type { Entity, State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import { adopt } from "./adopt/adopt.ts";
import { type Base, type Declared, withBaseMembers } from "./sides/base.ts";
import { conflictOf, settled } from "./diff/conflicts.ts";
import { resolveColumns } from "./sides/columns.ts";
import { deletedValues, ignoredDeletions } from "./checks/deleted-values.ts";
import { createdIn, withBlanks, withImplied } from "./sides/definitions.ts";
import { domainCircles } from "./checks/parent-cycles.ts";
import { diff } from "./diff/diff.ts";
import { sha256 } from "./diff/fingerprint.ts";
import { guardFindings } from "./checks/guards.ts";
import { liveProblems, unreadProblems } from "./checks/live-problems.ts";
import { withMembers } from "./sides/membership.ts";
import { membersNoLongerDeclared } from "./sides/membership-edges.ts";
import { orderChanges } from "./order/order.ts";
import { defaultPolicy, type Policy } from "./policy.ts";
import { withProvenance } from "./diff/provenance.ts";
import { pruned } from "./diff/prune.ts";
import type { Rules } from "./adopt/rules.ts";
import { summarise } from "./diff/summary.ts";
import { ingestedIn, noLongerDeclared, reported } from "./diff/unmanaged.ts";

/** What was found by comparing: all of a plan but what stands at its head. */
export interface Comparison extends Pick<Plan, "summary" | "changes" | "findings" | "unmanaged"> {
  readonly problems: readonly Problem[];
}

/** The difference between what is declared and what is there, with all that a reader of it must know. */
export function compare(
  declared: Declared,
  found: Live,
  memberships: Memberships = noMemberships,
  policy: Policy = defaultPolicy,
): Comparison {
  const { base, modes, ignored, limits, winner } = policy;
  const sides = sidesOf(declared, found, memberships, policy);
  const { desired, live, before, gone, created, deletions } = sides;
  const rules: Rules = { modes, ignored, base: before };
  const { state: adopted, kept } = adopt(desired, live, rules);
  const updates = withProvenance(diff(adopted, live), desired, live, rules, winner);
  const changes = changesOf(declared.state, updates, created, deletions);
  const left = base && before ? leftBehind(declared, memberships, sides, base, before) : [];
  const others = [...ingestedIn(desired, found), ...sides.unmanaged, ...kept, ...left];
  const unmanaged = reported(others, ignored, new Set(deletions.map(({ urn }) => urn)));
  const vanished = base && { urns: gone.map(({ urn }) => urn), of: base.size };
  const findings = guardFindings({ changes, desired, live, ignored, vanished }, limits);
  return {
    summary: summarise(changes, adopted.size, unmanaged, findings),
    changes,
    findings,
    unmanaged,
    problems: [
      ...sides.problems,
      ...deletedValues(deletions, updates, [...sides.unmanaged, ...kept], desired),
      ...ignoredDeletions(deletions, ignored),
      ...domainCircles(withLive(adopted, settled({ changes: updates }).held)),
    ],
  };
}

/** What is declared, what is there and what was declared before, named alike: columns, members, implied names. */
interface Sides {
  readonly desired: State;
  readonly live: State;
  readonly before: State | undefined;
  /** What base declares and nobody declares any more. */
  readonly gone: readonly Entity[];
  readonly created: ReadonlySet<Urn>;
  readonly deletions: readonly EntityChange[];
  readonly unmanaged: readonly Unmanaged[];
  readonly problems: readonly Problem[];
}

function sidesOf(
  { state: declared, groups }: Declared,
  found: Live,
  memberships: Memberships,
  policy: Policy,
): Sides {
  const { base, prune, ignored } = policy;
  const created = createdIn(declared, found.missing);
  const resolved = resolveColumns(withImplied(declared, created), found.state);
  const blank = withBlanks(found.state, declared, created);
  const { desired, live, ...edges } = withMembers(resolved.state, blank, groups, memberships, policy);
  const gone = base ? vanishedIn(declared, base) : [];
  const deletions = base && prune ? pruned(declared, live, base.state, prune, ignored) : [];
  return {
    desired: withoutDeleted(desired, deletions),
    live,
    before: base && beforeOf(base, gone, found.state),
    gone,
    created,
    deletions,
    unmanaged: edges.unmanaged,
    problems: [
      ...liveProblems([...declared.values()], found),
      ...unreadProblems(gone, found),
      ...resolved.problems,
      ...edges.problems,
    ],
  };
}

// A group that users name stands among what is desired; when it is deleted, its members fall with it.
function withoutDeleted(desired: State, deletions: readonly EntityChange[]): State {
  const deleted = new Set(deletions.map(({ urn }) => urn));
  return new Map([...desired].filter(([urn]) => !deleted.has(urn)));
}

function changesOf(
  declared: State,
  updates: readonly FacetChange[],
  created: ReadonlySet<Urn>,
  deletions: readonly EntityChange[],
): readonly Change[] {
  const named = updates.map((change) =>
    created.has(change.urn) ? { ...change, action: "create" as const } : change,
  );
  return [...orderChanges([...named, ...bareCreations(declared, created, named)]), ...deletions];
}

/** The live values of what base declared and nobody declares any more. */
function leftBehind(
  { state, groups }: Declared,
  memberships: Memberships,
  { desired, live }: Sides,
  base: Base,
  before: State,
): readonly Unmanaged[] {
  return [
    ...noLongerDeclared(desired, live, before),
    ...membersNoLongerDeclared(state, groups, memberships, base),
  ];
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

/** The state that the held changes leave: their single values stay as they are. */
function withLive(adopted: State, held: readonly Change[]): State {
  if (held.length === 0) return adopted;
  const state = new Map(adopted);
  for (const change of held) {
    const entity = state.get(change.urn);
    const value = entity?.facets.get(change.facet ?? "");
    if (!entity || value?.shape !== "scalar" || change.facet === undefined) continue;
    const stays = { ...value, value: conflictOf(change)?.live ?? null };
    state.set(change.urn, { ...entity, facets: new Map([...entity.facets, [change.facet, stays]]) });
  }
  return state;
}

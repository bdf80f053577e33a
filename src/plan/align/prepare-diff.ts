/** Makes the desired state, the live state and base comparable: aligns column names, edges, implied values and empty values. */

import type { EntityChange } from "../../model/change.ts";
import type { Live } from "../../model/live.ts";
import type { KnownEdges } from "../../model/membership.ts";
import type { UnmanagedValue } from "../../model/plan.ts";
import { shapedLike } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import type { Entity, State } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { liveProblems, unreadProblems } from "./live-problems.ts";
import { deletionsFor, prunable } from "./prune.ts";
import type { Policy } from "../base/policy.ts";
import { withEdgesAtGroups } from "../base/group-lists.ts";
import type { EdgeRules } from "./membership-edges.ts";
import { resolveKeys } from "./resolve-keys.ts";
import { createdIn, entitiesIn, isDefinitionUrn, withBlanks, withImplied } from "../base/definitions.ts";
import { withKnownParents } from "../base/parents.ts";
import { withEdges } from "./membership.ts";
import { selectedEdges } from "../base/selected-edges.ts";
import { alignedWith } from "../base/values.ts";
import { addDynamicKeys } from "./dynamic-keys.ts";
import { withLiveTexts } from "./live-texts.ts";
import { withPruned } from "./pruned.ts";

/** The comparable states, and all other input for the diff. */
export interface DiffInput {
  /** The compared declarations, before they are aligned. */
  readonly compared: State;
  readonly desired: State;
  readonly live: State;
  /** The earlier declarations. `undefined` if they are unknown. */
  readonly base: State | undefined;
  /**
   * The declarations at the last applied commit, which equal `base` if base contains no additional declarations. `undefined` if
   * they are unknown.
   */
  readonly applied: State | undefined;
  /** The declarations at the last applied commit, if HEAD's history does not contain that commit. */
  readonly ahead: State | undefined;
  /** Entities that base declares but the manifests no longer declare. */
  readonly undeclared: readonly Entity[];
  readonly created: ReadonlySet<Urn>;
  readonly deletions: readonly EntityChange[];
  /** Entities that the full plan deletes, even if a partial plan leaves them out. */
  readonly deleted: ReadonlySet<Urn>;
  readonly unmanaged: readonly UnmanagedValue[];
  /** The edges that base declares but that neither end manages now. */
  readonly membersLeft: readonly UnmanagedValue[];
  readonly problems: readonly Problem[];
}

/**
 * Prepares both states, base, deletions and problems for the diff. The edges of entities that are not compared count as declared.
 */
export function prepareDiff(declared: State, found: Live, known: KnownEdges, policy: Policy): DiffInput {
  const { base, modes, ignored, part, applied, ahead } = policy;
  const compared = entitiesIn(declared, (urn) => isCompared(urn, found));
  const earlier = base && entitiesIn(base, (urn) => isCompared(urn, found));
  const isSelected = (urn: Urn): boolean => part === undefined || part.has(urn);
  const selectedIn = (entities: Iterable<Entity>): readonly Entity[] =>
    [...entities].filter(({ urn }) => isSelected(urn));
  const created = createdIn(compared, found.missing);
  const resolved = resolveKeys(withImplied(compared, created), found.state);
  const blank = addDynamicKeys(withBlanks(found.state, compared, created), resolved.state);
  const prunesMembers = policy.pruneAssignments === true;
  const selected = selectedEdges(found.readUrns, declared, base);
  const rules: EdgeRules = { modes, ignored, base, prunesMembers, selected };
  const placed = withKnownParents(withLiveTexts(resolved.state, found), found, isSelected);
  const { desired, live, problems, ...edges } = withEdges(
    { desired: placed.state, live: blank },
    { declared, known, rules },
  );
  const undeclared = [...(earlier?.values() ?? [])].filter(({ urn }) => !compared.has(urn));
  const pruning = { ...policy, base: earlier };
  const deletions = deletionsFor(compared, live, pruning, { ...found, known });
  const ofAll = { ...pruning, part: undefined };
  const deleted = new Set(prunable(compared, ofAll).flatMap(({ urn }) => (live.has(urn) ? [urn] : [])));
  const before = base && comparableBase(base, found);
  const staying = withoutDeleted(desired, deleted);
  return {
    compared,
    desired:
      before && prunesMembers ? withPruned(staying, live, withoutDeleted(before, deleted), ignored) : staying,
    live,
    base: before,
    applied: applied ? comparableBase(applied, found) : before,
    ahead: ahead && comparableBase(ahead, found),
    undeclared,
    created,
    deletions,
    deleted,
    ...edges,
    problems: [
      ...liveProblems(selectedIn(compared.values()), found),
      ...unreadProblems(selectedIn(undeclared), found),
      ...resolved.problems.filter(({ args: { urn } }) => isUrn(urn) && isSelected(urn)),
      ...placed.problems,
      ...problems,
    ],
  };
}

/**
 * Whether an entity is compared. Assets that were not read, or that were dropped because they are in sync, are not compared.
 */
function isCompared(urn: Urn, { state, missing, unreadable }: Live): boolean {
  return state.has(urn) || missing.has(urn) || unreadable.has(urn) || isDefinitionUrn(urn);
}

// Removes deleted entities from a state, including groups that it contains only because their members list them.
function withoutDeleted(state: State, deleted: ReadonlySet<Urn>): State {
  return new Map([...state].filter(([urn]) => !deleted.has(urn)));
}

/**
 * Returns base in a form that can be compared with the live state: with the same column names, with edges stored in groups, and
 * with implied values. The result contains only the compared entities and the groups that only their members list.
 */
function comparableBase(base: State, live: Live): State {
  const joined = [...withEdgesAtGroups(withImplied(base, new Set()))];
  const compared = new Map(joined.filter(([urn]) => isCompared(urn, live) || !base.has(urn)));
  const named = resolveKeys(compared, live.state, true).state;
  return withLiveTexts(withShapesOf(named, live.state), live);
}

/**
 * Returns a state in which each value has the same shape (scalar or set) as in the other state. Shapes can differ if a definition
 * was changed.
 */
export function withShapesOf(state: State, other: State): State {
  return alignedWith(state, other, shapedLike);
}

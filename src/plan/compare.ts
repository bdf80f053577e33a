/** Compares desired state with the catalog: the changes, unmanaged values, problems, and the numbers that guards need. */

import type { Change, EntityChange } from "../model/change.ts";
import type { Live } from "../model/live.ts";
import { type KnownEdges, noEdges } from "../model/membership.ts";
import type { GuardCounts, Plan } from "../model/plan.ts";
import type { Problem } from "../model/problem.ts";
import type { Entity, State } from "../model/state.ts";
import { isUrn, type Urn } from "../model/urn.ts";
import { adopt } from "./align/adopt.ts";
import { referencesOfAbsent } from "./checks/absent-places.ts";
import { deletedValues, ignoredDeletions, parentsWithChildren } from "./checks/deletions.ts";
import type { CountedState } from "./checks/guards/guard.ts";
import { countsOf } from "./checks/guards/index.ts";
import { severalValues } from "./align/live-problems.ts";
import { releaseProblems } from "./checks/releases.ts";
import { refusedChanges, unfitValues, unremovableValues } from "./checks/defined-values.ts";
import { cyclesIn } from "./checks/parent-cycles.ts";
import {
  absentMembers,
  deletedReferences,
  referenceProblems,
  referencesToCheck,
  referencesNoLongerDeclared,
} from "./checks/references.ts";
import { partitionHeldBack, withLiveValues } from "./base/held-back.ts";
import { withOwnRemovals } from "./align/deletion.ts";
import { diff } from "./diff/diff.ts";
import { blockedDeletions } from "./align/prune.ts";
import { ingestedIn, noLongerManaged, unmanagedToShow } from "./diff/unmanaged.ts";
import { changesFrom } from "./base/changes.ts";
import { exactPart, type Part, partOf, fullCatalog } from "./diff/part.ts";
import { type Policy, withoutPrune } from "./base/policy.ts";
import { isInShard } from "./shard.ts";
import { withEdgesAtGroups } from "./base/group-lists.ts";
import { isDefinition } from "./base/definitions.ts";
import { memberDeclaresEdge } from "./base/selected-edges.ts";
import { parentIn, parentsIn } from "./base/parents.ts";
import { changesOf } from "./notes/index.ts";
import { driftClass, type EarlierDeclarations } from "./notes/drift.ts";
import { pastWritesIn } from "./notes/fights.ts";
import { type NotesContext, withNotes } from "./notes/note.ts";
import { type DiffInput, prepareDiff } from "./align/prepare-diff.ts";
import type { Desired, Catalog } from "./base/catalog.ts";

/** The differences, before guards and policies evaluate them. */
export interface Comparison extends Pick<Plan, "changes" | "unmanaged"> {
  /** How many declared entities are in the catalog and have no change. */
  readonly unchanged: number;
  /** The numbers that the guards compare with their limits. */
  readonly counts: GuardCounts;
  readonly problems: readonly Problem[];
  /** All deletions, including those of other shards. */
  readonly deletions: readonly EntityChange[];
}

/**
 * Compares manifests with the catalog. Deletes nothing if an entity is unreadable, because that entity may refer to a deleted one.
 */
export function compare(desired: Desired, catalog: Catalog, policy: Policy): Comparison {
  const comparison = compareAll(desired, catalog, policy);
  const { deletions: changes, problems: found } = comparison;
  const blocked = blockedDeletions({ changes, problems: found }, isUnread(desired, catalog, policy));
  if (blocked.length === 0) return comparison;
  const { problems, ...rest } = compareAll(desired, catalog, withoutPrune(policy));
  return { ...rest, problems: [...problems, ...blocked] };
}

/** Whether any entity that is or was declared is unreadable. Outside of a partial plan no problem reports it. */
function isUnread({ state }: Desired, { live }: Catalog, { base }: Policy): boolean {
  return [...live.unreadable.keys()].some((urn) => state.has(urn) || base?.has(urn) === true);
}

function compareAll(desired: Desired, catalog: Catalog, policy: Policy): Comparison {
  const { live, edges, existence } = catalog;
  const comparison = compareStates(desired.state, live, policy, edges);
  // A partial plan does not read every definition, so an unread one may be unreadable.
  const isKnown = (urn: Urn): boolean => isDefinition(desired.state, urn) && !existence.has(urn);
  const { pending } = partitionHeldBack(comparison);
  const defined = { declared: desired.state, live, definitions: catalog.definitions };
  const absent = referencesOfAbsent(desired.state, comparison.problems, policy);
  const references = referencesToCheck(desired.references, pending, isKnown, absent);
  const problems = [
    ...comparison.problems,
    ...referenceProblems(references, existence, {
      others: mentionedIn(desired),
      isShard: policy.shard !== undefined,
    }),
    ...absentMembers(desired.references, { declared: desired.state, edges, existence }),
    ...unfitValues(pending, defined),
    ...refusedChanges(pending, defined),
    ...unremovableValues(pending, live),
    ...deletedReferences(desired.references, comparison.changes),
    ...referencesNoLongerDeclared(desired.references, {
      desired: desired.state,
      base: policy.base,
      live: live.state,
      changes: comparison.deletions,
      // All shards report the same, and merging their plans removes duplicates.
      part: policy.shard ? undefined : policy.part,
    }),
  ];
  return { ...comparison, problems };
}

function* mentionedIn({ state, references }: Desired): Generator<Urn> {
  yield* state.keys();
  for (const { urn } of references) yield urn;
}

/** The differences between the two states, without the checks of their references. */
export function compareStates(
  declared: State,
  found: Live,
  policy: Policy,
  edges: KnownEdges = noEdges,
): Comparison {
  const { modes, ignored } = policy;
  const rest = toCompare(declared, found);
  const compared = {
    ...policy,
    base: policy.base && toCompare(policy.base, found),
    applied: policy.applied && toCompare(policy.applied, found),
    all: { declared, base: policy.base, applied: policy.applied },
  };
  const sides = prepareDiff(rest, found, edges, compared);
  const { desired, live, base, created, deletions } = sides;
  const { state: adopted, kept } = adopt(desired, live, { modes, ignored, base });
  const { readUrns } = found;
  const written = readUrns ? new Map([...rest].filter(([urn]) => readUrns.has(urn))) : rest;
  const context: NotesContext = {
    policy,
    states: { ...sides, declared: written, applied: sides.applied ?? base },
    edges,
    pastWrites: pastWritesIn(policy.fights),
    liveParentOf: parentsIn(live, found.above ?? new Map()),
  };
  const updates = changesOf(diff(adopted, live), context);
  const all = changesFrom(rest, updates, created, withOwnRemovals(deletions, updates));
  const part = partIn(all, declared, policy, edges);
  const earlier = earlierDeclarations(sides, policy);
  const changes = part
    .changes(all)
    .map((change) => (policy.classifyDrift ? withNotes(change, [driftClass], earlier) : change));
  const staying = [...sides.unmanaged, ...kept];
  const left = noLongerManaged(declared, sides, policy, edges);
  const unmanaged = unmanagedToShow(
    part.unmanaged([...ingestedIn(desired, found), ...staying, ...left]),
    ignored,
    sides.deleted,
  );
  const guarded = guardedIn(changes, { declared, found }, sides, policy);
  const counts = countsOf(policy.shard ? ofShard(guarded, part) : guarded);
  const changed = new Set(changes.map(({ urn }) => urn));
  const isInSync = (urn: Urn): boolean => rest.has(urn) && part.has(urn) && !changed.has(urn);
  const unchanged = [...adopted.keys()].filter(isInSync).length + (found.inSync?.present ?? 0);
  const used = deletedValues(deletions, updates, staying, desired);
  const named = new Set(used.map(({ args: { urn, on } }) => `${on} ${urn}`));
  const isNamed = (child: Urn, parent: Urn): boolean =>
    named.has(`${child} ${parent}`) || parentIn(declared, child)?.value === parent;
  const withKept = withLiveValues(adopted, partitionHeldBack({ changes: updates }).skipped);
  return {
    changes,
    unchanged,
    counts,
    unmanaged,
    deletions,
    problems: [
      ...sides.problems,
      ...used,
      ...parentsWithChildren(changes, found, isNamed),
      ...ignoredDeletions(deletions, ignored),
      ...severalValues(declared, found, ignored).filter(({ args: { urn } }) => isUrn(urn) && part.has(urn)),
      ...releaseProblems(rest, found).filter(({ args: { urn } }) => isUrn(urn) && part.has(urn)),
      ...cyclesIn(withKept, { live, above: found.above ?? new Map() }, part),
    ],
  };
}

/** Definitions, and the assets that were read and not dropped. */
function toCompare(state: State, { state: live, missing, unreadable }: Live): State {
  const rest = new Map<Urn, Entity>();
  for (const urn of state.keys()) {
    const isLeft = live.has(urn) || missing.has(urn) || unreadable.has(urn) || isDefinition(state, urn);
    const entity = isLeft ? state.get(urn) : undefined;
    if (entity) rest.set(urn, entity);
  }
  return rest;
}

function partIn(
  all: readonly Change[],
  declared: State,
  { part, shard, base }: Policy,
  known: KnownEdges,
): Part {
  if (!part) return fullCatalog;
  if (shard) return exactPart(isInShard(shard, part));
  const decides = memberDeclaresEdge(declared, base);
  return partOf(part, all, { decides, isExclusive: ({ facet }) => known.get(facet)?.isExclusive === true });
}

function earlierDeclarations(
  { base, applied = base }: DiffInput,
  { written }: Policy,
): EarlierDeclarations | undefined {
  return base && applied && { applied, since: base, written };
}

/** The state that guards count. Entities that a partial plan did not read count with their declared values. */
function guardedIn(
  changes: readonly Change[],
  { declared, found: { readUrns, inSync } }: { readonly declared: State; readonly found: Live },
  { desired, live }: DiffInput,
  { ignored, base, applied = base }: Policy,
): CountedState {
  const unread =
    readUrns && (() => new Map([...withEdgesAtGroups(declared)].filter(([urn]) => !readUrns.has(urn))));
  const undeclared = [...(applied?.keys() ?? [])].filter((urn) => !declared.has(urn));
  const vanished = applied && { urns: undeclared, of: applied.size };
  return { changes, desired, live, ignored, vanished, unread, inSync: inSync?.existing };
}

/** The counts of one shard: its own live values of every facet, because other shards may remove values of that facet. */
function ofShard({ unread: _, ...guarded }: CountedState, { has }: Part): CountedState {
  const desired = new Map([...guarded.desired].filter(([urn]) => has(urn)));
  return { ...guarded, desired, isShard: true };
}

/** Compares the desired state with the catalog, and computes changes, unmanaged values, problems and guard counts. */

import type { Change, EntityChange } from "../model/change.ts";
import type { GuardCounts, Unmanaged } from "../model/plan.ts";
import type { Problem } from "../model/problem.ts";
import type { State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import { adopt } from "./align/adopt.ts";
import { withOwnRemovals } from "./align/deletion.ts";
import { type DiffInput, prepareDiff } from "./align/prepare-diff.ts";
import { blockedDeletions } from "./align/prune.ts";
import type { Catalog, Desired } from "./base/catalog.ts";
import { changesFrom } from "./base/changes.ts";
import { withEdgesAtGroups } from "./base/group-lists.ts";
import { pendingIn, heldBackIn } from "../model/held-back.ts";
import { type Policy, withoutPrune } from "./base/policy.ts";
import { memberDeclaresEdge } from "./base/selected-edges.ts";
import type { CheckContext } from "./checks/check.ts";
import type { CountedState } from "./checks/guards/guard.ts";
import { countsOf } from "./checks/guards/index.ts";
import { problemsIn } from "./checks/index.ts";
import { diff } from "./diff/diff.ts";
import { exactPart, fullCatalog, type Part, partOf } from "./diff/part.ts";
import { ingestedIn, noLongerManaged, unmanagedToShow } from "./diff/unmanaged.ts";
import { driftClass } from "./notes/drift.ts";
import { changesOf, notesContext, withNotes } from "./notes/index.ts";
import { isInShard } from "./shard.ts";

/** The result of a comparison, before guards and policies evaluate it. */
export interface Comparison {
  readonly changes: readonly Change[];
  readonly unmanaged: readonly Unmanaged[];
  /** The number of declared entities that are in the catalog and have no change. */
  readonly unchanged: number;
  /** The numbers that the guards compare with their limits. */
  readonly counts: GuardCounts;
  readonly problems: readonly Problem[];
  /** All deletions, including deletions in other shards. */
  readonly deletions: readonly EntityChange[];
}

/**
 * Compares manifests with the catalog. If any entity is unreadable, no deletion is planned, because the unreadable entity may
 * refer to an entity to be deleted.
 */
export function compare(desired: Desired, catalog: Catalog, policy: Policy): Comparison {
  const comparison = compareStates(desired, catalog, policy);
  const { deletions: changes, problems: found } = comparison;
  const blocked = blockedDeletions({ changes, problems: found }, isUnread(desired, catalog, policy));
  if (blocked.length === 0) return comparison;
  const { problems, ...rest } = compareStates(desired, catalog, withoutPrune(policy));
  return { ...rest, problems: [...problems, ...blocked] };
}

/**
 * Whether any entity that is declared now or in base is unreadable. A partial plan reports unreadable entities as problems only
 * if they are selected.
 */
function isUnread({ state }: Desired, { live }: Catalog, { base }: Policy): boolean {
  return [...live.unreadable.keys()].some((urn) => state.has(urn) || base?.has(urn) === true);
}

/** Compares the desired and live states, and returns the changes, problems and counts. */
export function compareStates(desired: Desired, catalog: Catalog, policy: Policy): Comparison {
  const sides = prepareDiff(desired.state, catalog.live, catalog.edges, policy);
  const { state: adopted, kept } = adopt(sides.desired, sides.live, { ...policy, base: sides.base });
  const differences = diff(adopted, sides.live);
  const updates = changesOf(differences, notesContext(sides, catalog, policy));
  const deletions = withOwnRemovals(sides.deletions, updates);
  const all = changesFrom(sides.compared, updates, sides.created, deletions);
  const part = partIn(all, desired.state, catalog, policy);
  const changes = classified(part.changes(all), sides, policy);
  const pending = pendingIn(changes);
  const staying = [...sides.unmanaged, ...kept];
  const context = {
    desired,
    catalog,
    policy,
    sides,
    adopted,
    heldBack: heldBackIn(updates),
    staying,
    part,
    changes,
    pending,
  };
  return {
    changes,
    unchanged: unchangedIn(context),
    counts: countsOf(countedIn(context)),
    unmanaged: unmanagedIn(context),
    deletions: sides.deletions,
    problems: problemsIn(context),
  };
}

function partIn(
  all: readonly Change[],
  declared: State,
  { edges }: Catalog,
  { part, shard, base }: Policy,
): Part {
  if (!part) return fullCatalog;
  if (shard) return exactPart(isInShard(shard, part));
  const decides = memberDeclaresEdge(declared, base);
  return partOf(part, all, { decides, isExclusive: ({ facet }) => edges.get(facet)?.isExclusive === true });
}

/** Returns the changes. In a drift plan, each change also gets its drift class. */
function classified(
  changes: readonly Change[],
  { base, applied }: DiffInput,
  { classifyDrift, written }: Policy,
): readonly Change[] {
  if (classifyDrift !== true) return changes;
  const earlier = base && applied && { applied, since: base, written };
  return changes.map((change) => withNotes(change, [driftClass], earlier));
}

/** Counts the selected entities without a change, including entities that were dropped because they are in sync. */
function unchangedIn({ sides: { compared }, adopted, part, changes, catalog }: CheckContext): number {
  const changed = new Set(changes.map(({ urn }) => urn));
  const isInSync = (urn: Urn): boolean => compared.has(urn) && part.has(urn) && !changed.has(urn);
  return [...adopted.keys()].filter(isInSync).length + (catalog.live.inSync?.present ?? 0);
}

/** Lists the unmanaged live values that the plan shows. */
function unmanagedIn({ sides, staying, part, catalog, policy }: CheckContext): readonly Unmanaged[] {
  const ingested = ingestedIn(sides.desired, catalog.live);
  const left = noLongerManaged(sides);
  return unmanagedToShow(part.unmanaged([...ingested, ...staying, ...left]), policy.ignored, sides.deleted);
}

/**
 * Returns the input for counting the values that guards compare with their limits. For entities that a partial plan did not read,
 * the declared values are counted. A shard counts its own live values for every facet, because other shards may remove values
 * from that facet.
 */
function countedIn({ desired, catalog, policy, sides, part, changes }: CheckContext): CountedState {
  const { state: declared } = desired;
  const { readUrns, inSync } = catalog.live;
  const { ignored, base, applied = base, shard } = policy;
  const undeclared = [...(applied?.keys() ?? [])].filter((urn) => !declared.has(urn));
  const unread =
    readUrns && (() => new Map([...withEdgesAtGroups(declared)].filter(([urn]) => !readUrns.has(urn))));
  return {
    changes,
    desired: shard ? new Map([...sides.desired].filter(([urn]) => part.has(urn))) : sides.desired,
    live: sides.live,
    unread: shard ? undefined : unread,
    ignored,
    inSync: inSync?.existing,
    vanished: applied && { urns: undeclared, of: applied.size },
    isShard: shard !== undefined,
  };
}

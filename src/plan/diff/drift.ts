import { leafIn } from "../../model/place.ts";
import {
  type Change,
  type DriftClass,
  driftClasses,
  isFacetChange,
  type ScalarChange,
  type SetChange,
} from "../../model/change.ts";
import { isSameValue, type Leaf, memberKey, type State } from "../../model/state.ts";
import { conflictOf } from "./conflicts.ts";
import { valuesOf } from "./values.ts";

/** What was declared before, with columns and members as in live state. */
export interface DeclaredBefore {
  /** By the last applied commit. */
  readonly applied: State;
  /** By that commit or a later one, of which an apply may have written a part. */
  readonly since: State;
}

/**
 * Changes with their drift class: the most severe one among those of their values.
 *
 * - A value to be added is *missing*, but *pending* if `applied` does not declare it.
 * - A value to be removed is *changed*, but *pending* if a commit `since` declared it.
 * - A single value is *missing* if it is unset, else *changed*, but *pending* if a commit `since` declared it, or if
 *   `applied` declares it unset. A conflict is always *changed*: no apply settles it.
 * - What `applied` does not declare at all, a facet, a column or an entity, cannot have drifted: *pending*. An
 *   entity to be created is *missing* if `applied` declares it. One to be deleted is *pending*.
 *
 * Where it is not known what was declared before, nothing is pending.
 */
export function withDriftClasses(
  changes: readonly Change[],
  before: DeclaredBefore | undefined,
): readonly Change[] {
  return changes.map((change) => ({ ...change, class: classOf(change, before) }));
}

function classOf(change: Change, declared: DeclaredBefore | undefined): DriftClass {
  const entity = declared?.applied.get(change.urn);
  const isKnown = declared !== undefined;
  if (change.action === "create") return isKnown && !entity ? "pending" : "missing";
  if (!isFacetChange(change)) return isKnown ? "pending" : "changed";
  if (conflictOf(change)) return "changed";
  const before = leafIn(entity, change);
  const since = leafIn(declared?.since.get(change.urn), change);
  if (isKnown && !before) return "pending";
  return change.shape === "set" ? classOfSet(change, before, since) : classOfScalar(change, before, since);
}

type Part = Leaf | undefined;

function classOfScalar({ before: live }: ScalarChange, before: Part, since: Part): DriftClass {
  if (before?.shape === "scalar" && isSameValue(before.value, live)) return "pending";
  if (since?.shape === "scalar" && valuesOf(since).some((each) => isSameValue(each, live))) return "pending";
  return live === null ? "missing" : "changed";
}

function classOfSet({ add, remove }: SetChange, before: Part, since: Part): DriftClass {
  const declared = keysIn(before);
  const ours = keysIn(since);
  const classes = new Set<DriftClass>([
    ...add.map((member) => (!before || declared.has(memberKey(member)) ? "missing" : "pending")),
    ...remove.map((member) => (ours.has(memberKey(member)) ? "pending" : "changed")),
  ]);
  return driftClasses.find((each) => classes.has(each)) ?? "pending";
}

function keysIn(part: Part): ReadonlySet<string> {
  return new Set(part?.shape === "set" ? part.members.map(memberKey) : []);
}

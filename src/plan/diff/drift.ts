import { leafIn } from "../../model/place.ts";
import {
  type Change,
  type DriftClass,
  driftClasses,
  isFacetChange,
  type ScalarChange,
  type SetChange,
} from "../../model/change.ts";
import { isSameValue, type Leaf, type Member, memberKey, type State } from "../../model/state.ts";
import { lastValueAt, lastWriteOf, type WrittenSince } from "../written-since.ts";
import { conflictOf } from "./conflicts.ts";
import { valuesOf } from "./values.ts";

/** What was declared before, with columns and members as in live state. */
export interface DeclaredBefore {
  /** By the last applied commit. */
  readonly applied: State;
  /** By that commit or a later one, of which an apply may have written a part. */
  readonly since: State;
  /** What applies wrote since, where that is known. It decides before what commits declare. */
  readonly written?: WrittenSince | undefined;
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
 * - What an apply wrote since counts as applied, also where a later one could not: an added value that is not there is *missing*,
 *   and a removed one that is there again *changed*. A single value is *pending* only if it is still the written one.
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
  const wasThere = declared?.written?.get(change.urn)?.isThere;
  if (change.action === "create") return isKnown && !(wasThere ?? entity) ? "pending" : "missing";
  if (!isFacetChange(change)) return isKnown && wasThere !== false ? "pending" : "changed";
  if (conflictOf(change)) return "changed";
  const sides = {
    isKnown,
    before: leafIn(entity, change),
    since: leafIn(declared?.since.get(change.urn), change),
    written: declared?.written,
  };
  return change.shape === "set" ? classOfSet(change, sides) : classOfScalar(change, sides);
}

/** What was declared at the place of a change by the last applied commit, and since, and what was written. */
interface Sides {
  readonly isKnown: boolean;
  readonly before: Leaf | undefined;
  readonly since: Leaf | undefined;
  readonly written: WrittenSince | undefined;
}

function classOfScalar(change: ScalarChange, { isKnown, before, since, written }: Sides): DriftClass {
  const { before: live } = change;
  const last = lastValueAt(written, change);
  const classUnlessSame = live === null ? "missing" : "changed";
  if (last) return isSameValue(last.value, live) ? "pending" : classUnlessSame;
  if (isKnown && !before) return "pending";
  if (before?.shape === "scalar" && isSameValue(before.value, live)) return "pending";
  if (since?.shape === "scalar" && valuesOf(since).some((each) => isSameValue(each, live))) return "pending";
  return classUnlessSame;
}

function classOfSet(change: SetChange, { isKnown, before, since, written }: Sides): DriftClass {
  const declared = keysIn(before);
  const ours = keysIn(since);
  const isNew = isKnown && !before;
  const isApplied = (member: Member, isDeclared: boolean): boolean => {
    const last = lastWriteOf(written, change, member);
    return last === undefined ? isDeclared : last === "add";
  };
  const classes = new Set<DriftClass>([
    ...change.add.map((member) =>
      isApplied(member, !isNew && (!before || declared.has(memberKey(member)))) ? "missing" : "pending",
    ),
    ...change.remove.map((member) =>
      isApplied(member, isNew || ours.has(memberKey(member))) ? "pending" : "changed",
    ),
  ]);
  return driftClasses.find((each) => classes.has(each)) ?? "pending";
}

function keysIn(part: Leaf | undefined): ReadonlySet<string> {
  return new Set(part?.shape === "set" ? part.members.map(memberKey) : []);
}

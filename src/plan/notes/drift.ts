/** Classifies changes as missing, changed or pending for drift reports. */

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
import { lastValueAt, lastWriteOf, type WrittenSince } from "../base/written-since.ts";
import { conflictOf } from "../../model/conflicts.ts";
import type { Note } from "./note.ts";
import { valuesOf } from "../../model/values.ts";

/** The earlier declarations, with the same column and member names as the live state. */
export interface EarlierDeclarations {
  /** The declarations at the last applied commit. */
  readonly applied: State;
  /** The declarations at the last applied commit and at later commits that an apply may have partly written. */
  readonly since: State;
  /**
   * The values that apply runs wrote after the last applied commit, if known. They take precedence over declarations in commits.
   */
  readonly written?: WrittenSince | undefined;
}

/**
 * Adds a change's drift class, which is the most severe class of its values.
 *
 * - An added value is *missing*, or *pending* if `applied` does not declare it.
 * - A removed value is *changed*, or *pending* if a commit in `since` declared it.
 * - A single value is *missing* if it is unset and *changed* otherwise. It is *pending* if a commit in
 *   `since` declared the live value, or if `applied` declares the value as unset. A conflict is always
 *   *changed*, because no apply resolves it.
 * - A facet, column or entity that `applied` does not declare cannot have drifted. It is *pending*.
 * - A created entity is *missing* if `applied` declares it. A deleted entity is *pending*.
 * - Values that an apply wrote after the last applied commit count as applied, even if a later apply failed
 *   to write them. An added value that is not live is *missing*, and a removed value that is live again is
 *   *changed*. A single value is *pending* only if the live value is still the written value.
 *
 * If the earlier declarations are unknown, nothing is pending. The note is added after the selection, because
 * a selection may include only some elements of a set change.
 */
export const driftClass: Note<Change, EarlierDeclarations | undefined> = {
  name: "drift class",
  of: (change, before) => ({ class: classOf(change, before) }),
};

function classOf(change: Change, declared: EarlierDeclarations | undefined): DriftClass {
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

/** The declarations at a change's place in the last applied commit and in later commits, and the last writes. */
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
  const keysSince = keysIn(since);
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
      isApplied(member, isNew || keysSince.has(memberKey(member))) ? "pending" : "changed",
    ),
  ]);
  return driftClasses.find((each) => classes.has(each)) ?? "pending";
}

function keysIn(part: Leaf | undefined): ReadonlySet<string> {
  return new Set(part?.shape === "set" ? part.members.map(memberKey) : []);
}

/** Records facts that depend on earlier declarations: removed values, reverted values and conflicts. */

import type { FacetChange } from "../../model/change.ts";
import type { Origin } from "../../model/origin.ts";
import { isMember, isSameValue, type Leaf, type Member, type Scalar } from "../../model/state.ts";
import { facetNamed, isDeclarable } from "../../facets/index.ts";
import { contributionsTo } from "../base/declared-before.ts";
import { lastValueAt, lastWriteOf, type WrittenSince } from "../base/written-since.ts";
import type { Note } from "./note.ts";
import { valuesOf, valueKey } from "../../model/values.ts";

/** Records that a prune removes the values in a change. */
export const pruned: Note = {
  name: "pruned",
  of: (_, { desired }) => (desired?.isPruned ? { pruned: true } : undefined),
};

/** Records whether removed values were declared before, and to which groups removed members move. */
export const removed: Note = {
  name: "removed values",
  of: (change, { plan: { states, policy }, base, desired, ahead }) => {
    const values = removedValues(change);
    // If manifests cannot declare the facet, its values were never declared before.
    if (values.length === 0 || !isDeclarable(facetNamed(change.facet))) return undefined;
    const before = new Set(base?.shape === change.shape ? valuesOf(base).map(valueKey) : []);
    const leaving = desired?.shape === "set" ? desired.leaving : undefined;
    const originAhead = originsIn(ahead);
    const list = values.map((value) => {
      const key = valueKey(value);
      const movesTo = isMember(value) ? leaving?.get(value) : undefined;
      const lastApplied = originAhead.get(key);
      const isDeclared = (): boolean => before.has(key) || wasWritten(change, value, policy.written);
      return {
        value,
        declaredBefore: lastApplied ? true : states.base ? isDeclared() : null,
        ...(movesTo && { movesTo }),
        ...(lastApplied && { lastApplied }),
      };
    });
    return { removed: list };
  },
};

/** Records the values of a change that the last applied commit also declares. */
export const reverts: Note = {
  name: "reverts",
  of: (change, { applied }) => {
    const values = revertedBy(change, applied);
    return values.length > 0 ? { reverts: values } : undefined;
  },
};

/** Records a conflict. In `merge` mode, a live value conflicts if and only if it is not empty and base does not declare it. */
export const conflict: Note = {
  name: "conflict",
  of: (change, { plan: { policy }, mode, base }) => {
    if (change.shape !== "scalar" || mode !== "merge" || change.before === null) return undefined;
    const { before: live, after: desired } = change;
    const declared = base?.shape === "scalar" ? base : undefined;
    if (valuesOf(declared).some((each) => isSameValue(each, live))) return undefined;
    const { onConflict: winner } = policy;
    return { conflict: { base: declared?.value ?? null, live, desired, ...(winner && { winner }) } };
  },
};

/** Returns the position of the first declaration of each value. */
function originsIn(leaf: Leaf | undefined): ReadonlyMap<string, Origin> {
  const contributions = leaf ? contributionsTo(leaf) : [];
  return new Map(
    contributions
      .toReversed()
      .flatMap(({ values, origin }) =>
        origin ? values.map((each) => [valueKey(each), origin] as const) : [],
      ),
  );
}

/** Whether an apply wrote a live value from manifests that no commit in this history contains. */
function wasWritten(change: FacetChange, value: Member | Scalar, written: WrittenSince | undefined): boolean {
  if (change.shape === "set") return isMember(value) && lastWriteOf(written, change, value) === "add";
  const last = lastValueAt(written, change);
  return last !== undefined && isSameValue(last.value, value);
}

function revertedBy(change: FacetChange, applied: Leaf | undefined): readonly (Member | Scalar)[] {
  if (change.shape === "scalar") {
    const { after } = change;
    return applied?.shape === "scalar" && isSameValue(applied.value, after) ? [after] : [];
  }
  if (applied?.shape !== "set") return [];
  const before = new Set(applied.members.map(valueKey));
  return [
    ...change.add.filter((value) => before.has(valueKey(value))),
    ...change.remove.filter((value) => !before.has(valueKey(value))),
  ];
}

function removedValues(change: FacetChange): readonly (Member | Scalar)[] {
  if (change.shape === "set") return change.remove;
  return change.before === null ? [] : [change.before];
}

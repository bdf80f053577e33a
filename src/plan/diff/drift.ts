import {
  type Change,
  type DriftClass,
  driftClasses,
  isFacetChange,
  type ScalarChange,
  type SetChange,
} from "../../model/change.ts";
import { memberKey, type ScalarValue, type SetValue, type State } from "../../model/state.ts";
import { conflictOf } from "./conflicts.ts";
import { partAt } from "./values.ts";

/**
 * Changes with their drift class: the most severe one among those of their values. `applied` is what the last applied
 * commit declared, with columns and members as in live state.
 *
 * - A value to be added is *missing*, but *pending* if `applied` does not declare it.
 * - A value to be removed is *changed*, but *pending* if `applied` declares it.
 * - A single value is *missing* if it is unset, else *changed*, but *pending* if it is the one of `applied`. A conflict is
 *   always *changed*: no apply settles it.
 * - What `applied` does not declare at all, a facet, a column or an entity, nobody can have departed from: *pending*. An
 *   entity to be created is *missing* if `applied` declares it. One to be deleted is *pending*.
 *
 * Without `applied` nothing is pending.
 */
export function withDriftClasses(changes: readonly Change[], applied: State | undefined): readonly Change[] {
  return changes.map((change) => ({ ...change, class: classOf(change, applied) }));
}

function classOf(change: Change, applied: State | undefined): DriftClass {
  const entity = applied?.get(change.urn);
  const isKnown = applied !== undefined;
  if (change.action === "create") return isKnown && !entity ? "pending" : "missing";
  if (!isFacetChange(change)) return isKnown ? "pending" : "changed";
  if (conflictOf(change)) return "changed";
  const before = partAt(entity, change);
  if (isKnown && !before) return "pending";
  return change.shape === "set" ? classOfSet(change, before) : classOfScalar(change, before);
}

type Part = ScalarValue | SetValue | undefined;

function classOfScalar({ before: live }: ScalarChange, before: Part): DriftClass {
  if (before?.shape === "scalar" && before.value === live) return "pending";
  return live === null ? "missing" : "changed";
}

function classOfSet({ add, remove }: SetChange, before: Part): DriftClass {
  const declared = new Set(before?.shape === "set" ? before.members.map(memberKey) : []);
  const classes = new Set<DriftClass>([
    ...add.map((member) => (!before || declared.has(memberKey(member)) ? "missing" : "pending")),
    ...remove.map((member) => (declared.has(memberKey(member)) ? "pending" : "changed")),
  ]);
  return driftClasses.find((each) => classes.has(each)) ?? "pending";
}

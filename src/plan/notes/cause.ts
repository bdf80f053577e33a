/** Determines the manifest position and the rules that caused a difference. */

import type { FacetChange, Source } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { compareText } from "../../model/json.ts";
import type { Contribution, Leaf, Member, Scalar } from "../../model/state.ts";
import { contributionsTo } from "../base/declared-before.ts";
import type { Note } from "./note.ts";
import { valueKey } from "../../model/values.ts";

/** A document or rule that caused a value to be added or removed. */
interface Cause {
  /** The rule's id. `undefined` for a document. */
  readonly rule: string | undefined;
  readonly source: Source | undefined;
}

/**
 * Records the cause of a change: a source position and the rules involved. An added value is caused by the document that declares
 * it, or otherwise by the rules that declare it. A removed value is caused by its former declaration, or, if base did not declare
 * the value, by the documents or rules that manage the facet. If there are several causes, the first cause provides the position.
 * Causes of additions precede causes of removals.
 */
export const cause: Note = {
  name: "cause",
  of: (change, { desired, base }) => {
    const { added, dropped } = valuesIn(change, desired?.isPruned === true);
    // A pruned value is no longer declared, so its position is in base.
    const now = desired && desired.isPruned !== true ? contributionsTo(desired) : [];
    const causes = [...causesOfAddition(added, now), ...causesOfRemoval(dropped, now, base)];
    const [first] = causes;
    const rules = [...new Set(causes.flatMap(({ rule }) => rule ?? []))].toSorted(compareText);
    return { ...(first?.source && { source: first.source }), ...(rules.length > 0 && { rules }) };
  },
};

type Values = readonly (Member | Scalar)[];

/**
 * Returns the added and the removed values. For a single value, returns only the new value, or only the old value if it is
 * pruned.
 */
function valuesIn(change: FacetChange, isPruned: boolean): Readonly<Record<"added" | "dropped", Values>> {
  if (change.shape === "set") return { added: change.add, dropped: change.remove };
  return isPruned ? { added: [], dropped: [change.before] } : { added: [change.after], dropped: [] };
}

function causesOfAddition(values: Values, now: readonly Contribution[]): readonly Cause[] {
  const declaring = byValue(now);
  const managing = documentOrRules(now);
  return values.flatMap((value) => {
    const own = declaring.get(valueKey(value));
    return (own ? documentOrRules(own) : managing).map(causeHere);
  });
}

function causesOfRemoval(
  values: Values,
  now: readonly Contribution[],
  base: Leaf | undefined,
): readonly Cause[] {
  if (values.length === 0) return [];
  const before = base ? contributionsTo(base) : [];
  const declaring = byValue(before);
  const own = now.filter(({ end }) => end === undefined);
  return values.flatMap((value) => {
    const lost = documentOrRules(declaring.get(valueKey(value)) ?? []);
    if (lost.length > 0) return lost.map((each) => causeOfLoss(each, now, before));
    const managing = own.length > 0 ? own : now.filter(({ end }) => end === value);
    return documentOrRules(managing).map(causeHere);
  });
}

/**
 * Returns the cause of a value's removal, given the former declaration of the value. The position is current if the same rule or
 * file still declares something at this place. Otherwise, the position is in base.
 */
function causeOfLoss(
  lost: Contribution,
  now: readonly Contribution[],
  before: readonly Contribution[],
): Cause {
  const same = now.find((each) => isSame(each, lost));
  if (same) return causeHere(same);
  const isNew = (each: Contribution): boolean => !before.some((other) => isSame(each, other));
  const moved =
    lost.rule === undefined
      ? now.find((each) => each.rule === undefined && each.end === lost.end && isNew(each))
      : undefined;
  if (moved) return causeHere(moved);
  const { rule, origin } = lost;
  return { rule, source: origin && { ...origin, base: true } };
}

function isSame(one: Contribution, other: Contribution): boolean {
  if (one.rule !== undefined || other.rule !== undefined) return one.rule === other.rule;
  return one.origin?.file === other.origin?.file && one.end === other.end;
}

function byValue(contributions: readonly Contribution[]): ReadonlyMap<string, readonly Contribution[]> {
  const each = contributions.flatMap((by) => by.values.map((value) => ({ key: valueKey(value), by })));
  return new Map([...groupBy(each, ({ key }) => key)].map(([key, all]) => [key, all.map(({ by }) => by)]));
}

/** Returns the first document, because one document is enough to declare a value. If there is no document, returns all rules. */
function documentOrRules(contributions: readonly Contribution[]): readonly Contribution[] {
  const document = contributions.find(({ rule }) => rule === undefined);
  return document ? [document] : contributions;
}

function causeHere({ rule, origin }: Contribution): Cause {
  return { rule, source: origin };
}

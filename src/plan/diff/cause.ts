import type { FacetChange, Source } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { compareText } from "../../model/json.ts";
import type { Contribution, Leaf, Member, Scalar } from "../../model/state.ts";
import { contributionsTo } from "../sides/declared-before.ts";
import type { Difference } from "./diff.ts";
import { valueKey } from "./values.ts";

/** A value as manifests declare it now, and as base declared it. */
interface DeclaredSides {
  readonly desired: Leaf | undefined;
  readonly base: Leaf | undefined;
}

/** A document or rule that is behind one value that comes or goes. */
interface Cause extends Pick<Contribution, "rule"> {
  readonly source: Source | undefined;
}

/**
 * The place of what caused a difference, and the rules behind it. What comes is caused by the document that declares it, else by
 * the rules that do; what goes by what declared it in base and no longer does, or, where base did not declare it, by what
 * manages the facet. Of several causes the place is that of the first; what comes is before what goes.
 */
export function causeOf(
  difference: Difference,
  { desired, base }: DeclaredSides,
): Pick<FacetChange, "source" | "rules"> {
  const { added, gone } = valuesIn(difference, desired?.isPruned === true);
  // What is pruned is not declared: its place is in base.
  const now = desired && desired.isPruned !== true ? contributionsTo(desired) : [];
  const causes = [...causesOfAddition(added, now), ...causesOfRemoval(gone, now, base)];
  const [first] = causes;
  const rules = [...new Set(causes.flatMap(({ rule }) => rule ?? []))].toSorted(compareText);
  return { ...(first?.source && { source: first.source }), ...(rules.length > 0 && { rules }) };
}

type Values = readonly (Member | Scalar)[];

/** What comes and what goes. A single value that is replaced or unset is caused by what declares the new one, or none. */
function valuesIn(difference: Difference, isPruned: boolean): Readonly<Record<"added" | "gone", Values>> {
  if (difference.shape === "set") return { added: difference.add, gone: difference.remove };
  return isPruned ? { added: [], gone: [difference.before] } : { added: [difference.after], gone: [] };
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
  base: DeclaredSides["base"],
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

/** Who no longer declares a value: at its present place where its rule or file still declares something there, else in base. */
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
  return { ...(rule !== undefined && { rule }), source: origin && { ...origin, base: true } };
}

function isSame(one: Contribution, other: Contribution): boolean {
  if (one.rule !== undefined || other.rule !== undefined) return one.rule === other.rule;
  return one.origin?.file === other.origin?.file && one.end === other.end;
}

function byValue(contributions: readonly Contribution[]): ReadonlyMap<string, readonly Contribution[]> {
  const each = contributions.flatMap((by) => by.values.map((value) => ({ key: valueKey(value), by })));
  return new Map([...groupBy(each, ({ key }) => key)].map(([key, all]) => [key, all.map(({ by }) => by)]));
}

/** The first document, which is enough to declare something; without one all rules. */
function documentOrRules(contributions: readonly Contribution[]): readonly Contribution[] {
  const document = contributions.find(({ rule }) => rule === undefined);
  return document ? [document] : contributions;
}

function causeHere({ rule, origin }: Contribution): Cause {
  return { ...(rule !== undefined && { rule }), source: origin };
}

/** Turns differences into changes: adds their cause, their earlier declarations, conflicts and fingerprints. */

import { leafIn } from "../../model/place.ts";
import { type Conflict, type FacetChange, type Removed, type ScalarChange } from "../../model/change.ts";
import type { Origin } from "../../model/origin.ts";
import type { Mode } from "../../model/settings.ts";
import { isMember, isSameValue, type Leaf, type Member, type Scalar, type State } from "../../model/state.ts";
import { edgeSetOf, facetNamed } from "../../facets/index.ts";
import { contributionsTo } from "../base/declared-before.ts";
import { causeOf } from "./cause.ts";
import type { Difference } from "../diff/diff.ts";
import { modeOf } from "../base/modes.ts";
import type { Rules } from "../align/adopt.ts";
import { lastValueAt, lastWriteOf, type WrittenSince } from "../base/written-since.ts";
import { coverageOf, fingerprintOf } from "./fingerprint.ts";
import { valueKey, valuesOf } from "../base/values.ts";
import type { OnConflict } from "../base/policy.ts";

/** The changes of these differences. */
export function withProvenance(
  differences: readonly Difference[],
  { desired, live, declared: written = desired }: StatesBehind,
  rules: Rules & EarlierSides,
  winner?: OnConflict,
): readonly FacetChange[] {
  return differences.map((difference) => {
    const { urn, facet } = difference;
    const entity = desired.get(urn);
    const declared = leafIn(entity, difference);
    const sides: ValueSides = {
      mode: modeOf(entity ?? {}, facet, rules.modes, declared),
      desired: declared,
      live: leafIn(live.get(urn), difference),
      isKnown: rules.base !== undefined,
      base: leafIn(rules.base?.get(urn), difference),
      applied: leafIn(rules.applied?.get(urn), difference),
      ahead: leafIn(rules.ahead?.get(urn), difference),
    };
    const reverts = revertedBy(difference, sides);
    const removed = removedBy(difference, sides, rules.written);
    const pruned = declared?.isPruned && ({ pruned: true } as const);
    const common = {
      ...causeOf(difference, sides),
      ...pruned,
      ...(removed.length > 0 && { removed }),
      ...(reverts.length > 0 && { reverts }),
    };
    if (difference.shape === "set") {
      const covers = coverageOf(difference, {
        mode: sides.mode,
        desired: membersOf(declared),
        live: membersOf(sides.live),
        base: membersOf(sides.base),
        ignored: rules.ignored.patterns(urn, facet),
        isWhole: !edgeSetOf(facet) || written.get(urn)?.facets.has(facet) === true,
      });
      const covered = { ...difference, ...common, ...(covers && { covers }) };
      return { ...covered, fingerprint: fingerprintOf(sides.live, covered) };
    }
    const conflict = conflictIn(difference, sides);
    return {
      ...difference,
      ...common,
      fingerprint: fingerprintOf(sides.live, difference),
      ...(conflict && { conflict: { ...conflict, ...(winner && { winner }) } }),
    };
  });
}

/** The declarations and writes of earlier applies. */
interface EarlierSides {
  readonly applied?: State | undefined;
  readonly written?: WrittenSince | undefined;
  /** The declarations of the last applied commit, if HEAD's history does not contain it. */
  readonly ahead?: State | undefined;
}

/** One value on each side. */
interface ValueSides {
  readonly mode: Mode;
  readonly desired: Leaf | undefined;
  readonly live: Leaf | undefined;
  readonly isKnown: boolean;
  readonly base: Leaf | undefined;
  /** In the last applied commit. */
  readonly applied: Leaf | undefined;
  readonly ahead: Leaf | undefined;
}

/** The states that differences were computed from. */
interface StatesBehind {
  readonly desired: State;
  readonly live: State;
  /** The declarations before edges were moved to one end. */
  readonly declared?: State;
}

function membersOf(value: Leaf | undefined): readonly Member[] {
  return value?.shape === "set" ? value.members : [];
}

function removedBy(
  difference: Difference,
  { isKnown, base, desired, ahead }: ValueSides,
  written: WrittenSince | undefined,
): readonly Removed[] {
  // It cannot be declared, so it has no earlier declaration.
  if (facetNamed(difference.facet).schema === undefined) return [];
  const before = new Set(base?.shape === difference.shape ? valuesOf(base).map(valueKey) : []);
  const leaving = desired?.shape === "set" ? desired.leaving : undefined;
  const originAhead = originsIn(ahead);
  return removedValues(difference).map((value) => {
    const key = valueKey(value);
    const movesTo = isMember(value) ? leaving?.get(value) : undefined;
    const lastApplied = originAhead.get(key);
    const isDeclared = (): boolean => before.has(key) || wasWritten(difference, value, written);
    return {
      value,
      declaredBefore: lastApplied ? true : isKnown ? isDeclared() : null,
      ...(movesTo && { movesTo }),
      ...(lastApplied && { lastApplied }),
    };
  });
}

/** The first place that declares each value. */
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

/** Whether an apply wrote a live value from manifests that no commit of this history has. */
function wasWritten(
  difference: Difference,
  value: Member | Scalar,
  written: WrittenSince | undefined,
): boolean {
  if (difference.shape === "set") return isMember(value) && lastWriteOf(written, difference, value) === "add";
  const last = lastValueAt(written, difference);
  return last !== undefined && isSameValue(last.value, value);
}

/** The values of a change that the last applied commit declares too. */
function revertedBy(difference: Difference, { applied }: ValueSides): readonly (Member | Scalar)[] {
  if (difference.shape === "scalar") {
    const { after } = difference;
    return applied?.shape === "scalar" && isSameValue(applied.value, after) ? [after] : [];
  }
  if (applied?.shape !== "set") return [];
  const before = new Set(applied.members.map(valueKey));
  return [
    ...difference.add.filter((value) => before.has(valueKey(value))),
    ...difference.remove.filter((value) => !before.has(valueKey(value))),
  ];
}

/** The values that a change removes. */
function removedValues(difference: Difference): readonly (Member | Scalar)[] {
  if (difference.shape === "set") return difference.remove;
  return difference.before === null ? [] : [difference.before];
}

/** Under `merge`, a live value conflicts if and only if it is neither empty nor declared in base. */
function conflictIn(
  { before, after }: Pick<ScalarChange, "before" | "after">,
  { mode, base }: ValueSides,
): Conflict | undefined {
  if (mode !== "merge" || before === null) return undefined;
  const declared = base?.shape === "scalar" ? base : undefined;
  if (valuesOf(declared).some((each) => isSameValue(each, before))) return undefined;
  return { base: declared?.value ?? null, live: before, desired: after };
}

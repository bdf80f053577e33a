import { type Conflict, type FacetChange, type Removed, type ScalarChange } from "../../model/change.ts";
import type { Mode } from "../../model/policy.ts";
import {
  type Member,
  memberKey,
  type Scalar,
  type ScalarValue,
  type SetValue,
  type State,
  without,
} from "../../model/state.ts";
import { facetNamed } from "../../facets/index.ts";
import type { Difference } from "./diff.ts";
import { sha256 } from "./fingerprint.ts";
import { modeOf } from "../adopt/modes.ts";
import type { Rules } from "../adopt/rules.ts";
import { partAt } from "./values.ts";

/** Who wins where a live value and a declared one conflict; without a winner the plan waits for one. */
export type Winner = Conflict["winner"];

/**
 * Differences with what a reader must know of them: whether base declared what goes, whether somebody else's value is
 * overwritten that must not be, and a fingerprint of what the difference was computed from.
 */
export function withProvenance(
  differences: readonly Difference[],
  desired: State,
  live: State,
  rules: Rules,
  winner?: Winner,
): readonly FacetChange[] {
  return differences.map((difference) => {
    const { urn, facet } = difference;
    const entity = desired.get(urn);
    const sides: Sides = {
      mode: modeOf(entity ?? {}, facet, rules.modes),
      want: partAt(entity, difference),
      have: partAt(live.get(urn), difference),
      isKnown: rules.base !== undefined,
      base: partAt(rules.base?.get(urn), difference),
      isIgnored: (value) => rules.ignored.value(urn, facet, value) !== undefined,
    };
    const removed = removedBy(difference, sides);
    const common = { ...(removed.length > 0 && { removed }), fingerprint: sha256(seenBy(sides)) };
    if ("add" in difference) return { ...difference, ...common };
    const conflict = conflictIn(difference, sides);
    return {
      ...difference,
      ...common,
      ...(conflict && { conflict: { ...conflict, ...(winner && { winner }) } }),
    };
  });
}

/** One value, as each side has it. */
interface Sides {
  readonly mode: Mode;
  readonly want: ScalarValue | SetValue | undefined;
  readonly have: ScalarValue | SetValue | undefined;
  readonly isKnown: boolean;
  readonly base: ScalarValue | SetValue | undefined;
  readonly isIgnored: (value: Member | Scalar) => boolean;
}

function removedBy(difference: Difference, { isKnown, base }: Sides): readonly Removed[] {
  // Nobody declares it, so nobody is asked whose it is.
  if (facetNamed(difference.facet).schema === undefined) return [];
  const isBase = holding(base);
  return goneIn(difference).map((value) => ({ value, declaredBefore: isKnown ? isBase(value) : null }));
}

/** The values that a change takes away. */
function goneIn(difference: Difference): readonly (Member | Scalar)[] {
  if ("add" in difference) return difference.remove;
  return difference.before === null ? [] : [difference.before];
}

/** Says of one value after the other whether it is in this one. */
function holding(whole: ScalarValue | SetValue | undefined): (value: Member | Scalar) => boolean {
  if (whole?.shape === "scalar") return (value) => whole.value === value;
  const keys = new Set((whole?.members ?? []).map(memberKey));
  return (value) =>
    value !== null && typeof value !== "number" && typeof value !== "boolean" && keys.has(memberKey(value));
}

/** Under `merge` a value that is neither empty nor base's is somebody else's. */
function conflictIn(
  { before, after }: Omit<ScalarChange, "fingerprint">,
  { mode, base }: Sides,
): Conflict | undefined {
  if (mode !== "merge" || before === null) return undefined;
  const declared = base?.shape === "scalar" ? base : undefined;
  if (declared?.value === before) return undefined;
  return { base: declared?.value ?? null, live: before, desired: after };
}

// If this part of the live value changes, the change is another: under `merge` and `additive` what others add is no part of it.
function seenBy({ mode, want, have, base, isIgnored }: Sides): Scalar | readonly Member[] {
  if (have?.shape !== "set") return have?.value ?? null;
  if (mode === "authoritative") return have.members.filter((member) => !isIgnored(member));
  const ours = [want, base].flatMap((side) => (side?.shape === "set" ? side.members : []));
  return without(have.members, without(have.members, ours));
}

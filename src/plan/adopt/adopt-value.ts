import type { Mode } from "../../model/settings.ts";
import {
  type Leaf,
  type Member,
  memberKey,
  type Scalar,
  type ScalarValue,
  setOf,
  type SetValue,
  without,
} from "../../model/state.ts";
import { valuesOf } from "../diff/values.ts";

/** One value as each side has it. Without a `base` it is not known whether it was declared before. */
export interface ValueSides<Value extends Leaf> {
  readonly desired: Value;
  readonly live: Value;
  readonly base: Value | undefined;
}

/** What a value shall be, and what stays of the live one though it is not declared. */
export interface Adopted<Value extends Leaf> {
  readonly value: Value;
  readonly kept: readonly Kept[];
}

/** A live value that stays; `declaredBefore` says that base declares it. */
interface Kept {
  readonly value: Member | Scalar;
  readonly declaredBefore: boolean;
}

type IsIgnored = (value: Member | Scalar) => boolean;

/**
 * A set under its mode. What is ignored stays as it is; of the rest `authoritative` keeps what is declared, `merge` also
 * what base did not declare, `additive` all.
 */
export function adoptSet(
  mode: Mode,
  { desired, live, base }: ValueSides<SetValue>,
  isIgnored: IsIgnored,
): Adopted<SetValue> {
  const declared = desired.members.filter((member) => !isIgnored(member));
  const ignored = live.members.filter(isIgnored);
  const others = without(live.members, [...desired.members, ...ignored]);
  const before = new Set((base?.members ?? []).map(memberKey));
  const isBefore = (member: Member): boolean => before.has(memberKey(member));
  const kept = others.filter((member) => mode === "additive" || (mode === "merge" && !isBefore(member)));
  return {
    value: {
      ...setOf([...declared, ...ignored, ...kept], desired.origin),
      ...(desired.by && { by: desired.by }),
    },
    kept: kept.map((value) => ({ value, declaredBefore: isBefore(value) })),
  };
}

/** A single value under its mode: `additive` fills what is empty, the others set what is declared. */
export function adoptScalar(
  mode: Mode,
  { desired, live, base }: ValueSides<ScalarValue>,
  isIgnored: IsIgnored,
): Adopted<ScalarValue> {
  if (desired.value === live.value) return { value: desired, kept: [] };
  const stays = { ...desired, value: live.value };
  if (isIgnored(desired.value) || isIgnored(live.value)) return { value: stays, kept: [] };
  if (mode !== "additive" || live.value === null) return { value: desired, kept: [] };
  return { value: stays, kept: [{ value: live.value, declaredBefore: valuesOf(base).includes(live.value) }] };
}

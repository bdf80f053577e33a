import type { Mode } from "../../model/policy.ts";
import {
  type Member,
  memberKey,
  type Scalar,
  type ScalarValue,
  setOf,
  type SetValue,
  without,
} from "../../model/state.ts";

/** The same value as three hands have it. Without a `base` nobody knows that it was declared before. */
export interface Sides<Value extends ScalarValue | SetValue> {
  readonly want: Value;
  readonly have: Value;
  readonly base: Value | undefined;
}

/** What a value shall be, and what stays of the live one though it is not declared. */
export interface Adopted<Value extends ScalarValue | SetValue> {
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
  { want, have, base }: Sides<SetValue>,
  isIgnored: IsIgnored,
): Adopted<SetValue> {
  const declared = want.members.filter((member) => !isIgnored(member));
  const ignored = have.members.filter(isIgnored);
  const others = without(have.members, [...want.members, ...ignored]);
  const before = new Set((base?.members ?? []).map(memberKey));
  const isBefore = (member: Member): boolean => before.has(memberKey(member));
  const kept = others.filter((member) => mode === "additive" || (mode === "merge" && !isBefore(member)));
  return {
    value: setOf([...declared, ...ignored, ...kept], want.origin),
    kept: kept.map((value) => ({ value, declaredBefore: isBefore(value) })),
  };
}

/** A single value under its mode: `additive` fills what is empty, the others set what is declared. */
export function adoptScalar(
  mode: Mode,
  { want, have, base }: Sides<ScalarValue>,
  isIgnored: IsIgnored,
): Adopted<ScalarValue> {
  if (want.value === have.value) return { value: want, kept: [] };
  const stays = { ...want, value: have.value };
  if (isIgnored(want.value) || isIgnored(have.value)) return { value: stays, kept: [] };
  if (mode !== "additive" || have.value === null) return { value: want, kept: [] };
  return { value: stays, kept: [{ value: have.value, declaredBefore: base?.value === have.value }] };
}

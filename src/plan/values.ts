import type { FacetValue, Member, Scalar } from "../model/state.ts";

/** The single values in a scalar or a set; an unset one has none. */
export function valuesOf(value: FacetValue | undefined): readonly (Member | Scalar)[] {
  if (value?.shape === "set") return value.members;
  return value?.shape === "scalar" && value.value !== null ? [value.value] : [];
}

/** The texts that a value is made of: itself, or those of an object such as an owner with its type; `null` has none. */
export function textsIn(value: Member | Scalar): readonly string[] {
  if (value === null) return [];
  return typeof value === "object" ? Object.values(value) : [String(value)];
}

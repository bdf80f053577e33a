/** Lists and identifies the individual values in a facet. */

import { type FacetValue, type Member, type Scalar, isMember, memberKey } from "./state.ts";
import { canonicalJson } from "./json.ts";

/** Returns the individual values in a scalar or a set, including values that were declared later. An unset scalar has none. */
export function valuesOf(value: FacetValue | undefined): readonly (Member | Scalar)[] {
  if (value?.shape === "set") return value.members;
  if (value?.shape !== "scalar") return [];
  const { value: one, since = [] } = value;
  return [...(one === null ? [] : [one]), ...since];
}

/** Returns a function that tests whether a value is one of the individual values in a scalar or a set. */
export function isOneOf(values: FacetValue | undefined): (value: Member | Scalar) => boolean {
  const keys = new Set(valuesOf(values).map(valueKey));
  return (value) => keys.has(valueKey(value));
}

/** Returns a string that identifies an individual value in a facet. For a member, it is the `memberKey`. */
export function valueKey(value: Member | Scalar): string {
  return isMember(value) ? memberKey(value) : canonicalJson(value);
}

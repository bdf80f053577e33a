/** Lists the single values in a facet's value, and identifies them. */

import { type FacetValue, type Member, type Scalar, isMember, memberKey } from "./state.ts";
import { canonicalJson } from "./json.ts";

/** Returns the single values in a scalar or a set, including a history's values. An unset scalar has none. */
export function valuesOf(value: FacetValue | undefined): readonly (Member | Scalar)[] {
  if (value?.shape === "set") return value.members;
  if (value?.shape !== "scalar") return [];
  const { value: one, since = [] } = value;
  return [...(one === null ? [] : [one]), ...since];
}

/** Returns a text that identifies a facet's single value. For a member it is its `memberKey`. */
export function valueKey(value: Member | Scalar): string {
  return isMember(value) ? memberKey(value) : canonicalJson(value);
}

/** The single values in the value of a facet, and their identity. */

import { type FacetValue, type Member, type Scalar, isMember, memberKey } from "./state.ts";
import { canonicalJson } from "./json.ts";

/** The single values in a scalar or a set, with those of a history. An unset scalar has none. */
export function valuesOf(value: FacetValue | undefined): readonly (Member | Scalar)[] {
  if (value?.shape === "set") return value.members;
  if (value?.shape !== "scalar") return [];
  const { value: one, since = [] } = value;
  return [...(one === null ? [] : [one]), ...since];
}

/** The identity of a single value of a facet. For a member it is its `memberKey`. */
export function valueKey(value: Member | Scalar): string {
  return isMember(value) ? memberKey(value) : canonicalJson(value);
}

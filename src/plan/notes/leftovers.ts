/** Counts undeclared entities and values that a plan without a prune leaves in the catalog. */

import { namesOfPlace } from "../../facets/places.ts";
import { leafIn, placeAt } from "../../model/place.ts";
import { edgeSetOf, facetNamed } from "../../facets/index.ts";
import type { Unmanaged } from "../../model/plan.ts";
import type { DormantValue, Leftovers } from "../../model/plan-scope.ts";
import type { KindName, State } from "../../model/state.ts";
import { isUrn } from "../../model/urn.ts";

/** The kinds that a prune deletes, and whether a prune removes values. */
export interface Prunable {
  readonly kinds: ReadonlySet<KindName>;
  readonly assignments: boolean;
}

/** The current declarations, and the earlier declarations if they are known. */
interface Declared {
  readonly desired: State;
  readonly before: State | undefined;
}

/** Returns the leftovers of a plan, including values of missing assets and columns. Returns `undefined` if there are none. */
export function leftoversOf(
  unmanaged: readonly Unmanaged[],
  { desired, before }: Declared,
  { kinds, assignments }: Prunable,
  dormant: readonly DormantValue[] = [],
): Leftovers | undefined {
  const left = unmanaged.filter(({ reason }) => reason === "no-longer-declared");
  // A group that only its members list may never have had its own declaration.
  const isEntity = ({ urn, kind }: Unmanaged): boolean =>
    kinds.has(kind) && !desired.has(urn) && before?.has(urn) === true;
  const entities = new Set(left.filter(isEntity).map(({ urn }) => urn));
  const values = assignments ? left.filter((each) => !isEntity(each) && isPrunable(each, desired)) : [];
  if (entities.size + values.length + dormant.length === 0) return undefined;
  return { entities: [...entities], values: values.length, ...(dormant.length > 0 && { away: dormant }) };
}

// Whether a prune would remove a value. If the value's facet is still declared, the mode keeps the value, so a prune never
// removes it.
function isPrunable({ urn, facet, path = [], value }: Unmanaged, desired: State): boolean {
  if (facet === undefined || facetNamed(facet).isRequired) return false;
  const inverse = edgeSetOf(facet)?.inverse;
  if (inverse !== undefined && isUrn(value) && desired.get(value)?.facets.has(inverse)) return false;
  return !namesOfPlace(placeAt(facet, path)).some((place) => leafIn(desired.get(urn), place) !== undefined);
}

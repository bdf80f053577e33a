/**
 * Finds values of missing or soft-deleted assets and columns. A prune must remove these values if the asset or column returns.
 */

import { leafIn, leavesOf, type Place, placeAt } from "../../model/place.ts";
import { namesOfPlace } from "../../facets/places.ts";
import { facetNamed } from "../../facets/index.ts";
import type { GitState } from "../../model/plan.ts";
import type { DormantValue } from "../../model/plan-scope.ts";
import type { Entity, FacetValue, Leaf, Member, Scalar, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { modeOf } from "../base/modes.ts";
import type { Management, Policy } from "../base/policy.ts";
import { unitedLeaves, type DeclaredDormant } from "../base/declared-before.ts";
import { keyOfUnmanaged, orderUnmanaged } from "../diff/unmanaged.ts";
import { isOneOf, valuesOf } from "../../model/values.ts";

/** The values of missing or soft-deleted assets, and the assets that could not be read. */
export interface LiveDormant {
  readonly dormant: State;
  readonly unread: Iterable<Urn>;
}

/** Whether applying a plan may record a different commit as applied. The earlier declarations are then discarded. */
export function canAdvanceBase({ commit, base }: GitState): boolean {
  return base !== null && base !== commit;
}

/** Whether an entity has any value that was declared before and is not declared now. */
export function hasUndeclaredValues({ now, before }: DeclaredDormant, urn: Urn): boolean {
  const [then, today] = [before.get(urn), now.get(urn)];
  if (!then) return false;
  return [...then.facets].some(([facet, value]) =>
    leavesOf(value).some(([path, leaf]) => dropped(leaf, leafIn(today, placeAt(facet, path))).length > 0),
  );
}

function dropped(before: FacetValue, now: FacetValue | undefined): readonly (Member | Scalar)[] {
  const isWanted = isOneOf(now);
  return valuesOf(before).filter((value) => !isWanted(value));
}

/**
 * Returns the values that are no longer declared but reappear if their assets or columns return. An apply can remove them only
 * while their earlier declarations are known. `declared` has several elements if it is uncertain which rules apply. `assignments`
 * determines whether a prune removes values that are no longer declared.
 */
export function dormantValues(
  declared: readonly DeclaredDormant[],
  { dormant, unread }: LiveDormant,
  policy: Policy,
  assignments: boolean,
): readonly DormantValue[] {
  const found = new Map<string, DormantValue>();
  const note = (each: DormantValue): void => void found.set(keyOfUnmanaged(each), each);
  for (const entity of dormant.values()) {
    for (const sides of declared)
      for (const each of droppedOf(entity, sides, policy, assignments)) note(each);
  }
  for (const urn of unread) note({ urn });
  const isShown = ({ urn }: DormantValue): boolean => policy.part === undefined || policy.part.has(urn);
  return orderUnmanaged([...found.values()].filter(isShown));
}

function droppedOf(
  entity: Entity,
  { now, before }: DeclaredDormant,
  { modes, ignored }: Management,
  assignments: boolean,
): readonly DormantValue[] {
  const { urn } = entity;
  const [then, today] = [before.get(urn), now.get(urn)];
  if (!then) return [];
  return [...entity.facets].flatMap(([facet, live]) => {
    return leavesOf(live).flatMap(([path, leaf]) => {
      const place = placeAt(facet, path);
      const wanted = declaredAt(today, place);
      // The `additive` mode never removes values.
      if (wanted && modeOf(today ?? {}, facet, modes, wanted) === "additive") return [];
      if (!wanted && (!assignments || facetNamed(facet).isRequired)) return [];
      const wasDeclared = isOneOf(declaredAt(then, place));
      return dropped(leaf, wanted)
        .filter((value) => wasDeclared(value) && ignored.value(urn, facet, value) === undefined)
        .map((value) => ({ urn, ...place, value }));
    });
  });
}

/** Returns the declaration at a place. A manifest can use any name of the place. */
function declaredAt(entity: Entity | undefined, place: Place): Leaf | undefined {
  const declared = namesOfPlace(place).flatMap((each) => leafIn(entity, each) ?? []);
  return declared.length === 0 ? undefined : declared.reduceRight(unitedLeaves);
}

/** Lists unmanaged live values in display order. A plan does not change these values. */

import { facetNamed, isDeclarable } from "../../facets/index.ts";
import { compareText } from "../../model/json.ts";
import { leafAt, leafIn, leavesOf, pathKey, placeAt } from "../../model/place.ts";
import type { Live } from "../../model/live.ts";
import { isDefinitionKind } from "../../kinds/index.ts";
import type { Unmanaged, UnmanagedValue } from "../../model/plan.ts";
import type { DormantValue } from "../../model/plan-scope.ts";
import { type Entity, type FacetValue, memberKey, type State } from "../../model/state.ts";
import type { Ignored } from "../base/ignore.ts";
import type { DiffInput } from "../align/prepare-diff.ts";
import { namesAt } from "../base/values.ts";
import { isOneOf, valuesOf, valueKey } from "../../model/values.ts";

/** Returns undeclared values that ingestion wrote at managed places. Users cannot edit these values. */
export function ingestedIn(desired: State, live: Live): readonly UnmanagedValue[] {
  return live.unmanaged.filter((each) => {
    const declared = leafIn(desired.get(each.urn), each);
    return declared?.shape === "set" && !declared.members.some((member) => memberKey(member) === each.value);
  });
}

/** Returns live values, including group members, that base declares but the manifests no longer declare. */
export function noLongerManaged(sides: DiffInput): readonly Unmanaged[] {
  const { desired, live, base, membersLeft } = sides;
  if (!base) return [];
  // A member may leave a group because it joins a different group.
  const isLeaving = (edge: UnmanagedValue): boolean => isIn(live, edge) && !isIn(desired, edge);
  return [...noLongerDeclared(sides, base), ...membersLeft.filter((each) => !isLeaving(each))];
}

function isIn(state: State, { urn, facet, value }: UnmanagedValue): boolean {
  return valuesOf(state.get(urn)?.facets.get(facet)).includes(value);
}

/**
 * Returns live values that base declares but the manifests no longer declare. A definition that is no longer declared is listed
 * even if it has no such values. Omits group members, because either end can declare them (see `membersNoLongerDeclared`).
 */
export function noLongerDeclared(
  {
    desired,
    live,
    undeclared,
  }: { readonly desired: State; readonly live: State; readonly undeclared: readonly Entity[] },
  base: State,
): readonly Unmanaged[] {
  const left = new Set(undeclared.map(({ urn }) => urn));
  return [...base.values()].flatMap((before): readonly Unmanaged[] => {
    const { urn, kind, facets } = before;
    const liveEntity = live.get(urn);
    if (!liveEntity) return [];
    const now = desired.get(urn);
    const values = [...facets].flatMap(([facet, value]) =>
      leftIn(liveEntity, facet, value, now?.facets.get(facet)),
    );
    const isBare = left.has(urn) && values.length === 0 && isDefinitionKind(kind);
    return isBare ? [{ urn, kind, reason: "no-longer-declared" }] : values;
  });
}

/** Returns the values of a facet that were declared before, are no longer declared, and are still live. */
function leftIn(
  { urn, kind, facets }: Entity,
  facet: string,
  before: FacetValue,
  now: FacetValue | undefined,
): readonly UnmanagedValue[] {
  if (!isDeclarable(facetNamed(facet))) return [];
  const live = facets.get(facet);
  return leavesOf(before).flatMap(([path, leaf]): readonly UnmanagedValue[] => {
    if (leafAt(now, path)) return [];
    const wasDeclared = isOneOf(leaf);
    const left = valuesOf(leafAt(live, path)).filter(wasDeclared);
    return left.map((value) => ({ urn, kind, ...placeAt(facet, path), value, reason: "no-longer-declared" }));
  });
}

/** Returns the unmanaged values to show, in display order. Omits ignored values, deleted entities and references to them. */
export function unmanagedToShow(
  all: readonly Unmanaged[],
  ignored: Ignored,
  deleted: ReadonlySet<string>,
): readonly Unmanaged[] {
  const stays = ({ urn, value = null, ...place }: Unmanaged): boolean =>
    !deleted.has(urn) && !namesAt(place, value).some((text) => deleted.has(text));
  const isListed = ({ urn, facet, value }: Unmanaged): boolean =>
    !ignored.entity(urn) && (facet === undefined || !ignored.value(urn, facet, value));
  return orderUnmanaged(all.filter((each) => stays(each) && isListed(each)));
}

/** Sorts unmanaged or dormant values into display order. */
export function orderUnmanaged<Each extends Unmanaged | DormantValue>(all: readonly Each[]): readonly Each[] {
  return all.toSorted((a, b) => compareText(keyOfUnmanaged(a), keyOfUnmanaged(b)));
}

/** Returns a string that identifies an unmanaged or dormant value and determines its position in the sort order. */
export function keyOfUnmanaged({ urn, facet = "", path, value = null }: Unmanaged | DormantValue): string {
  return [urn, facet, pathKey(path), valueKey(value)].join("\n");
}

/** Computes the ancestors that entities have after the changes. The order of the writes depends on them. */

import { kindOf } from "../../kinds/index.ts";
import type { Change } from "../../model/change.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { ancestorsOf, type ParentOf } from "./parents.ts";

/** Returns the live ancestors of a changed entity's new parent. The order of the writes depends on them. */
export function aboveNewParent(change: Change, liveParentOf: ParentOf): readonly Urn[] {
  const parent = newParentIn(change);
  return parent === undefined ? [] : ancestorsOf(parent, liveParentOf);
}

/** Returns the changed entity's new parent. `undefined` for changes that are not moves, and for moves to the top level. */
function newParentIn(change: Change): Urn | undefined {
  return isMove(change) && isUrn(change.after) ? change.after : undefined;
}

/** Whether a change moves an entity to a different parent. */
export function isMove(change: Change): change is Extract<Change, { readonly shape: "scalar" }> {
  return change.shape === "scalar" && change.facet === kindOf(change.kind).parentFacet;
}

/** Returns a lookup for parents after the changes. For entities without a change, the lookup uses the parents in `above`. */
export function parentsAfter(changes: readonly Change[]): ParentOf {
  const parents = new Map<Urn, Urn | undefined>();
  for (const change of changes) {
    const parent = newParentIn(change);
    const way = parent === undefined ? [] : [parent, ...(change.above ?? [])];
    way.forEach((urn, index) => parents.set(urn, way[index + 1]));
  }
  for (const change of changes) if (isMove(change)) parents.set(change.urn, newParentIn(change));
  return (urn) => parents.get(urn);
}

/** Returns the entities that the changes create or move. */
export function placedBy(changes: readonly Change[]): ReadonlySet<Urn> {
  return new Set(
    changes.flatMap((change) => (change.action === "create" || isMove(change) ? [change.urn] : [])),
  );
}

/** Computes the effects of changes on other entities: members of changed groups, and entities that refer to deleted entities. */

import { edgeSetOf, facetsOf } from "../../facets/index.ts";
import type { Facet } from "../../facets/facet.ts";
import { entitiesNamedIn, keysOf } from "../../facets/places.ts";
import { kindOfUrn } from "../../kinds/index.ts";
import {
  type Change,
  type EntityChange,
  isFacetChange,
  isSetChange,
  type SetChange,
} from "../../model/change.ts";
import { leafAt, leavesOf, type Path, type Place, placeAt, valueFrom } from "../../model/place.ts";
import {
  type Entity,
  type FacetValue,
  type KindName,
  type Leaf,
  type Member,
  type Scalar,
  scalarOf,
  setOf,
} from "../../model/state.ts";
import { isUrn } from "../../model/urn.ts";
import { referredBy } from "../base/values.ts";
import { valuesOf } from "../../model/values.ts";

/** Converts edge changes into changes to members. Plans contain edge changes only as changes to groups. */
export function changesOfMembers(changes: readonly Change[]): readonly SetChange[] {
  return changes.filter(isSetChange).flatMap((change) => {
    const edges = edgeSetOf(change.facet);
    return edges
      ? [...atMembers(change, edges.inverse, "add"), ...atMembers(change, edges.inverse, "remove")]
      : [];
  });
}

function atMembers(change: SetChange, facet: string, way: "add" | "remove"): readonly SetChange[] {
  const { urn: group, source, fingerprint } = change;
  return change[way].filter(isUrn).flatMap((urn) => {
    const kind = kindOfUrn(urn)?.name;
    if (kind === undefined) return [];
    const none = { add: [], remove: [], action: "update", shape: "set", fingerprint } as const;
    return [{ ...none, kind, urn, facet, [way]: [group], ...(source && { source }) }];
  });
}

/**
 * Returns the deletions in a list of changes. They affect other entities, because the server removes or hides references to a
 * deleted entity.
 */
export function deletionsFrom(changes: readonly Change[]): readonly EntityChange[] {
  return changes.filter(
    (change): change is EntityChange => !isFacetChange(change) && change.action === "delete",
  );
}

/** Returns the facets in `names` whose values or keys can refer to entities of the given type. */
export function facetsNaming(kind: KindName, names: ReadonlySet<string>, type: string): readonly Facet[] {
  return facetsOf(kind).filter(
    ({ name, refersTo }) =>
      names.has(name) &&
      (refersTo.includes(type) || keysOf(name).some(({ entityType }) => entityType === type)),
  );
}

/** Returns facets without the values that refer to deleted entities. Returns the same object if there are no such values. */
export function withoutDeleted(facets: Entity["facets"], deleted: ReadonlySet<string>): Entity["facets"] {
  if (deleted.size === 0) return facets;
  const changed = [...facets].flatMap(([facet, value]): readonly (readonly [string, FacetValue])[] => {
    const leaves = leavesOf(value).map(([path, leaf]): readonly [Path, Leaf] => [
      path,
      withoutNames(placeAt(facet, path), leaf, deleted),
    ]);
    return leaves.some(([path, leaf]) => leaf !== leafAt(value, path)) ? [[facet, valueFrom(leaves)]] : [];
  });
  return changed.length === 0 ? facets : new Map([...facets, ...changed]);
}

function withoutNames(place: Place, leaf: Leaf, deleted: ReadonlySet<string>): Leaf {
  const isDeleted = (value: Member | Scalar): boolean =>
    [...entitiesNamedIn(place), ...referredBy(place.facet, [value])].some((urn) => deleted.has(urn));
  const namingDeleted = valuesOf(leaf).filter(isDeleted);
  if (namingDeleted.length === 0) return leaf;
  if (leaf.shape === "set") return setOf(leaf.members.filter((member) => !isDeleted(member)));
  return scalarOf(null);
}

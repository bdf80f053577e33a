/** Declares an empty value wherever a prune removes the live value. */

import { edgeSetOf, facetNamed } from "../../facets/index.ts";
import {
  type Entity,
  type FacetValue,
  type Leaf,
  type Member,
  type Scalar,
  scalarOf,
  setOf,
  type State,
} from "../../model/state.ts";
import { joined, leafAt, leavesOf, valueFrom } from "../../model/place.ts";
import type { Ignored } from "../base/ignore.ts";
import { isOneOf, valuesOf } from "../../model/values.ts";

/**
 * Declares an empty value wherever base declares a value that is still live but that the manifests no longer declare. Edges are
 * pruned by `withEdges`.
 */
export function withPruned(desired: State, live: State, base: State, ignored: Ignored): State {
  const state = new Map(desired);
  for (const before of base.values()) {
    const liveEntity = live.get(before.urn);
    if (!liveEntity) continue;
    const now = state.get(before.urn) ?? { ...before, facets: new Map<string, FacetValue>() };
    const emptied = emptiedFacets(before, now, liveEntity, ignored);
    if (emptied.length > 0) state.set(before.urn, { ...now, facets: new Map([...now.facets, ...emptied]) });
  }
  return state;
}

type IsPrunable = (value: Member | Scalar) => boolean;

function emptiedFacets(
  before: Entity,
  now: Entity,
  live: Entity,
  ignored: Ignored,
): readonly (readonly [string, FacetValue])[] {
  return [...before.facets].flatMap(([facet, value]) => {
    if (!canBePruned(facet)) return [];
    const [declared, there] = [now.facets.get(facet), live.facets.get(facet)];
    const isPrunable: IsPrunable = (each) => ignored.value(before.urn, facet, each) === undefined;
    const emptied = leavesOf(value).flatMap(([path, leaf]) => {
      const empty = leafAt(declared, path) ? undefined : emptiedLeaf(leaf, leafAt(there, path), isPrunable);
      return empty ? [[path, empty] as const] : [];
    });
    if (emptied.length === 0) return [];
    return [[facet, joined(declared, valueFrom(emptied), (_now, empty) => empty)] as const];
  });
}

/**
 * Whether a prune can remove values of a facet. Manifests must be able to declare the facet, and the facet must not be required.
 */
export function canBePruned(facet: string): boolean {
  const { schema, isRequired } = facetNamed(facet);
  return schema !== undefined && !isRequired && !edgeSetOf(facet);
}

function emptiedLeaf(before: Leaf, live: Leaf | undefined, isPrunable: IsPrunable): Leaf | undefined {
  const isThere = isOneOf(live);
  const left = valuesOf(before).filter((value) => isThere(value) && isPrunable(value));
  if (left.length === 0) return undefined;
  const empty = before.shape === "set" ? setOf([], before.origin) : scalarOf(null, before.origin);
  return { ...empty, mode: "merge", isPruned: true };
}

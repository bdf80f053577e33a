/** Determines which edges a partial plan compares. */

import { type EdgeSet, edgeSets } from "../../facets/index.ts";
import type { State } from "../../model/state.ts";
import type { UrnTest, Urn } from "../../model/urn.ts";
import { groupListsIn } from "./group-lists.ts";

/** Whether a member's declaration determines its edge to a group. */
export type MemberDeclaresEdge = (edges: EdgeSet, group: Urn, member: Urn) => boolean;

/**
 * Returns a function that tests whether a member's declaration determines its edge to a group. This is the case if the member
 * lists its groups, or if it listed them before and the group has no list.
 */
export function memberDeclaresEdge(declared: State, base: State | undefined): MemberDeclaresEdge {
  const byFacet = new Map(
    edgeSets.map((edges) => [
      edges.facet,
      { now: groupListsIn(declared, edges), before: base && groupListsIn(base, edges) },
    ]),
  );
  return ({ facet }, group, member) => {
    const { now, before } = byFacet.get(facet) ?? {};
    return (
      now?.has(member) === true || (before?.has(member) === true && !declared.get(group)?.facets.has(facet))
    );
  };
}

/** The edges to compare. */
export interface SelectedEdges {
  /** Whether all edges of a group are selected. */
  isGroup(group: Urn): boolean;
  /** Whether an edge is selected through its group or its member. */
  has(edges: EdgeSet, group: Urn, member: Urn): boolean;
}

/** Selects all edges. */
export const allEdges: SelectedEdges = { isGroup: () => true, has: () => true };

/** Selects the edges of selected groups, and the edges that a selected member's declaration determines. */
export function selectedEdges(
  selected: UrnTest | undefined,
  declared: State,
  base: State | undefined,
): SelectedEdges {
  if (!selected) return allEdges;
  const decides = memberDeclaresEdge(declared, base);
  const isSelected = (urn: Urn): boolean => selected.has(urn);
  return {
    isGroup: isSelected,
    has: (edges, group, member) => isSelected(group) || (isSelected(member) && decides(edges, group, member)),
  };
}

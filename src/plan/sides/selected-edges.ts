import { memberships } from "../../facets/index.ts";
import type { State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { groupListsIn } from "./base.ts";

/** Whether a user's declaration decides about a membership. */
export type UserDeclaresMembership = (group: Urn, user: Urn) => boolean;

/** A user that declares `groups` decides; one that did before, only for groups that declare no `members`. */
export function userDeclaresMembership(declared: State, base: State | undefined): UserDeclaresMembership {
  const now = groupListsIn(declared);
  const before = base && groupListsIn(base);
  return (group, user) =>
    now.has(user) || (before?.has(user) === true && !declared.get(group)?.facets.has(memberships.facet));
}

/** The memberships that are compared. */
export interface SelectedEdges {
  /** Whether all memberships of a group are selected. */
  isGroup(group: Urn): boolean;
  /** Whether one is selected, from either end. */
  has(group: Urn, user: Urn): boolean;
}

/** All memberships. */
export const allEdges: SelectedEdges = { isGroup: () => true, has: () => true };

/** The memberships of selected groups, and those in which the declaration of a selected user decides. */
export function selectedEdges(
  selected: Pick<ReadonlySet<Urn>, "has"> | undefined,
  declared: State,
  base: State | undefined,
): SelectedEdges {
  if (!selected) return allEdges;
  const decides = userDeclaresMembership(declared, base);
  const isSelected = (urn: Urn): boolean => selected.has(urn);
  return {
    isGroup: isSelected,
    has: (group, user) => isSelected(group) || (isSelected(user) && decides(group, user)),
  };
}

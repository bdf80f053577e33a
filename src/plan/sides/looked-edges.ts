import { memberships } from "../../facets/index.ts";
import type { State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { groupListsIn } from "./base.ts";

/** Whether a user has a say in a membership of its own. */
export type UserDecides = (group: Urn, user: Urn) => boolean;

/** A user that lists its groups decides in which it is; one that did, what becomes of those that list no members. */
export function userDecides(declared: State, base: State | undefined): UserDecides {
  const now = groupListsIn(declared);
  const before = base && groupListsIn(base);
  return (group, user) =>
    now.has(user) || (before?.has(user) === true && !declared.get(group)?.facets.has(memberships.facet));
}

/** The memberships that are looked at. */
export interface LookedEdges {
  /** Whether all memberships of a group are. */
  isGroup(group: Urn): boolean;
  /** Whether one is, from either end. */
  has(group: Urn, user: Urn): boolean;
}

/** All memberships. */
export const allEdges: LookedEdges = { isGroup: () => true, has: () => true };

/** The memberships of the groups that are looked at, and those in which a user has a say that is looked at. */
export function lookedEdges(
  looked: Pick<ReadonlySet<Urn>, "has"> | undefined,
  declared: State,
  base: State | undefined,
): LookedEdges {
  if (!looked) return allEdges;
  const decides = userDecides(declared, base);
  const isLooked = (urn: Urn): boolean => looked.has(urn);
  return {
    isGroup: isLooked,
    has: (group, user) => isLooked(group) || (isLooked(user) && decides(group, user)),
  };
}

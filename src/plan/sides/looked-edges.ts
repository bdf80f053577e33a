import type { State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { type GroupLists, groupListsIn } from "./base.ts";

/** The memberships that are looked at. */
export interface LookedEdges {
  /** Whether all memberships of a group are. */
  isGroup(group: Urn): boolean;
  /** Whether all memberships of a user are that lists its groups, or did. */
  isUser(user: Urn): boolean;
  /** Whether one is, from either end. */
  has(group: Urn, user: Urn): boolean;
}

/** All memberships. */
export const allEdges: LookedEdges = { isGroup: () => true, isUser: () => true, has: () => true };

/** The memberships of the groups that are looked at, and those of the users that list their groups, or did. */
export function lookedEdges(
  looked: ReadonlySet<Urn> | undefined,
  declared: State,
  base: State | undefined,
): LookedEdges {
  if (!looked) return allEdges;
  const lists: readonly GroupLists[] = [groupListsIn(declared), ...(base ? [groupListsIn(base)] : [])];
  const isGroup = (group: Urn): boolean => looked.has(group);
  const isUser = (user: Urn): boolean => looked.has(user) && lists.some((list) => list.has(user));
  return { isGroup, isUser, has: (group, user) => isGroup(group) || isUser(user) };
}

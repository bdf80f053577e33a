import { facetNamed, memberships } from "../facets/index.ts";
import { type Change, isFacetChange, isSetChange, type SetChange } from "../model/change.ts";
import { groupBy } from "../model/group-by.ts";
import type { Unmanaged } from "../model/plan.ts";
import type { Member, Scalar } from "../model/state.ts";
import { isUrn, type Urn } from "../model/urn.ts";
import { isInConflict } from "./diff/conflicts.ts";
import { textsIn } from "./diff/values.ts";

/** The part of a plan that is looked at: what it leaves of a plan of all that was read. */
export interface Part {
  readonly has: (urn: Urn) => boolean;
  changes(all: readonly Change[]): readonly Change[];
  unmanaged(all: readonly Unmanaged[]): readonly Unmanaged[];
}

/** The part that is everything. */
export const wholePart: Part = { has: () => true, changes: (all) => all, unmanaged: (all) => all };

/** Whether a user decides itself in which groups it is: it lists them, or did. */
export type DecidesGroups = (user: Urn) => boolean;

/**
 * The part that was selected, the membership changes of its users that list their groups, and, as with Terraform's
 * `-target`, what its changes need and does not exist yet.
 */
export function partOf(selected: ReadonlySet<Urn>, all: readonly Change[], decides: DecidesGroups): Part {
  const byUrn = groupBy(all, ({ urn }) => urn);
  const edges = all.filter(isMembershipChange);
  const part = new Set(selected);
  const has = (urn: Urn): boolean => part.has(urn);
  for (let fresh: ReadonlySet<Urn> = part; fresh.size > 0;) {
    const due = [...[...fresh].flatMap((urn) => byUrn.get(urn) ?? []), ...edgesOf(edges, { has, decides })];
    const needed = due.filter((change) => !isInConflict(change)).flatMap(neededBy);
    const isNew = (urn: Urn): boolean => !part.has(urn) && (byUrn.get(urn) ?? []).some(makesReferenceable);
    fresh = new Set(needed.filter(isNew));
    for (const urn of fresh) part.add(urn);
  }
  const isOwnEdge = (user: Member | Scalar): boolean => isUrn(user) && part.has(user) && decides(user);
  return {
    has,
    changes: (changes) =>
      changes.flatMap((change): readonly Change[] => {
        if (part.has(change.urn)) return [change];
        return isMembershipChange(change) ? edgesOf([change], { has, decides }) : [];
      }),
    unmanaged: (list) =>
      list.filter(
        ({ urn, facet, value }) => part.has(urn) || (facet === memberships.facet && isOwnEdge(value)),
      ),
  };
}

function isMembershipChange(change: Change): change is SetChange {
  return isSetChange(change) && change.facet === memberships.facet;
}

/** Of changes of groups what concerns users that are looked at and decide themselves. */
function edgesOf(
  changes: readonly SetChange[],
  { has, decides }: { readonly has: (urn: Urn) => boolean; readonly decides: DecidesGroups },
): readonly SetChange[] {
  const isOwn = (user: Member | Scalar): boolean => isUrn(user) && has(user) && decides(user);
  return changes.flatMap((change) => {
    const [add, remove] = [change.add.filter(isOwn), change.remove.filter(isOwn)];
    if (add.length + remove.length === 0) return [];
    const removed = change.removed?.filter(({ value }) => isOwn(value));
    return [{ ...change, add, remove, ...(removed && { removed }) }];
  });
}

/** What a change refers to, and for what it writes to a group, the group. */
function neededBy(change: Change): readonly Urn[] {
  if (!isFacetChange(change)) return [];
  if (facetNamed(change.facet).refersTo.length === 0) return [change.urn];
  const values = isSetChange(change) ? change.add : [change.after];
  return [change.urn, ...values.flatMap(textsIn).filter(isUrn)];
}

/** Whether a change makes an entity one that others can refer to. */
function makesReferenceable(change: Change): boolean {
  return change.action === "create" || (isFacetChange(change) && facetNamed(change.facet).makesReferenceable);
}

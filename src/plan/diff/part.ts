/** Restricts a plan to the selected entities, and to the new entities that their changes require. */

import { type EdgeSet, edgeSetOf } from "../../facets/index.ts";
import { type Change, isSetChange, type SetChange, withElements } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Unmanaged } from "../../model/plan.ts";
import type { Member, Scalar } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { pendingIn } from "../../model/held-back.ts";
import { referencesOf } from "../base/values.ts";
import type { MemberDeclaresEdge } from "../base/selected-edges.ts";
import { isRestoring } from "../base/changes.ts";

/** The selected part of a plan, with functions that restrict changes and unmanaged values to this part. */
export interface Part {
  readonly has: (urn: Urn) => boolean;
  changes(all: readonly Change[]): readonly Change[];
  unmanaged(all: readonly Unmanaged[]): readonly Unmanaged[];
}

/** A part that contains the full catalog. */
export const fullCatalog: Part = { has: () => true, changes: (all) => all, unmanaged: (all) => all };

/** Returns a part that contains only the entities that `has` accepts, with all their changes. */
export function exactPart(has: Part["has"]): Part {
  return {
    has,
    changes: (all) => all.filter(({ urn }) => has(urn)),
    unmanaged: (all) => all.filter(({ urn }) => has(urn)),
  };
}

/** The criteria for including edges in a part. */
export interface EdgesOfPart {
  readonly decides: MemberDeclaresEdge;
  /** Whether a member can be in at most one group. */
  readonly isExclusive: (edges: EdgeSet) => boolean;
}

/**
 * Returns a part that contains the selected entities, the edges that selected members declare, and the new entities that their
 * changes require. Terraform's `-target` works the same way.
 */
export function partOf(
  selected: ReadonlySet<Urn>,
  all: readonly Change[],
  { decides, isExclusive }: EdgesOfPart,
): Part {
  const byUrn = groupBy(all, ({ urn }) => urn);
  const edges = all.filter(isEdgeChange);
  const part = new Set(selected);
  const has = (urn: Urn): boolean => part.has(urn);
  const isOwn: IsOwnEdge = (set, group, member) =>
    isUrn(member) && ((part.has(member) && decides(set, group, member)) || isReplaced(set, member));
  // A member that can be in only one group leaves its old group when it joins a new group.
  const isReplaced = (set: EdgeSet, member: Urn): boolean =>
    isExclusive(set) &&
    edges.some((change) => change.facet === set.facet && part.has(change.urn) && change.add.includes(member));
  for (let fresh: ReadonlySet<Urn> = part; fresh.size > 0;) {
    const due = [...[...fresh].flatMap((urn) => byUrn.get(urn) ?? []), ...edgesOf(edges, isOwn)];
    const needed = pendingIn(due).flatMap(entitiesNeededBy);
    const isNew = (urn: Urn): boolean => !part.has(urn) && byUrn.get(urn)?.some(createsOrRestores) === true;
    fresh = new Set(needed.filter(isNew));
    for (const urn of fresh) part.add(urn);
  }
  const isComing = (urn: Urn): boolean => byUrn.get(urn)?.some(({ action }) => action === "create") === true;
  return {
    has,
    changes: (changes) =>
      changes.flatMap((change): readonly Change[] => {
        if (part.has(change.urn)) return [change];
        return isEdgeChange(change) ? edgesOf([change], isOwn) : [];
      }),
    unmanaged: (list) =>
      list.filter(({ urn, facet, value }) => {
        const set = facet === undefined ? undefined : edgeSetOf(facet);
        return part.has(urn) || (set !== undefined && !isComing(urn) && isOwn(set, urn, value));
      }),
  };
}

function isEdgeChange(change: Change): change is SetChange {
  return isSetChange(change) && edgeSetOf(change.facet) !== undefined;
}

/** Whether an edge belongs to the part because of its member. */
type IsOwnEdge = (edges: EdgeSet, group: Urn, member: Member | Scalar | undefined) => boolean;

/** Restricts group changes to the edges that belong to the part. */
function edgesOf(changes: readonly SetChange[], isOwnEdge: IsOwnEdge): readonly SetChange[] {
  return changes.flatMap((change) => {
    const set = edgeSetOf(change.facet);
    const isOwn = (member: Member | Scalar): boolean =>
      set !== undefined && isOwnEdge(set, change.urn, member);
    const own = withElements(change, isOwn);
    // Omits a change that would only remove members from a group that does not exist yet.
    if (own.add.length === 0 && (own.remove.length === 0 || change.action === "create")) return [];
    const { covers } = change;
    // The fingerprint still covers all elements of the original change.
    const others = [...change.add, ...change.remove].filter((member) => !isOwn(member));
    return [{ ...own, ...(covers && { covers: { ...covers, elements: [...covers.elements, ...others] } }) }];
  });
}

/**
 * Returns the entities that a change refers to and, because an edge requires both of its ends, the changed entity. The list is
 * empty if the change refers to no entity.
 */
export function entitiesNeededBy(change: Change): readonly Urn[] {
  const named = referencesOf(change);
  return named.length > 0 ? [change.urn, ...named] : [];
}

/** Whether other entities can refer to the changed entity only after this change. */
export function createsOrRestores(change: Change): boolean {
  return change.action === "create" || isRestoring(change);
}

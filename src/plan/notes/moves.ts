/** Records moves in trees, and holds back moves between groups consistently at both ends. */

import { edgeSetOf } from "../../facets/index.ts";
import { type Change, type Hold, isSetChange, type SetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { type Member, memberKey } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { isValueHeldBack } from "../../model/held-back.ts";
import { aboveNewParent } from "../base/ancestors.ts";
import type { Note } from "./note.ts";

/**
 * Holds back new members that an ignore rule keeps in a different group. Otherwise, a server that allows each member only one
 * group would remove them from that group.
 */
export const ignoredMove: Note = {
  name: "ignored move",
  of: (change, { plan: { edges, policy } }) => {
    const memberships = edges.get(change.facet);
    if (!isSetChange(change) || memberships?.isExclusive !== true) return undefined;
    const holds = change.add.filter(isUrn).flatMap((value): readonly Hold[] => {
      const others = [...(memberships.groupsOf.get(value) ?? [])].filter((urn) => urn !== change.urn);
      return others.flatMap((urn) => {
        const rule = policy.ignored.value(urn, change.facet, value);
        return rule ? [{ value, urn, reason: rule.reason }] : [];
      });
    });
    return holds.length > 0 ? { holds } : undefined;
  },
};

/** Adds the live ancestors of an entity's new parent, if the change moves the entity. */
export const above: Note = {
  name: "above",
  of: (change, { plan: { liveParentOf } }) => {
    const found = aboveNewParent(change, liveParentOf);
    return found.length > 0 ? { above: found } : undefined;
  },
};

/**
 * Holds back a move between groups at both ends or at neither end. If only one end were held back, the member would end up in no
 * group, or the server would still make the change at the other end. This is a separate step rather than a note, because each end
 * depends on the notes of the other end.
 */
export function completeMoves<C extends Change>(changes: readonly C[]): readonly C[] {
  const moving = changes.filter(isExclusive);
  const [added, removed] = [edgesOf(moving, "add"), edgesOf(moving, "remove")];
  let current: readonly C[] = changes;
  for (;;) {
    const heldBack = new Set(current.filter(isExclusive).flatMap(heldKeys));
    if (heldBack.size === 0) return current;
    const next = current.map((change) => {
      if (!isExclusive(change)) return change;
      const holdsBy = (value: Member, others: Edges): readonly Hold[] => {
        const ends = others.get(edgeKey(change, value)) ?? [];
        const other = ends.find(({ urn }) => heldBack.has(placeKey(change, value, urn)));
        return other && !isValueHeldBack(change, value) ? [{ value, urn: other.urn }] : [];
      };
      const more = [
        ...change.add.flatMap((value) => holdsBy(value, removed)),
        ...change.remove.flatMap((value) => holdsBy(value, added)),
      ];
      return more.length === 0 ? change : { ...change, holds: [...(change.holds ?? []), ...more] };
    });
    if (next.every((change, index) => change === current[index])) return current;
    current = next;
  }
}

/** Whether a change affects memberships that are limited to one group per member. */
export function isExclusive<C extends Change>(change: C): change is C & SetChange {
  return isSetChange(change) && edgeSetOf(change.facet)?.exclusive !== undefined;
}

/** The groups that a member joins or leaves, keyed by facet and member. */
type Edges = ReadonlyMap<string, readonly { readonly urn: Urn }[]>;

function edgesOf(changes: readonly SetChange[], side: "add" | "remove"): Edges {
  const ends = changes.flatMap((change) =>
    change[side].map((value) => ({ key: edgeKey(change, value), urn: change.urn })),
  );
  return groupBy(ends, ({ key }) => key);
}

function heldKeys(change: SetChange): readonly string[] {
  return [...change.add, ...change.remove]
    .filter((value) => isValueHeldBack(change, value))
    .map((value) => placeKey(change, value, change.urn));
}

function edgeKey({ facet }: SetChange, value: Member): string {
  return `${facet} ${memberKey(value)}`;
}

function placeKey(change: SetChange, value: Member, urn: Urn): string {
  return `${urn} ${edgeKey(change, value)}`;
}

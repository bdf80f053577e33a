/** Holds back moves between groups consistently at both ends. */

import { edgeSetOf } from "../../facets/index.ts";
import { type Change, type Hold, isSetChange, type SetChange } from "../../model/change.ts";
import type { KnownEdges } from "../../model/membership.ts";
import { type Member, memberKey } from "../../model/state.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import type { Ignored } from "../base/ignore.ts";
import { isValueHeldBack } from "../base/held-back.ts";

/**
 * Holds back members that an ignore rule keeps in another group. A server that allows one group for each member would otherwise
 * remove them there.
 */
export function withIgnoredMoves<C extends Change>(
  changes: readonly C[],
  known: KnownEdges,
  ignored: Ignored,
): readonly C[] {
  return changes.map((change) => {
    if (!isSetChange(change)) return change;
    const memberships = known.get(change.facet);
    if (memberships?.isExclusive !== true) return change;
    const holds = change.add.filter(isUrn).flatMap((value): readonly Hold[] => {
      const others = [...(memberships.groupsOf.get(value) ?? [])].filter((urn) => urn !== change.urn);
      return others.flatMap((urn) => {
        const rule = ignored.value(urn, change.facet, value);
        return rule ? [{ value, urn, reason: rule.reason }] : [];
      });
    });
    return holds.length === 0 ? change : { ...change, holds };
  });
}

/**
 * Holds a move back at both ends or at neither. One end alone would leave the member in no group, or the server would carry out the
 * other end.
 */
export function withCompleteMoves<C extends Change>(changes: readonly C[]): readonly C[] {
  const moving = exclusiveIn(changes);
  const [added, removed] = [edgesOf(moving, "add"), edgesOf(moving, "remove")];
  let current: readonly C[] = changes;
  for (;;) {
    const heldBack = new Set(exclusiveIn(current).flatMap(heldKeys));
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

function isExclusive(change: Change): change is SetChange {
  return isSetChange(change) && edgeSetOf(change.facet)?.exclusive !== undefined;
}

function exclusiveIn(changes: readonly Change[]): readonly SetChange[] {
  return changes.filter(isExclusive);
}

/** The changes that add or remove an edge, by edge. */
type Edges = ReadonlyMap<string, readonly SetChange[]>;

function edgesOf(changes: readonly SetChange[], side: "add" | "remove"): Edges {
  const edges = new Map<string, SetChange[]>();
  for (const change of changes)
    for (const value of change[side]) {
      const key = edgeKey(change, value);
      edges.set(key, [...(edges.get(key) ?? []), change]);
    }
  return edges;
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

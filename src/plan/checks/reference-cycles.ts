/** Finds reference cycles in facets that forbid cycles. */

import { facets } from "../../facets/index.ts";
import { compareText } from "../../model/json.ts";
import type { ProblemOf } from "../../model/problem.ts";
import type { State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { setAt } from "../base/values.ts";
import { urnsOf } from "../base/group-lists.ts";

const acyclic = facets.filter(({ refusesCycles }) => refusesCycles === true).map(({ name }) => name);

/** Returns the reference cycles in a state, facet by facet. Within a facet, no entity is in more than one cycle. */
export function referenceCycles(
  state: State,
): readonly { readonly facet: string; readonly cycle: readonly Urn[] }[] {
  return acyclic.flatMap((facet) => {
    const edges = new Map<Urn, readonly Urn[]>();
    for (const entity of state.values()) {
      const to = urnsOf(setAt(entity, facet)).filter((urn) => urn !== entity.urn);
      if (to.length > 0) edges.set(entity.urn, to);
    }
    return cyclesAlong(edges).map((cycle) => ({ facet, cycle }));
  });
}

/**
 * Returns a problem for each cycle in which an entity indirectly refers to itself. The problem has the position of the cycle's
 * first entity.
 */
export function selfReferencesByOthers(state: State): readonly ProblemOf<"self-reference">[] {
  return referenceCycles(state).flatMap(
    ({ facet, cycle: [urn, ...by] }): readonly ProblemOf<"self-reference">[] => {
      const entity = urn && state.get(urn);
      if (!entity) return [];
      const origin = setAt(entity, facet)?.origin ?? entity.origin;
      const args = { facet, kind: entity.kind, urn: entity.urn, by };
      return [{ code: "self-reference", severity: "error", args, ...(origin && { origin }) }];
    },
  );
}

function cyclesAlong(edges: ReadonlyMap<Urn, readonly Urn[]>): readonly (readonly Urn[])[] {
  const left = new Map([...edges].map(([urn, to]) => [urn, to.filter((each) => edges.has(each)).length]));
  const from = new Map<Urn, Urn[]>();
  for (const [urn, to] of edges) for (const each of to) from.set(each, [...(from.get(each) ?? []), urn]);
  const drop = (urns: readonly Urn[]): void => {
    const due = [...urns];
    for (let urn = due.pop(); urn !== undefined; urn = due.pop()) {
      if (!left.delete(urn)) continue;
      for (const each of from.get(urn) ?? []) {
        const number = (left.get(each) ?? 0) - 1;
        if (left.has(each)) left.set(each, number);
        if (number === 0) due.push(each);
      }
    }
  };
  drop([...left].flatMap(([urn, number]) => (number === 0 ? [urn] : [])));
  const cycles: (readonly Urn[])[] = [];
  // Every remaining entity refers to at least one other remaining entity.
  for (const start of [...left.keys()].toSorted(compareText)) {
    if (!left.has(start)) continue;
    const path = new Map<Urn, number>();
    let current: Urn | undefined = start;
    while (current !== undefined && !path.has(current)) {
      path.set(current, path.size);
      current = edges.get(current)?.find((each) => left.has(each));
    }
    if (current === undefined) continue;
    const cycle = [...path.keys()].slice(path.get(current));
    cycles.push(fromFirst(cycle));
    drop(cycle);
  }
  return cycles;
}

/** Rotates a cycle so that it starts with the entity whose URN sorts first. */
function fromFirst(cycle: readonly Urn[]): readonly Urn[] {
  const [first] = cycle.toSorted(compareText);
  const at = first === undefined ? 0 : cycle.indexOf(first);
  return [...cycle.slice(at), ...cycle.slice(0, at)];
}

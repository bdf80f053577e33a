import { compareText } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import type { State } from "../../model/state.ts";
import { cyclesFrom, parentIn, parentsIn } from "../sides/parents.ts";

/**
 * Entities of a state that are above themselves, also by the parents of entities in the other states: the server
 * does not check a proposal as it checks `moveDomain`. One problem a cycle, at its first entity by URN whose parent a
 * manifest declares.
 */
export function parentCycles(state: State, ...beyond: readonly State[]): readonly Problem[] {
  return cyclesFrom(state.keys(), parentsIn(state, ...beyond)).flatMap((cycle): readonly Problem[] => {
    const [first] = cycle.filter((urn) => parentIn(state, urn)?.origin).toSorted(compareText);
    const origin = first && parentIn(state, first)?.origin;
    if (!first || !origin) return [];
    const at = cycle.indexOf(first);
    const around = [...cycle.slice(at), ...cycle.slice(0, at), first];
    return [{ code: "cyclic-domains", severity: "error", args: { cycle: around }, origin }];
  });
}

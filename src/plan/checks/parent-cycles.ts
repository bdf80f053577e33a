/** Reports parent cycles that the full plan, or just the selected part of it, would create. */

import { compareText } from "../../model/json.ts";
import type { Problem, ProblemOf } from "../../model/problem.ts";
import type { State } from "../../model/state.ts";
import { isUrn } from "../../model/urn.ts";
import { type Part, fullCatalog } from "../diff/part.ts";
import { withLiveValues } from "../../model/held-back.ts";
import type { Check } from "./check.ts";
import { cyclesFrom, parentIn, parentsIn } from "../base/parents.ts";

/** Checks parents for cycles. An entity whose new parent is held back keeps its live parent. */
export const checkParentCycles: Check = ({ adopted, heldBack, sides: { live }, catalog, part }) =>
  cyclesIn(withLiveValues(adopted, heldBack), { live, above: catalog.live.above ?? new Map() }, part);

/**
 * Returns the cycles that the plan would create. If there are none, returns the cycles that applying only the selected part would
 * create.
 */
export function cyclesIn(
  state: State,
  { live, above }: { readonly live: State; readonly above: State },
  part: Part,
): readonly Problem[] {
  const isInPart = ({ args: { cycle } }: ProblemOf<"parent-cycle">): boolean =>
    cycle.some((urn) => isUrn(urn) && part.has(urn));
  const inPart = parentCycles(state, live, above).filter(isInPart);
  if (part === fullCatalog || inPart.length > 0) return inPart;
  const alone = new Map([...state].filter(([urn]) => part.has(urn)));
  return parentCycles(alone, live, above).map((problem): Problem => ({
    ...problem,
    code: "cyclic-selection",
  }));
}

/**
 * Reports parent cycles, each at its first declared entity. The server detects cycles in `moveDomain` requests, but not in
 * proposals.
 */
export function parentCycles(
  state: State,
  ...beyond: readonly State[]
): readonly ProblemOf<"parent-cycle">[] {
  return cyclesFrom(state.keys(), parentsIn(state, ...beyond)).flatMap(
    (cycle): readonly ProblemOf<"parent-cycle">[] => {
      const [first] = cycle.filter((urn) => parentIn(state, urn)?.origin).toSorted(compareText);
      const origin = first && parentIn(state, first)?.origin;
      if (!first || !origin) return [];
      const at = cycle.indexOf(first);
      const around = [...cycle.slice(at), ...cycle.slice(0, at), first];
      return [{ code: "parent-cycle", severity: "error", args: { cycle: around }, origin }];
    },
  );
}

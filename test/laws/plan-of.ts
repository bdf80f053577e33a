import type { Plan } from "../../src/model/plan.ts";
import type { State } from "../../src/model/state.ts";
import { type Comparison } from "../../src/plan/compare.ts";
import { compareStates } from "../support/compare-states.ts";
import { defaultPolicy } from "../../src/plan/base/policy.ts";
import { header, liveOf, membershipsIn } from "../support/states.ts";
import { makePlan } from "./saved.ts";

/** What is found when a desired state is compared with a live one. */
export function compared(desired: State, live: State): Comparison {
  return compareStates(desired, liveOf(live, desired), defaultPolicy, membershipsIn(live));
}

/** The plan of a desired state for a live one. */
export function planOf(desired: State, live: State): Plan {
  return makePlan(header, compared(desired, live), defaultPolicy);
}

import type { Urn } from "../../model/urn.ts";
import { maxSteps } from "./meter.ts";

/** How many steps the check of one policy takes in a run: so many for each entity, and no fewer than the least. */
const stepsOfEntity = 2000;
const minSteps = 2_000_000;

/** Why the check of a policy evaluates nothing more. */
export const spentReason =
  "the check of the policy took more steps than a run allows (2,000 for each entity, 2 million at least): nothing more is judged by it";

/** The steps that the check of a policy has in a run. */
export interface Budget {
  /** How many steps an evaluation about an entity may take; 0 once all are spent. */
  readonly next: (urn: Urn) => number;
  readonly spend: (steps: number) => void;
  /** Whether an evaluation that was stopped after so many steps was stopped by the run, and not by its own limit. */
  readonly isSpent: () => boolean;
}

/** The budget of one policy in one run. An entity is judged as it is and as it will be, one after the other. */
export function budgetOf(): Budget {
  let [entities, spent, isSpent] = [0, 0, false];
  let last: Urn | undefined;
  return {
    next: (urn) => {
      if (urn !== last) entities += 1;
      last = urn;
      const left = Math.max(minSteps, stepsOfEntity * entities) - spent;
      return isSpent ? 0 : Math.min(maxSteps, left);
    },
    spend: (steps) => {
      spent += steps;
      isSpent ||= spent >= Math.max(minSteps, stepsOfEntity * entities);
    },
    isSpent: () => isSpent,
  };
}

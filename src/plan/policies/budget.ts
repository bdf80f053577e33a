/** Limits the total number of steps for evaluating the check of one policy. */

import type { Urn } from "../../model/urn.ts";
import { maxSteps } from "./meter.ts";

/** The total number of steps for one policy: `stepsOfEntity` for each entity, but at least `minSteps`. */
const stepsOfEntity = 2000;
const minSteps = 2_000_000;

/** The reason reported for the remaining entities after a policy has used up its steps. */
export const spentReason =
  "the policy check exceeded its step limit (2,000 steps per entity, but at least 2 million), so the remaining entities are not checked";

/** The remaining steps for evaluating a policy's check. */
export interface Budget {
  /** Returns the maximum number of steps for evaluating an entity. It is 0 after all steps are used up. */
  readonly next: (urn: Urn) => number;
  readonly spend: (steps: number) => void;
  /**
   * Whether the budget is used up. If so, the last evaluation may have been stopped by the budget rather than by the limit for
   * one evaluation.
   */
  readonly isSpent: () => boolean;
}

/**
 * Creates the budget of one policy. An entity's live and planned states are evaluated consecutively, so the entity counts only
 * once.
 */
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

/** Limits how many steps one policy's check may use in a run. */

import type { Urn } from "../../model/urn.ts";
import { maxSteps } from "./meter.ts";

/** The steps for one policy in a run: `stepsOfEntity` for each entity, and at least `minSteps`. */
const stepsOfEntity = 2000;
const minSteps = 2_000_000;

/** The reason that a policy gives for entities after it has used up its steps. */
export const spentReason =
  "the policy check took more steps than a run allows (2,000 per entity, at least 2 million), so the remaining entities are not checked";

/** A policy check's remaining steps in a run. */
export interface Budget {
  /** Returns the maximum number of steps for evaluating an entity; 0 after all steps are used up. */
  readonly next: (urn: Urn) => number;
  readonly spend: (steps: number) => void;
  /** Whether the run's budget is used up, so that an evaluation was not stopped by its own limit. */
  readonly isSpent: () => boolean;
}

/** Makes one policy's budget for a run. An entity's live and planned states are evaluated in a row, and count once. */
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

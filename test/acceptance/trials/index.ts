import { required } from "../required.ts";
import type { Row, Trial } from "../trial.ts";
import { assignments, conditionalAssignments, mergedAssignments } from "./assignments.ts";
import { bystanders } from "./bystanders.ts";
import { commands } from "./commands.ts";
import { definitions } from "./definitions.ts";
import { edgesTrial } from "./edges.ts";
import { memberships } from "./memberships.ts";
import { modesTrial } from "./modes.ts";
import { others } from "./others.ts";
import { patches } from "./patches.ts";
import { properties } from "./properties.ts";
import { reads } from "./reads.ts";
import { references } from "./references.ts";
import { restricted } from "./restricted.ts";
import { rules } from "./rules.ts";

/** Every trial. A new one is a file in this folder and a name in this list. */
export const trials: readonly Trial[] = [
  reads,
  definitions,
  assignments,
  conditionalAssignments,
  mergedAssignments,
  patches,
  properties,
  memberships,
  edgesTrial,
  modesTrial,
  rules,
  references,
  others,
  restricted,
  commands,
  bystanders,
];

/** What no trial tries although the product has it: rows that say so. */
export const untried: readonly Row[] = required
  .filter((name) => !trials.some(({ tries }) => tries.includes(name)))
  .map((name) => ({ name, result: "failed", seconds: 0, why: `${name} is not tried` }));

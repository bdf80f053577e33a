/** Lists the checks of a comparison, and runs them. */

import type { Problem } from "../../model/problem.ts";
import type { Check, CheckContext } from "./check.ts";
import { checkDefinedValues } from "./defined-values.ts";
import { checkDeletedReferences } from "./deleted-references.ts";
import { checkDeletions } from "./deletions.ts";
import { checkParentCycles } from "./parent-cycles.ts";
import { checkReferences } from "./references.ts";
import { checkReleases } from "./releases.ts";
import { checkSeveralValues } from "./several-values.ts";

/** All checks. To add a check, create a file in this folder and add it to this list. */
const checks: readonly Check[] = [
  checkDeletions,
  checkSeveralValues,
  checkReleases,
  checkParentCycles,
  checkReferences,
  checkDeletedReferences,
  checkDefinedValues,
];

/** Returns all problems, including the problems found during preparation of the comparison. */
export function problemsIn(context: CheckContext): readonly Problem[] {
  return [...context.sides.problems, ...checks.flatMap((check) => check(context))];
}

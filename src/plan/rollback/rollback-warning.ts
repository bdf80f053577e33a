/** Defines the warning for a value or entity that a rollback holds back. */

import type { ProblemOf } from "../../model/problem.ts";

/** A warning about a value or entity that a rollback does not restore, for example because it changed after the run. */
export type RollbackWarning = ProblemOf<"rollback-held">;

/** Creates a warning with the given arguments. */
export function rollbackWarning(args: RollbackWarning["args"]): RollbackWarning {
  return { code: "rollback-held", severity: "warning", args };
}

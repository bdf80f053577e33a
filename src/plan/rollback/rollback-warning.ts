/** Defines the warning about a value or entity that a rollback holds back. */

import type { ProblemOf } from "../../model/problem.ts";

/** A warning about a value or entity that a rollback leaves alone, because it changed after the run. */
export type RollbackWarning = ProblemOf<"rollback-held">;

/** Makes a warning with these arguments. */
export function rollbackWarning(args: RollbackWarning["args"]): RollbackWarning {
  return { code: "rollback-held", severity: "warning", args };
}

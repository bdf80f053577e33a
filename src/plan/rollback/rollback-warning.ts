/** Defines the warning about a part that a rollback holds back. */

import type { ProblemOf } from "../../model/problem.ts";

/** A warning about a part that a rollback leaves as it is, because it is not as the run left it. */
export type RollbackWarning = ProblemOf<"rollback-held">;

/** The warning with these arguments. */
export function rollbackWarning(args: RollbackWarning["args"]): RollbackWarning {
  return { code: "rollback-held", severity: "warning", args };
}

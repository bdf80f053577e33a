import type { ProblemOf } from "../../model/problem.ts";

/** Something that a rollback leaves as it is, because it is not as the run left it. */
export type Held = ProblemOf<"rollback-held">;

/** The warning that names it. */
export function rollbackHeld(args: Held["args"]): Held {
  return { code: "rollback-held", severity: "warning", args };
}

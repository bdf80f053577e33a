import type { Operation } from "./operation.ts";
import type { Plan } from "./plan.ts";

/** What became of one operation. `because` names what a skipped one was held back by. */
export type Outcome =
  | { readonly status: "applied"; readonly operation: Operation }
  | { readonly status: "failed"; readonly operation: Operation; readonly error: string }
  | { readonly status: "skipped"; readonly operation: Operation; readonly because: string };

/** A plan and what became of each of its operations, in the plan's order. */
export interface Report {
  readonly plan: Plan;
  readonly outcomes: readonly Outcome[];
  /** Why nothing more was sent at all: the server refused the token. */
  readonly stopped?: string | undefined;
}

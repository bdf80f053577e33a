import type { Operation } from "./operation.ts";
import type { Plan } from "./plan.ts";

/** What became of one operation. `because` names what a skipped one was held back by. */
export type Outcome =
  | { readonly status: "applied"; readonly operation: Operation }
  | { readonly status: "failed"; readonly operation: Operation; readonly error: string }
  | { readonly status: "skipped"; readonly operation: Operation; readonly because: string };

/** Who approved an apply, and what says so: the flag, or the name of a variable of the CI system. */
export interface Approver {
  readonly name: string;
  readonly source: string;
}

/** When and how an apply ran, for those who read its report later. Instants are in ISO 8601. */
export interface Run {
  readonly startedAt: string;
  readonly endedAt: string;
  readonly exitCode: number;
  /** How it was approved: by an answer on the terminal, by a flag, or before, as a saved plan. Absent if nothing was to be approved. */
  readonly approval?: "answer" | "auto-approve" | "saved-plan";
  readonly approvedBy?: Approver;
  /** Why nothing more was sent at all. */
  readonly stopped?: string;
}

/** A plan and what became of each of its operations, in the plan's order. */
export interface Report {
  readonly plan: Plan;
  readonly outcomes: readonly Outcome[];
  /** Why nothing more was sent at all: the server refused the token. */
  readonly stopped?: string | undefined;
  /** Of an apply, once it has ended. */
  readonly run?: Run;
}

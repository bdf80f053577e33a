import type { JsonObject } from "./json.ts";
import type { Operation } from "./operation.ts";
import type { Plan } from "./plan.ts";
import type { Member, Scalar } from "./state.ts";
import type { Urn } from "./urn.ts";

/** A value of a facet: single, or the elements of a set. */
export type Values = Scalar | readonly Member[];

/** What was to be found in the catalog, and what was found. */
export interface Difference {
  readonly expected: Values;
  readonly found: Values;
}

/**
 * What became of one operation. `because` names what a skipped one was held back by, and why a stale one was not sent: what
 * it changes is not as the plan saw it any more. A failed one that was sent and then found undone has both values.
 */
export type Outcome =
  | {
      readonly status: "applied";
      readonly operation: Operation;
      /** Elements that it removed, as they were stored, if manifests cannot express all of them; `null` if they are too large. */
      readonly stored?: readonly JsonObject[] | null;
    }
  | ({
      readonly status: "failed";
      readonly operation: Operation;
      readonly error: string;
    } & Partial<Difference>)
  | {
      readonly status: "skipped";
      readonly operation: Operation;
      readonly because: string;
      /** Whether another shard of the plan must be applied first. */
      readonly isAwaiting?: true;
    }
  | ({
      readonly status: "stale";
      readonly operation: Operation;
      readonly because: string;
    } & Partial<Difference>);

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

/** References to an entity that was deleted: how many entities have one, and the first of them. */
export interface ReferencesLeft {
  readonly urn: Urn;
  readonly count: number;
  readonly from: readonly Urn[];
}

/** A plan and the outcome of each operation, in the plan's order. One that was stale in part has two outcomes. */
export interface Report {
  readonly plan: Plan;
  readonly outcomes: readonly Outcome[];
  /** Why nothing more was sent at all: the server refused the token. */
  readonly stopped?: string | undefined;
  /** Why what was applied could not be read back. */
  readonly unproved?: string | undefined;
  /** What the server's index still shows to refer to entities that were deleted, after it was waited for. */
  readonly referencesLeft?: readonly ReferencesLeft[];
  /** Of an apply, once it has ended. */
  readonly run?: Run;
}

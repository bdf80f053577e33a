/** The report of an apply: the plan, the outcome of each operation, and details of the run. */

import type { JsonObject } from "./json.ts";
import type { Operation } from "./operation.ts";
import type { Plan } from "./plan.ts";
import { count, fields, list, member, record, scalar, text, urn } from "./schema-parts.ts";
import type { FromSchema } from "./schema-type.ts";

/** The schema of the value of a facet. */
export const valuesSchema = { anyOf: [scalar, list(member)] } as const;

/** A value of a facet: a single value, or the elements of a set. */
export type Values = FromSchema<typeof valuesSchema>;

/** The value expected in the catalog, and the value found. */
export interface Difference {
  readonly expected: Values;
  readonly found: Values;
}

/**
 * The outcome of one operation. `because` names the cause of a skipped operation, or the reason why a stale one was not sent: its
 * target is no longer as the plan saw it. A failed operation that was sent, but whose result is missing, has both values.
 */
export type Outcome =
  | {
      readonly status: "applied";
      readonly operation: Operation;
      /** The stored form of removed elements, if manifests cannot express all of them; `null` if it is too large. */
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

// The person who approved an apply, and the source of the name: the flag, or the name of a variable of the CI system.
const approver = record({ name: text, source: text });

/** The person who approved an apply. */
export type Approver = FromSchema<typeof approver>;

/** The schema of a run. Instants are in ISO 8601. */
export const runSchema = record(
  { ...fields(text, "startedAt", "endedAt"), exitCode: count },
  {
    // An answer on the terminal, a flag, or a saved plan. Absent if nothing needed approval.
    approval: { enum: ["answer", "auto-approve", "saved-plan"] },
    approvedBy: approver,
    // The reason why sending stopped.
    stopped: text,
  },
);

/** When and how an apply ran, for later readers of its report. */
export type Run = FromSchema<typeof runSchema>;

/** The schema of the references to a deleted entity: the number of entities with a reference, and the first of them. */
export const referencesLeftSchema = record({ urn, count, from: list(urn) });

/** The references to a deleted entity. */
export type ReferencesLeft = FromSchema<typeof referencesLeftSchema>;

/** The outcomes of an apply, after the written values were read back. */
export interface VerifiedOutcomes {
  readonly outcomes: readonly Outcome[];
  /** The reason why the applied values could not be read back. */
  readonly unproved?: string | undefined;
  /** References to deleted entities that the server's index still shows after the wait. */
  readonly referencesLeft?: readonly ReferencesLeft[];
}

/** A plan and the outcome of each operation, in the order of the plan. An operation that was partly stale has two outcomes. */
export interface Report extends VerifiedOutcomes {
  readonly plan: Plan;
  /** The reason why sending stopped: the server refused the token. */
  readonly stopped?: string | undefined;
  /** Only after an apply has ended. */
  readonly run?: Run;
}

/** Defines an apply's report: the plan, each operation's outcome, and details about the run. */

import type { JsonObject } from "./json.ts";
import type { Operation } from "./operation.ts";
import type { Plan } from "./plan.ts";
import { count, fields, list, member, record, scalar, text, urn } from "./schema-parts.ts";
import type { FromSchema } from "./schema-type.ts";

/** The schema of a facet's value. */
export const valuesSchema = { anyOf: [scalar, list(member)] } as const;

/** A facet's value: a single value, or a set's elements. */
export type Values = FromSchema<typeof valuesSchema>;

/** The value expected in the catalog, and the value found. */
export interface Difference {
  readonly expected: Values;
  readonly found: Values;
}

/**
 * One operation's outcome. `because` names the cause of a skipped operation, or the reason why a stale one was not sent: its target
 * has changed since the plan. A failed operation that was sent, but whose result is missing, has both values.
 */
export type Outcome =
  | {
      readonly status: "applied";
      readonly operation: Operation;
      /** The removed elements as stored, if manifests cannot express all of them; `null` if they are too large. */
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
      /** Whether another of the plan's shards must be applied first. */
      readonly isAwaiting?: true;
    }
  | ({
      readonly status: "stale";
      readonly operation: Operation;
      readonly because: string;
    } & Partial<Difference>);

// The person who approved an apply, and the source of the name: the flag, or a CI variable's name.
const approver = record({ name: text, source: text });

/** The person who approved an apply. */
export type Approver = FromSchema<typeof approver>;

/** Schema for a run. Instants are in ISO 8601. */
export const runSchema = record(
  { ...fields(text, "startedAt", "endedAt"), exitCode: count },
  {
    // The approval came from an answer on the terminal, a flag, or a saved plan. Absent if nothing needed approval.
    approval: { enum: ["answer", "auto-approve", "saved-plan"] },
    approvedBy: approver,
    // The reason why the apply stopped sending.
    stopped: text,
  },
);

/** When and how an apply ran, for people who read its report later. */
export type Run = FromSchema<typeof runSchema>;

/** Schema for the references to a deleted entity: the number of entities with a reference, and the first of them. */
export const referencesLeftSchema = record({ urn, count, from: list(urn) });

/** The references to a deleted entity. */
export type ReferencesLeft = FromSchema<typeof referencesLeftSchema>;

/** An apply's outcomes, after the tool read the written values again. */
export interface VerifiedOutcomes {
  readonly outcomes: readonly Outcome[];
  /** The reason why the applied values could not be read again. */
  readonly unproved?: string | undefined;
  /** References to deleted entities that the server's index still shows after the wait. */
  readonly referencesLeft?: readonly ReferencesLeft[];
}

/** A plan and each operation's outcome, in plan order. An operation that was partly stale has two outcomes. */
export interface Report extends VerifiedOutcomes {
  readonly plan: Plan;
  /** The reason why the apply stopped sending: the server refused the token. */
  readonly stopped?: string | undefined;
  /** Present only after an apply has ended. */
  readonly run?: Run;
}

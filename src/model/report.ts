/** Defines the report of an apply: the plan, the outcome of each operation, and details about the run. */

import type { JsonObject } from "./json.ts";
import type { Operation } from "./operation.ts";
import type { Plan } from "./plan.ts";
import { count, fields, list, member, record, scalar, text, urn } from "./schema-parts.ts";
import type { FromSchema } from "./schema-type.ts";

/** The schema for the value of a facet. */
export const valuesSchema = { anyOf: [scalar, list(member)] } as const;

/** The value of a facet: a single value, or the elements of a set. */
export type Values = FromSchema<typeof valuesSchema>;

/** The value that was expected in the catalog, and the value that was found. */
export interface Difference {
  readonly expected: Values;
  readonly found: Values;
}

/**
 * The outcome of an operation. `because` is the reason why an operation was skipped, or why it is stale: something changed after
 * the plan was made. A failed operation has `expected` and `found` if it was sent, but its result is missing from the catalog.
 */
export type Outcome =
  | {
      readonly status: "applied";
      readonly operation: Operation;
      /** The removed elements in their stored form, if manifests cannot express all of them; `null` if they are too large. */
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
      /** Whether a different shard of the plan must be applied first. */
      readonly isAwaiting?: true;
    }
  | ({
      readonly status: "stale";
      readonly operation: Operation;
      readonly because: string;
    } & Partial<Difference>);

// The name of the person who approved an apply, and where this name was given: the flag, or the name of a CI variable.
const approver = record({ name: text, source: text });

/** The person who approved an apply. */
export type Approver = FromSchema<typeof approver>;

/** The schema for a run. Times are in ISO 8601. */
export const runSchema = record(
  { ...fields(text, "startedAt", "endedAt"), exitCode: count },
  {
    // How the apply was approved: by an answer in the terminal, by a flag, or by a saved plan. Absent if no approval was needed.
    approval: { enum: ["answer", "auto-approve", "saved-plan"] },
    approvedBy: approver,
    // The reason why the apply stopped sending requests.
    stopped: text,
  },
);

/** When and how an apply ran, for users who read its report later. */
export type Run = FromSchema<typeof runSchema>;

/** The schema for references to a deleted entity: the number of entities that refer to it, and the first few of them. */
export const referencesLeftSchema = record({ urn, count, from: list(urn) });

/** The references to a deleted entity that are still in the index. */
export type ReferencesLeft = FromSchema<typeof referencesLeftSchema>;

/** The outcomes of an apply, after the written values were read back. */
export interface VerifiedOutcomes {
  readonly outcomes: readonly Outcome[];
  /** The reason why the applied values could not be read back. */
  readonly unproved?: string | undefined;
  /** References to deleted entities that were still in the server's index after the tool had waited for their removal. */
  readonly referencesLeft?: readonly ReferencesLeft[];
}

/** A plan and the outcome of each operation, in plan order. An operation that was only partly stale has two outcomes. */
export interface Report extends VerifiedOutcomes {
  readonly plan: Plan;
  /** The reason why the apply stopped sending requests: the server rejected the token. */
  readonly stopped?: string | undefined;
  /** Present only after an apply has ended. */
  readonly run?: Run;
}

/** Defines policies on the catalog's content, waivers from them, and their verdicts. */

import type { Origin } from "./origin.ts";
import type { Path, Place } from "./place.ts";
import type { Condition } from "./rule.ts";
import { count, described, fields, list, origin, record, text, urn } from "./schema-parts.ts";
import type { FromSchema } from "./schema-type.ts";
import type { KindName } from "./state.ts";

/** A policy's condition: one of the texts matches a rule key or a facet value. */
export interface PolicyCondition extends Condition {
  /** The keys that lead to the values, for a facet with keys. */
  readonly path?: Path;
}

/** The entities that a policy or waiver applies to: all conditions match, and no list of exclusions matches completely. */
export interface Matching {
  readonly conditions: readonly PolicyCondition[];
  readonly exclusions: readonly (readonly PolicyCondition[])[];
}

/** A requirement for the values at a place. */
export interface Requirement extends Place {
  /** `true` requires a value, `false` forbids one. */
  readonly present?: boolean;
  /** Which owners count: with one of these types; users or groups; existing, neither removed nor suspended. */
  readonly types?: readonly string[];
  readonly ownerKind?: "user" | "group";
  readonly active?: true;
  /** The required number of values. */
  readonly min?: number;
  readonly max?: number;
  /** Patterns of ids and URNs; at least one value must match one of them. */
  readonly anyOf?: readonly string[];
  /** Patterns; no value may match one of them. */
  readonly noneOf?: readonly string[];
  /** A pattern that the text must match; `?` matches one character. */
  readonly pattern?: string;
  /** Texts; every value must be one of them. */
  readonly oneOf?: readonly string[];
  readonly origin?: Origin;
}

type PolicySeverity = "error" | "warning";

/** A policy's requirements for each matching column. Keys are `name`, `type` and facets of columns. */
export interface ColumnPolicy extends Matching {
  readonly requirements: readonly Requirement[];
}

/** A policy's check for entities of one kind. */
export interface PolicyCheck {
  readonly id: string;
  readonly kind: KindName;
  /** A CEL expression that must be true. */
  readonly check?: string;
}

/** A policy: the requirements for entities of one kind. It writes nothing. */
export interface CatalogPolicy extends Matching, PolicyCheck {
  /** The policy's purpose. */
  readonly description?: string;
  /** The owners of the policy's file according to CODEOWNERS, if it has any. */
  readonly codeOwners?: readonly string[];
  readonly severity: PolicySeverity;
  readonly requirements: readonly Requirement[];
  /** If present, the policy evaluates every matching column, and not the entity. */
  readonly columns?: ColumnPolicy;
  readonly checkOrigin?: Origin;
  readonly minPercent?: number;
  /** The violations that stop a plan: those introduced by the plan, or any violation by an entity that it changes. */
  readonly failOn: "introduced" | "any";
  /** Replaces the reasons. It may contain `{name}` and the other names in `messageFields`. */
  readonly message?: string;
  readonly origin: Origin;
}

/** An exception from a policy that ends on a certain day. */
export interface Waiver extends Matching {
  readonly policy: string;
  readonly reason: string;
  /** The last day on which the waiver applies, in UTC: `2027-01-31`. */
  readonly expires: string;
  readonly origin: Origin;
  /** The positions of the fields in the file. */
  readonly places?: { readonly policy: Origin; readonly expires: Origin };
}

/** The policies and waivers in one commit or work tree. */
export interface Policies {
  readonly policies: readonly CatalogPolicy[];
  readonly waivers: readonly Waiver[];
}

// A column is identified by its exact field path.
const judged = { column: described(text, "The column's field path, if the policy checks columns.") };

const judgedRecord = record({ urn }, judged);

/** A verdict's subject: an entity, or one of its columns. */
export type Judged = FromSchema<typeof judgedRecord>;

// `found` are the examined values as a text; absent if there are none.
const violation = { ...judged, source: origin, found: text };

const violationRecord = record({ urn, reasons: list(text) }, violation);

/** A violation, including its reasons as texts. */
export type Violation = FromSchema<typeof violationRecord>;

/** Schema for a violation that an earlier policy, given by id, would have stopped. */
export const liftedSchema = record({ policy: text, urn, reasons: list(text) }, violation);

/** A violation that an earlier policy would have stopped, and the current policies do not. */
export type LiftedViolation = FromSchema<typeof liftedSchema>;

/** Schema for a policy's result. */
export const policyCountSchema = record(
  {
    id: text,
    severity: { enum: ["error", "warning"] },
    source: origin,
    ...fields(count, "matched", "passes"),
    introduced: list(violationRecord),
    fixed: list(judgedRecord),
    ...fields(count, "existing", "waived", "unknown"),
  },
  {
    // The policy's purpose, and its file's owners according to CODEOWNERS: the people to ask about it.
    description: text,
    codeOwners: list(text),
    // The unknown verdicts. If a policy's check used up its steps, one verdict represents all later ones.
    unknownEntities: list(record({ urn, reason: text }, judged)),
  },
);

/**
 * A policy's result, counted in verdicts. `matched` is the sum of passes, introduced, existing, waived and
 * unknown after the plan; a fixed violation counts as a pass.
 */
export type PolicyCount = FromSchema<typeof policyCountSchema>;

/** The default maximum number of days until a waiver expires. */
export const defaultMaxDays = 180;

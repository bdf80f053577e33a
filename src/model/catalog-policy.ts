/** Defines policies for the content of the catalog, their verdicts, and waivers. */

import type { Origin } from "./origin.ts";
import type { Path, Place } from "./place.ts";
import type { Condition } from "./rule.ts";
import { count, described, fields, list, origin, record, text, urn } from "./schema-parts.ts";
import type { FromSchema } from "./schema-type.ts";
import type { KindName } from "./state.ts";

/** A condition in a policy. At least one pattern must match a string that the entity has for the key, or a value of the facet. */
export interface PolicyCondition extends Condition {
  /** The key path to the values, for a facet with nested values. */
  readonly path?: Path;
}

/**
 * Selects the entities that a policy or waiver applies to: an entity must meet all conditions. An entity that meets all
 * conditions in one of the lists of exclusions is excluded.
 */
export interface Matching {
  readonly conditions: readonly PolicyCondition[];
  readonly exclusions: readonly (readonly PolicyCondition[])[];
}

/** A requirement for the values at one place. */
export interface Requirement extends Place {
  /** `true` requires at least one value; `false` forbids any value. */
  readonly present?: boolean;
  /**
   * Restrictions on the owners that count: `types` are their ownership types, `ownerKind` limits them to users or to groups, and
   * `active` requires that they exist and are not removed or suspended.
   */
  readonly types?: readonly string[];
  readonly ownerKind?: "user" | "group";
  readonly active?: true;
  /** The required number of values: at least `min`, and at most `max`. */
  readonly min?: number;
  readonly max?: number;
  /** Patterns for ids and URNs. At least one value must match at least one pattern. */
  readonly anyOf?: readonly string[];
  /** Patterns that no value may match. */
  readonly noneOf?: readonly string[];
  /** A pattern that the text must match. `*` matches any text, and `?` matches one character. */
  readonly pattern?: string;
  /** The allowed values. */
  readonly oneOf?: readonly string[];
  readonly origin?: Origin;
}

type PolicySeverity = "error" | "warning";

/** The requirements of a policy for each matching column. Conditions can use `name`, `type` and the facets of columns. */
export interface ColumnPolicy extends Matching {
  readonly requirements: readonly Requirement[];
}

/** The `check` of a policy, for entities of one kind. */
export interface PolicyCheck {
  readonly id: string;
  readonly kind: KindName;
  /** A CEL expression that must be true. */
  readonly check?: string;
}

/** A policy: requirements for the entities of one kind. A policy never writes anything. */
export interface CatalogPolicy extends Matching, PolicyCheck {
  /** The purpose of the policy. */
  readonly description?: string;
  /** The owners of the file that defines the policy, according to CODEOWNERS, if there are any. */
  readonly codeOwners?: readonly string[];
  readonly severity: PolicySeverity;
  readonly requirements: readonly Requirement[];
  /** If present, the policy evaluates each matching column instead of the entity itself. */
  readonly columns?: ColumnPolicy;
  readonly checkOrigin?: Origin;
  readonly minPercent?: number;
  /** Which violations stop a plan: only those that the plan introduces, or any violation by an entity that the plan changes. */
  readonly failOn: "introduced" | "any";
  /** A message that replaces the reasons. It may contain `{name}` and the other placeholders in `messageFields`. */
  readonly message?: string;
  readonly origin: Origin;
}

/** An exemption from a policy, valid until a certain day. */
export interface Waiver extends Matching {
  readonly policy: string;
  readonly reason: string;
  /** The last day on which the waiver applies, in UTC, such as `2027-01-31`. */
  readonly expires: string;
  readonly origin: Origin;
  /** The positions of `policy` and `expires` in the file. */
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

/** The subject of a verdict: an entity, or one of its columns. */
export type Judged = FromSchema<typeof judgedRecord>;

// `found` contains the examined values as text; absent if there are none.
const violation = { ...judged, source: origin, found: text };

const violationRecord = record({ urn, reasons: list(text) }, violation);

/** A policy violation, with its reasons as text. */
export type Violation = FromSchema<typeof violationRecord>;

/**
 * The schema for a violation that would have stopped the plan under an earlier version of a policy. `policy` is the id of that
 * policy.
 */
export const liftedSchema = record({ policy: text, urn, reasons: list(text) }, violation);

/** A violation that would have stopped the plan under an earlier version of a policy, but does not under the current policies. */
export type LiftedViolation = FromSchema<typeof liftedSchema>;

/** The schema for the result of a policy. */
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
    // The purpose of the policy, and the owners of its file, who can answer questions about it.
    description: text,
    codeOwners: list(text),
    // The unknown verdicts. If a policy's check exceeds its limit on evaluation steps, a single entry represents all later
    // verdicts.
    unknownEntities: list(record({ urn, reason: text }, judged)),
  },
);

/**
 * The result of a policy, as counts of verdicts. `matched` is the sum of `passes`, `introduced`, `existing`, `waived` and
 * `unknown` after the plan. A fixed violation counts as a pass.
 */
export type PolicyCount = FromSchema<typeof policyCountSchema>;

/** The default for the maximum number of days until a waiver expires. */
export const defaultMaxDays = 180;

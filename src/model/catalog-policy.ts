/** Policies on the content of the catalog, waivers from them, and their verdicts. */

import type { Origin } from "./origin.ts";
import type { Path, Place } from "./place.ts";
import type { Condition } from "./rule.ts";
import type { KindName } from "./state.ts";
import type { Urn } from "./urn.ts";

/** A condition of a policy: one of the texts matches a key of rules, or a value of a facet. */
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
  /** The owners that count: with one of these types; users or groups; existing, neither removed nor suspended. */
  readonly types?: readonly string[];
  readonly ownerKind?: "user" | "group";
  readonly active?: true;
  /** The required number of values. */
  readonly min?: number;
  readonly max?: number;
  /** At least one value must match one of these patterns of ids and URNs. */
  readonly anyOf?: readonly string[];
  /** No value may match one of these patterns. */
  readonly noneOf?: readonly string[];
  /** The text must match; `?` matches one character. */
  readonly pattern?: string;
  /** Every value must be one of these texts. */
  readonly oneOf?: readonly string[];
  readonly origin?: Origin;
}

type PolicySeverity = "error" | "warning";

/** The requirements of a policy for each column that matches: keys are `name`, `type` and facets of columns. */
export interface ColumnPolicy extends Matching {
  readonly requirements: readonly Requirement[];
}

/** The check of a policy for the entities of a kind. */
export interface PolicyCheck {
  readonly id: string;
  readonly kind: KindName;
  /** A CEL expression that must be true. */
  readonly check?: string;
}

/** A policy: the requirements for the entities of a kind. It writes nothing. */
export interface CatalogPolicy extends Matching, PolicyCheck {
  /** The purpose. */
  readonly description?: string;
  /** The owners of its file by CODEOWNERS, if it has any. */
  readonly codeOwners?: readonly string[];
  readonly severity: PolicySeverity;
  readonly requirements: readonly Requirement[];
  /** If present, the policy judges every matching column, and not the entity. */
  readonly columns?: ColumnPolicy;
  readonly checkOrigin?: Origin;
  readonly minPercent?: number;
  /** The violations that stop a plan: those that the plan introduces, or any violation by an entity that it changes. */
  readonly failOn: "introduced" | "any";
  /** Replaces the reasons; it may contain `{name}` and the other names of `messageFields`. */
  readonly message?: string;
  readonly origin: Origin;
}

/** An exception from a policy until a day. */
export interface Waiver extends Matching {
  readonly policy: string;
  readonly reason: string;
  /** The last day on which it applies, in UTC: `2027-01-31`. */
  readonly expires: string;
  readonly origin: Origin;
  /** The places of the fields. */
  readonly places?: { readonly policy: Origin; readonly expires: Origin };
}

/** The policies and waivers of one commit or work tree. */
export interface Policies {
  readonly policies: readonly CatalogPolicy[];
  readonly waivers: readonly Waiver[];
}

/** The subject of a verdict: an entity, or one of its columns. */
export interface Judged {
  readonly urn: Urn;
  /** The exact field path. */
  readonly column?: string;
}

/** A violation, with its reasons as texts. */
export interface Violation extends Judged {
  readonly reasons: readonly string[];
  /** The values that the policy examined, as a text; absent if there are none. */
  readonly found?: string;
  readonly source?: Origin;
}

/** A violation that an earlier policy would have stopped, and the present policies do not. */
export interface LiftedViolation extends Violation {
  /** The id of the earlier policy. */
  readonly policy: string;
}

/** A verdict that is unknown, and why. */
interface UnknownVerdict extends Judged {
  readonly reason: string;
}

/**
 * The result of a policy, in numbers of verdicts. `matched` is the sum of passes, introduced, existing, waived and unknown after
 * the plan; a fixed violation counts as a pass.
 */
export interface PolicyCount {
  readonly id: string;
  /** The purpose, and the owners of its file by CODEOWNERS: the people to ask about it. */
  readonly description?: string;
  readonly codeOwners?: readonly string[];
  readonly severity: PolicySeverity;
  readonly source: Origin;
  readonly matched: number;
  readonly passes: number;
  readonly introduced: readonly Violation[];
  readonly fixed: readonly Judged[];
  readonly existing: number;
  readonly waived: number;
  readonly unknown: number;
  /** The unknown verdicts. If the check of a policy used up its steps, one verdict represents all later ones. */
  readonly unknownEntities?: readonly UnknownVerdict[];
}

/** The default maximum of days until a waiver expires. */
export const defaultMaxDays = 180;

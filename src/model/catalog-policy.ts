import type { Origin } from "./origin.ts";
import type { Path, Place } from "./place.ts";
import type { Condition } from "./rule.ts";
import type { KindName } from "./state.ts";
import type { Urn } from "./urn.ts";

/** A policy matches by a key of rules, or by a facet: one of its values has one of several texts. */
export interface PolicyCondition extends Condition {
  /** Of a facet with keys, those that lead to the values. */
  readonly path?: Path;
}

/** Which entities a policy or waiver is about: all conditions must hold, and of each list of exclusions one must not. */
export interface Matching {
  readonly conditions: readonly PolicyCondition[];
  readonly exclusions: readonly (readonly PolicyCondition[])[];
}

/** What must be true of the values at a place. */
export interface Requirement extends Place {
  /** Whether there must be a value, or must be none. */
  readonly present?: boolean;
  /** Which values count: owners with one of these types, of users or groups, who exist and are neither removed nor suspended. */
  readonly types?: readonly string[];
  readonly ownerKind?: "user" | "group";
  readonly active?: true;
  /** How many of them there must be. */
  readonly min?: number;
  readonly max?: number;
  /** One of them must match one of these patterns of ids and URNs. */
  readonly anyOf?: readonly string[];
  /** No value may match one of these patterns. */
  readonly noneOf?: readonly string[];
  /** The text must match; `?` stands for one character. */
  readonly pattern?: string;
  /** Every value must be one of these texts. */
  readonly oneOf?: readonly string[];
  readonly origin?: Origin;
}

type PolicySeverity = "error" | "warning";

/** What a policy requires of each column that matches: keys are `name`, `type` and facets of columns. */
export interface ColumnPolicy extends Matching {
  readonly requirements: readonly Requirement[];
}

/** Says what must be true of the entities of a kind. It writes nothing. */
export interface CatalogPolicy extends Matching {
  readonly id: string;
  /** What it is for. */
  readonly description?: string;
  /** Whom its file belongs to by CODEOWNERS, where it belongs to somebody. */
  readonly codeOwners?: readonly string[];
  readonly severity: PolicySeverity;
  readonly kind: KindName;
  readonly requirements: readonly Requirement[];
  /** Where there is one, every matching column is judged, and not the entity. */
  readonly columns?: ColumnPolicy;
  /** A CEL expression that must be true. */
  readonly check?: string;
  readonly checkOrigin?: Origin;
  readonly minPercent?: number;
  /** Which violations stop a plan: those that it introduces, or any of what it changes. */
  readonly failOn: "introduced" | "any";
  /** In place of the reasons, with `{name}` and other names of `messageFields`. */
  readonly message?: string;
  readonly origin: Origin;
}

/** Leaves violations of a policy out until a day. */
export interface Waiver extends Matching {
  readonly policy: string;
  readonly reason: string;
  /** The last day on which it applies, in UTC: `2027-01-31`. */
  readonly expires: string;
  readonly origin: Origin;
  /** The places of its fields. */
  readonly places?: { readonly policy: Origin; readonly expires: Origin };
}

/** Policies and waivers of one time. */
export interface Policies {
  readonly policies: readonly CatalogPolicy[];
  readonly waivers: readonly Waiver[];
}

/** What a verdict is about: an entity, or one of its columns. */
export interface Judged {
  readonly urn: Urn;
  /** The exact field path. */
  readonly column?: string;
}

/** A violation, with the reasons as texts. */
export interface Violation extends Judged {
  readonly reasons: readonly string[];
  /** What it has of what the policy looks at, as a text; absent where that is nothing. */
  readonly found?: string;
  readonly source?: Origin;
}

/** A violation that an earlier policy would have stopped. */
export interface LiftedViolation extends Violation {
  /** Its id. */
  readonly policy: string;
}

/** A verdict that is unknown, and why. */
interface UnknownVerdict extends Judged {
  readonly reason: string;
}

/**
 * What a policy came to, counted in verdicts. `matched` is passes, introduced, existing, waived and unknown together, as it will
 * be; what is fixed is in none of them but passes.
 */
export interface PolicyCount {
  readonly id: string;
  /** What it is for, and who owns its file by CODEOWNERS: those who can be asked about it. */
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
  /** Those that are unknown. One stands for all after it where the check of a policy had spent its steps. */
  readonly unknownEntities?: readonly UnknownVerdict[];
}

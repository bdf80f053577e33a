/** Represents the result of `explain`: the declared and live values of an entity, and the reasons for them. */

import type { Written } from "./change.ts";
import type { Names } from "./plan.ts";
import type { PlanProblem } from "./problem.ts";
import type { Origin } from "./origin.ts";
import type { Place } from "./place.ts";
import type { AssetColumn, MatchKey } from "./rule.ts";
import type { Mode } from "./settings.ts";
import type { KindName, Member, Scalar } from "./state.ts";
import type { Urn } from "./urn.ts";

/** The position of a declaration in a document or a rule. */
export interface DeclaredBy {
  /** The id of the rule; absent for a document. */
  readonly rule?: string;
  readonly source?: Origin;
}

/** A declared value, with the positions of its declarations. */
export interface DesiredValue {
  readonly value: Member | Scalar;
  readonly declaredBy: readonly DeclaredBy[];
}

/** A value in the catalog, with its writer and time, if they are known. For an ignored value, also contains the reason. */
export interface LiveValue extends Written {
  readonly value: Member | Scalar;
  /** The reason given in the ignore rule that covers the value. */
  readonly ignored?: string;
}

/** A mode, and its source: a manifest, the settings, or the default. */
export interface ModeGiven extends DeclaredBy {
  readonly mode: Mode;
  readonly from: "manifest" | "settings" | "default";
}

/** The declared and live values at a place. */
export interface ExplainedFacet extends Place {
  /** Absent if nothing is declared, because the tool does not manage the facet in this case. */
  readonly mode?: ModeGiven;
  /** Absent if nothing is declared; empty if an empty value is declared. */
  readonly desired?: readonly DesiredValue[];
  /** Declared values that are overridden by a rule with a higher priority or by the asset's own document. */
  readonly overruled?: readonly DesiredValue[];
  readonly live: readonly LiveValue[];
  /** The effect of an apply; absent if there is no difference. */
  readonly change?: {
    readonly add: readonly (Member | Scalar)[];
    readonly remove: readonly (Member | Scalar)[];
    /** Whether someone else changed the value. If so, the value is kept until the conflict is resolved. */
    readonly conflict?: true;
    /** The values that an apply does not write for now, each with the reason. */
    readonly held?: readonly { readonly value: Member | Scalar; readonly because: string }[];
  };
}

/**
 * A rule key that does not match, with its patterns and the asset's texts for the key. A key under `not` is included if it
 * excludes the asset.
 */
export interface Missed {
  readonly key: MatchKey;
  readonly wanted: readonly string[];
  readonly found: readonly string[];
  readonly source?: Origin;
}

/** A rule, and whether it matches the asset. */
export interface ExplainedRule {
  readonly id: string;
  readonly source: Origin;
  /** `exempt` means that the rule would match, but one of the asset's documents exempts the asset from it. */
  readonly verdict: "matches" | "exempt" | "differs";
  /** The keys that do not match; empty if the rule matches. */
  readonly missed: readonly Missed[];
  /** If the rule matches, the patterns that match none of the asset's columns; absent if there are none. */
  readonly idlePatterns?: readonly IdlePattern[];
}

/** A column pattern that matches no column. */
interface IdlePattern {
  readonly pattern: string;
  readonly source: Origin;
}

/** The properties of an asset that rules can match, with their live values. */
export interface ExplainedAsset {
  /** The texts that the asset has for each key; empty if it has none. */
  readonly keys: Readonly<Record<MatchKey, readonly string[]>>;
  readonly column?: AssetColumn;
}

/** The verdict of a policy on an entity or on one of its columns. */
export interface ExplainedPolicy {
  readonly id: string;
  readonly source: Origin;
  readonly column?: string;
  readonly status: "passes" | "violates" | "waived" | "unknown";
  /** The reasons for a violation or an unknown verdict. */
  readonly reasons: readonly string[];
  /** The waiver that applies, with its position, its reason, and the last day on which it is valid. */
  readonly waiver?: { readonly source: Origin; readonly reason: string; readonly expires: string };
}

/**
 * The declared and live values of an entity, and the reasons for both. Later versions of the tool may add keys without changing
 * `formatVersion`.
 */
export interface Explanation {
  readonly formatVersion: "1";
  readonly tool: string;
  /** When the explanation was created, in ISO 8601. */
  readonly createdAt: string;
  /** The URL of the server, in the same form as in plans. */
  readonly target: string;
  readonly urn: Urn;
  readonly kind: KindName;
  /** Whether the entity exists in the catalog. A declared entity might not exist until an apply creates it. */
  readonly exists: boolean;
  /** The positions of the documents that declare values for the entity. */
  readonly documents: readonly Origin[];
  /** Present only for kinds that rules can match. */
  readonly asset?: ExplainedAsset;
  /** The facets that are declared or have a live value, in plan order. */
  readonly facets: readonly ExplainedFacet[];
  /** The rules that match, followed by those that nearly match. */
  readonly rules: readonly ExplainedRule[];
  /**
   * The verdicts of matching policies on the live entity. A policy on columns has one verdict per column. Absent if there are no
   * policies.
   */
  readonly policies?: readonly ExplainedPolicy[];
  readonly problems: readonly PlanProblem[];
  /** Display names for the URNs in the explanation. */
  readonly names: Names;
}

/** Represents the result of `explain`: an entity's declared and live values, and their causes. */

import type { Written } from "./change.ts";
import type { Names } from "./plan.ts";
import type { PlanProblem } from "./problem.ts";
import type { Origin } from "./origin.ts";
import type { Place } from "./place.ts";
import type { AssetColumn, MatchKey } from "./rule.ts";
import type { Mode } from "./settings.ts";
import type { KindName, Member, Scalar } from "./state.ts";
import type { Urn } from "./urn.ts";

/** The position of a declaration, in a document or in a rule. */
export interface DeclaredBy {
  /** The rule's id; absent for a document. */
  readonly rule?: string;
  readonly source?: Origin;
}

/** A declared value, and the positions that declare it. */
export interface DesiredValue {
  readonly value: Member | Scalar;
  readonly declaredBy: readonly DeclaredBy[];
}

/** A value in the catalog, its writer and time if known, and the reason if the tool leaves it alone. */
export interface LiveValue extends Written {
  readonly value: Member | Scalar;
  /** The reason in the ignore rule that covers the value. */
  readonly ignored?: string;
}

/** A mode and its source: a manifest, the settings, or neither. */
export interface ModeGiven extends DeclaredBy {
  readonly mode: Mode;
  readonly from: "manifest" | "settings" | "default";
}

/** A place's declared and live values. */
export interface ExplainedFacet extends Place {
  /** Absent if nothing is declared: the tool then does not manage the facet. */
  readonly mode?: ModeGiven;
  /** Absent if nothing is declared; empty if an empty value is declared. */
  readonly desired?: readonly DesiredValue[];
  /** Declared values that lose to another one, by priority or to the asset's own document. */
  readonly overruled?: readonly DesiredValue[];
  readonly live: readonly LiveValue[];
  /** The effect of an apply; absent if nothing differs. */
  readonly change?: {
    readonly add: readonly (Member | Scalar)[];
    readonly remove: readonly (Member | Scalar)[];
    /** Whether someone else changed the value, so that it stays until the conflict is settled. */
    readonly conflict?: true;
    /** The values that an apply does not write for now, each with its reason in words. */
    readonly held?: readonly { readonly value: Member | Scalar; readonly because: string }[];
  };
}

/**
 * A rule key that does not match: the patterns, and the asset's texts. A key under `not` counts if it excludes the asset.
 */
export interface Missed {
  readonly key: MatchKey;
  readonly wanted: readonly string[];
  readonly found: readonly string[];
  readonly source?: Origin;
}

/** A rule, and whether it matches. */
export interface ExplainedRule {
  readonly id: string;
  readonly source: Origin;
  /** `exempt`: the rule would match, but one of the asset's documents excludes it. */
  readonly verdict: "matches" | "exempt" | "differs";
  /** The keys that do not match; empty for a rule that matches. */
  readonly missed: readonly Missed[];
  /** For a rule that matches, the patterns that match none of the asset's columns; absent if there are none. */
  readonly idlePatterns?: readonly IdlePattern[];
}

/** A column pattern that matches no column. */
interface IdlePattern {
  readonly pattern: string;
  readonly source: Origin;
}

/** The properties by which rules match an asset, as in the catalog. */
export interface ExplainedAsset {
  /** The asset's texts for each key; empty if it has none. */
  readonly keys: Readonly<Record<MatchKey, readonly string[]>>;
  /** The requested column. */
  readonly column?: AssetColumn;
}

/** A policy's verdict on an entity, or on one of its columns. */
export interface ExplainedPolicy {
  readonly id: string;
  readonly source: Origin;
  readonly column?: string;
  readonly status: "passes" | "violates" | "waived" | "unknown";
  /** The reasons for a violation or an unknown verdict. */
  readonly reasons: readonly string[];
  /** The waiver that applies, with its position, its reason, and its last day. */
  readonly waiver?: { readonly source: Origin; readonly reason: string; readonly expires: string };
}

/** An entity's declarations and live values, and the reasons for both. Keys may be added while `formatVersion` is "1". */
export interface Explanation {
  readonly formatVersion: "1";
  readonly tool: string;
  /** The time of the explanation, as an ISO 8601 instant. */
  readonly createdAt: string;
  /** The server, as plans name it. */
  readonly target: string;
  readonly urn: Urn;
  readonly kind: KindName;
  /** Whether the catalog contains the entity. A declared entity may be missing until it is applied. */
  readonly exists: boolean;
  /** The documents that declare values for the entity. */
  readonly documents: readonly Origin[];
  /** Present only for kinds that rules match. */
  readonly asset?: ExplainedAsset;
  /** The declared facets and those with a live value, in plan order. */
  readonly facets: readonly ExplainedFacet[];
  /** The rules: first those that match, then those that nearly match. */
  readonly rules: readonly ExplainedRule[];
  /** Matching policies' verdicts on the live entity, column by column for policies on columns; absent without policies. */
  readonly policies?: readonly ExplainedPolicy[];
  readonly problems: readonly PlanProblem[];
  /** Display names for the URNs in the explanation. */
  readonly names: Names;
}

/** The result of `explain`: the declared and live values of an entity, with their causes. */

import type { Written } from "./change.ts";
import type { Names } from "./plan.ts";
import type { PlanProblem } from "./problem.ts";
import type { Origin } from "./origin.ts";
import type { Place } from "./place.ts";
import type { AssetColumn, MatchKey } from "./rule.ts";
import type { Mode } from "./settings.ts";
import type { KindName, Member, Scalar } from "./state.ts";
import type { Urn } from "./urn.ts";

/** A place with a declaration: in a document, or in a rule. */
export interface DeclaredBy {
  /** The id of the rule; absent for a document. */
  readonly rule?: string;
  readonly source?: Origin;
}

/** A declared value, and the places that declare it. */
export interface DesiredValue {
  readonly value: Member | Scalar;
  readonly declaredBy: readonly DeclaredBy[];
}

/** A value in the catalog, its writer and time if known, and the reason if it is left alone. */
export interface LiveValue extends Written {
  readonly value: Member | Scalar;
  /** The reason of the ignore rule that covers it. */
  readonly ignored?: string;
}

/** A mode and its source: a manifest, the settings, or neither. */
export interface ModeGiven extends DeclaredBy {
  readonly mode: Mode;
  readonly from: "manifest" | "settings" | "default";
}

/** The declared and the live values of one place. */
export interface ExplainedFacet extends Place {
  /** Absent if nothing is declared: the facet is then not managed. */
  readonly mode?: ModeGiven;
  /** Absent if nothing is declared; empty if an empty value is declared. */
  readonly desired?: readonly DesiredValue[];
  /** Declared values that lose against another one, by priority or to the asset's own document. */
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
 * A key of a rule that does not match: the patterns, and the texts of the asset. A key under `not` counts if it excludes the asset.
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
  /** `exempt`: the rule would match, but a document of the asset excludes it. */
  readonly verdict: "matches" | "exempt" | "differs";
  /** The keys that do not match; empty for a rule that matches. */
  readonly missed: readonly Missed[];
  /** For a rule that matches, the patterns that match no column of the asset; absent if there are none. */
  readonly idlePatterns?: readonly IdlePattern[];
}

/** A pattern of columns that matches none. */
interface IdlePattern {
  readonly pattern: string;
  readonly source: Origin;
}

/** The properties that rules match an asset by, as in the catalog. */
export interface ExplainedAsset {
  /** The texts of the asset for each key; empty if it has none. */
  readonly keys: Readonly<Record<MatchKey, readonly string[]>>;
  /** The requested column. */
  readonly column?: AssetColumn;
}

/** The verdict of a policy on an entity, or on one of its columns. */
export interface ExplainedPolicy {
  readonly id: string;
  readonly source: Origin;
  readonly column?: string;
  readonly status: "passes" | "violates" | "waived" | "unknown";
  /** The reasons for a violation or an unknown verdict. */
  readonly reasons: readonly string[];
  /** The waiver that applies: its place, its reason, and its last day. */
  readonly waiver?: { readonly source: Origin; readonly reason: string; readonly expires: string };
}

/** The declarations for an entity, its live values, and the reasons for both. Keys may be added while `formatVersion` is "1". */
export interface Explanation {
  readonly formatVersion: "1";
  readonly tool: string;
  /** An ISO 8601 instant. */
  readonly createdAt: string;
  /** The server, as plans name it. */
  readonly target: string;
  readonly urn: Urn;
  readonly kind: KindName;
  /** Whether the catalog contains it. A declared entity may be missing until it is applied. */
  readonly exists: boolean;
  /** The documents with declarations for it. */
  readonly documents: readonly Origin[];
  /** Only for kinds that rules match. */
  readonly asset?: ExplainedAsset;
  /** The declared facets and those with a live value, in the order of plans. */
  readonly facets: readonly ExplainedFacet[];
  /** Rules that match come first, then those that nearly match. */
  readonly rules: readonly ExplainedRule[];
  /** The verdicts of matching policies on the live entity, column by column for policies on columns; absent without policies. */
  readonly policies?: readonly ExplainedPolicy[];
  readonly problems: readonly PlanProblem[];
  /** The display names of the URNs in the explanation. */
  readonly names: Names;
}

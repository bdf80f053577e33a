import type { Written } from "./change.ts";
import type { Names } from "./plan.ts";
import type { PlanProblem } from "./problem.ts";
import type { Origin } from "./origin.ts";
import type { Place } from "./place.ts";
import type { AssetColumn, MatchKey } from "./rule.ts";
import type { Mode } from "./settings.ts";
import type { KindName, Member, Scalar } from "./state.ts";
import type { Urn } from "./urn.ts";

/** A place that declares something: in a document, or in a rule. */
export interface DeclaredBy {
  /** The id of the rule; absent for a document. */
  readonly rule?: string;
  readonly source?: Origin;
}

/** A value that is declared, and who declares it. */
export interface DesiredValue {
  readonly value: Member | Scalar;
  readonly declaredBy: readonly DeclaredBy[];
}

/** A value in the catalog, who put it there and when, where that is known, and why it is left alone, where it is. */
export interface LiveValue extends Written {
  readonly value: Member | Scalar;
  /** The reason of the ignore rule that covers it. */
  readonly ignored?: string;
}

/** Where a mode comes from: a manifest, the settings, or nothing says otherwise. */
export interface ModeGiven extends DeclaredBy {
  readonly mode: Mode;
  readonly from: "manifest" | "settings" | "default";
}

/** The declared and the live values of one place. */
export interface ExplainedFacet extends Place {
  /** Absent where nothing is declared: then nothing is managed. */
  readonly mode?: ModeGiven;
  /** Absent where nothing is declared; empty where it is declared to be empty. */
  readonly desired?: readonly DesiredValue[];
  /** What others declare and another value wins over, by priority or as the asset's own document. */
  readonly overruled?: readonly DesiredValue[];
  readonly live: readonly LiveValue[];
  /** What an apply would do; absent where nothing differs. */
  readonly change?: {
    readonly add: readonly (Member | Scalar)[];
    readonly remove: readonly (Member | Scalar)[];
    /** Whether somebody else changed the value, so that it stays until that is settled. */
    readonly conflict?: true;
    /** The values that an apply does not write for now, each with the reason in words. */
    readonly held?: readonly { readonly value: Member | Scalar; readonly because: string }[];
  };
}

/** Why a rule does not match: what it asks for under a key, and what the asset has. Under `not` what it leaves out. */
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
  /** `exempt`: it would match, and a document of the asset leaves it out. */
  readonly verdict: "matches" | "exempt" | "differs";
  /** The keys that do not match; empty for a rule that matches. */
  readonly missed: readonly Missed[];
  /** Of a rule that matches, the patterns that match no column of the asset; absent where there are none. */
  readonly idlePatterns?: readonly IdlePattern[];
}

/** A pattern of columns that matches none. */
interface IdlePattern {
  readonly pattern: string;
  readonly source: Origin;
}

/** What rules match an asset by, as the catalog has it. */
export interface ExplainedAsset {
  /** Each key with what the asset has of it; empty where it has nothing. */
  readonly keys: Readonly<Record<MatchKey, readonly string[]>>;
  /** The column that was asked about. */
  readonly column?: AssetColumn;
}

/** What a policy says of an entity, or of one of its columns. */
export interface ExplainedPolicy {
  readonly id: string;
  readonly source: Origin;
  readonly column?: string;
  readonly status: "passes" | "violates" | "waived" | "unknown";
  /** Why it violates the policy, or why that is not known. */
  readonly reasons: readonly string[];
  /** The waiver by which it is waived: its place, its reason, and its last day. */
  readonly waiver?: { readonly source: Origin; readonly reason: string; readonly expires: string };
}

/** What is declared of an entity, what the catalog has, and why. Keys may be added while `formatVersion` is "1". */
export interface Explanation {
  readonly formatVersion: "1";
  readonly tool: string;
  /** An ISO 8601 instant. */
  readonly createdAt: string;
  /** The server, as plans name it. */
  readonly target: string;
  readonly urn: Urn;
  readonly kind: KindName;
  /** Whether the catalog has it. What manifests declare and has not been applied may not be there. */
  readonly exists: boolean;
  /** The documents that declare something of it. */
  readonly documents: readonly Origin[];
  /** Only of kinds that rules match. */
  readonly asset?: ExplainedAsset;
  /** In the order in which plans show them: declared ones, and those that the catalog has a value of. */
  readonly facets: readonly ExplainedFacet[];
  /** Those that match first, then those that nearly do. */
  readonly rules: readonly ExplainedRule[];
  /** What policies that match it say of it as it is, column by column where they are about columns; absent without policies. */
  readonly policies?: readonly ExplainedPolicy[];
  readonly problems: readonly PlanProblem[];
  /** The display names of URNs that are shown. */
  readonly names: Names;
}

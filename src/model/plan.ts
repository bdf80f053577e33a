import type { LiftedViolation, PolicyCount } from "./catalog-policy.ts";
import type { Change, Opponent, ValuePlace, Written } from "./change.ts";
import type { Place } from "./place.ts";
import type { LimitsByGuard } from "./settings.ts";
import type { PlanProblem } from "./problem.ts";
import type { KindName, Member, Scalar } from "./state.ts";
import type { Urn } from "./urn.ts";

/** A live value that is not ours and stays. */
export interface UnmanagedValue extends ValuePlace, Written {
  readonly value: Member | Scalar;
  readonly reason: "other-writer" | "ingested" | "external" | "no-longer-declared" | "not-expressible";
}

/** A live definition that was declared before and stays. */
interface UnmanagedEntity extends Written {
  readonly urn: Urn;
  readonly kind: KindName;
  readonly facet?: never;
  readonly path?: never;
  readonly value?: never;
  readonly reason: "no-longer-declared";
}

/** What is not ours, or no longer, and stays. */
export type Unmanaged = UnmanagedValue | UnmanagedEntity;

/** What a guard found about a plan; one of severity `error` blocks it. `flag` and `setting` change its limit, where there are some. */
export interface Finding {
  /** The guard that found it, or `missing`, `policy` or `fight`. */
  readonly guard: string;
  readonly severity: "warning" | "error";
  readonly facet?: string;
  /** The id of the rule, where it is about one. */
  readonly rule?: string;
  readonly numbers: Readonly<Record<string, number>>;
  readonly flag: string;
  readonly setting: string;
  /** Who sets values back that are held back, where it is about these. */
  readonly opponent?: Opponent;
  /** The changes it is about. */
  readonly changes: readonly (Partial<Place> & { readonly urn: Urn })[];
}

/**
 * Counts of a plan: what an apply would do. `create`, `update`, `delete` and `unchanged` count entities. `additions`,
 * `replacements` and `removals` count values: members of sets, and single values. The values of a deleted entity are not
 * counted. What is held back counts in `heldBack` alone.
 */
export interface Summary {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
  /** Declared entities of which the plan has no change, not even one that is held back. */
  readonly unchanged: number;
  readonly additions: number;
  readonly replacements: number;
  readonly removals: number;
  readonly unmanaged: number;
  readonly conflicts: number;
  readonly blocked: number;
  /**
   * Changes that an apply does not carry out, or not in full, because a conflict holds them back, with `conflicts: skip` as
   * well, or because others set their values back again and again.
   */
  readonly heldBack: number;
  /** Verdicts of policies on what the plan changes; absent without policies. */
  readonly policies?: PolicyTotals;
}

/** The commit of the manifests, where they are in a git repository. */
export interface GitState {
  readonly commit: string | null;
  readonly dirty: boolean;
  readonly base: string | null;
}

/** What is known of a plan before anything is compared. `createdAt` is an ISO 8601 instant. */
export interface PlanHeader {
  readonly tool: string;
  readonly createdAt: string;
  readonly target: string;
  readonly git: GitState;
  /** Absent where no directory of manifests was planned. */
  readonly scope?: PlanScope;
  /** How its assignments are written, where not with mutations. */
  readonly writes?: "conditional";
  /** Absent where it is not the plan of a shard. */
  readonly shard?: PlanShard;
  /** The address of DataHub's web interface, without a slash at its end; absent where the settings name none. */
  readonly links?: string;
  /** The owners of what the plan changes; absent without any, and where the settings name no user or group on GitHub. */
  readonly owners?: readonly Urn[];
}

/** One of the parts into which all entities are divided by their URNs. `index` counts from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** The shard that a plan is about. */
export interface PlanShard extends Shard {
  /** A hash of settings, options and uncommitted manifests; absent where the shard was taken from a plan. */
  readonly inputs?: string;
}

/**
 * What guards need beside the changes, so that a saved plan can be judged again. Absent is zero; a shard is not judged, and
 * counts every facet of its entities.
 */
export interface GuardCounts {
  /** By facet of which the plan removes values, how many live values there are. */
  readonly existing?: Readonly<Record<string, number>>;
  /** Entities that base declares and the repository does not, and how many base declares. */
  readonly vanished?: { readonly urns: readonly Urn[]; readonly of: number };
}

/** The scope of a plan: its directory, environment, base ref, and the part that was selected. */
export interface PlanScope {
  /** Relative to the working directory, with `/`. */
  readonly directory: string;
  /** The environment of the settings, where they have some. */
  readonly environment?: string;
  readonly ref?: string;
  readonly targets?: readonly string[];
  readonly excluded?: readonly string[];
  readonly kinds?: readonly string[];
  readonly platforms?: readonly string[];
  readonly domains?: readonly Urn[];
  /** Ids of rules. */
  readonly rules?: readonly string[];
  readonly changedSince?: string;
  /** What the plan leaves in the catalog though a prune would take it away, where there is any. */
  readonly left?: Leftovers;
}

/** What was declared before, is not now, and stays. */
export interface Leftovers {
  readonly entities: readonly Urn[];
  /** How many values of entities that stay. */
  readonly values: number;
  /** What soft-deleted assets, and columns that left the schema, bring back when they return; absent where nothing is. */
  readonly away?: readonly DormantValue[];
}

/**
 * A value that a prune cannot remove, on a soft-deleted asset or on a column that left the schema. Without `value` the asset
 * could not be read.
 */
export interface DormantValue extends Partial<Place> {
  readonly urn: Urn;
  readonly value?: Member | Scalar;
}

/** A setting that differs from that of an earlier commit; `null` where one of them does not have it. */
export interface SettingChange {
  readonly key: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Of policies and waivers: more may pass than before. */
  readonly loosens?: true;
}

/** On how many assets of a plan a rule gives one value at a place; of columns at the place below any of them. */
export interface ValueCount extends Place {
  /** An element of a set, or a single value; `null` where the rule declares an empty set or that the value is unset. */
  readonly value: Member | Scalar;
  /** Assets that get the value: of a facet of columns those with a matching column. */
  readonly on: number;
  /** Those of them on which the plan adds or sets it. */
  readonly new: number;
  /** Assets that have another value: one of their documents, or of a rule with a higher priority. */
  readonly overruled: number;
}

/** What a rule does in a plan. All numbers but `matched` are about what is planned, which may be a part of the catalog. */
export interface RuleCount {
  readonly id: string;
  /** The kind of the assets. */
  readonly kind: KindName;
  /** How many assets of the complete catalog it matches; those whose documents leave it out do not count. */
  readonly matched: number;
  readonly matchedInPart: number;
  /** On how many assets its own values change. */
  readonly changed: number;
  /** What it declares, in the order in which it does; of columns what it declares of any of them. */
  readonly values: readonly ValueCount[];
  /** Whether assets could not be read that may count: then all numbers are lower limits. */
  readonly incomplete?: true;
}

/** Display names by URN. */
export type Names = Readonly<Record<string, string>>;

/** The verdicts of all policies together, but for those that pass. */
export interface PolicyTotals {
  readonly introduced: number;
  readonly fixed: number;
  readonly existing: number;
  readonly waived: number;
  readonly unknown: number;
}

/** What would change, as data: what is printed, stored and applied. Its JSON form is `schemas/plan.schema.json`. */
export interface Plan extends PlanHeader {
  readonly formatVersion: "1";
  /** The limits of the guards that differ from their defaults. */
  readonly limits: LimitsByGuard;
  readonly counts?: GuardCounts;
  readonly digest: string;
  readonly summary: Summary;
  /** Every rule, in the order of their ids; absent where there are none. */
  readonly rules?: readonly RuleCount[];
  /** Every policy, in the order of their ids; absent where there are none. */
  readonly policies?: readonly PolicyCount[];
  readonly changes: readonly Change[];
  readonly findings: readonly Finding[];
  readonly unmanaged: readonly Unmanaged[];
  readonly problems?: readonly PlanProblem[];
  /** The settings that changed; then every entity is planned, by the stricter of both limits. */
  readonly settingsChanges?: readonly SettingChange[];
  /** The policies and waivers that changed since the merge base. */
  readonly policyChanges?: readonly SettingChange[];
  /** What the policies of the merge base would have stopped, and those at hand do not. */
  readonly noLongerStopped?: readonly LiftedViolation[];
  /** Whether that stops the plan: by the settings of the merge base. */
  readonly strictPolicies?: true;
  /** The display names of URNs in the plan, where they are known and differ from the ids. Not part of the digest. */
  readonly names?: Names;
}

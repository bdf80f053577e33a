/** A plan: the changes that an apply would make, with findings, counts and the scope. */

import type { PlanScope } from "./plan-scope.ts";
import type { LiftedViolation, PolicyCount } from "./catalog-policy.ts";
import type { Change, Opponent, ValuePlace, Written } from "./change.ts";
import type { Place } from "./place.ts";
import type { LimitsByGuard } from "./settings.ts";
import type { PlanProblem } from "./problem.ts";
import type { EntityKey, KindName, Member, Scalar } from "./state.ts";
import type { Urn } from "./urn.ts";

/** A live value that the tool does not manage and keeps. */
export interface UnmanagedValue extends ValuePlace, Written {
  readonly value: Member | Scalar;
  readonly reason: "other-writer" | "ingested" | "external" | "no-longer-declared" | "not-expressible";
}

/** A live definition that was declared before and is kept. */
interface UnmanagedEntity extends Written, EntityKey {
  readonly facet?: never;
  readonly path?: never;
  readonly value?: never;
  readonly reason: "no-longer-declared";
}

/** An unmanaged value or entity, which is kept. */
export type Unmanaged = UnmanagedValue | UnmanagedEntity;

/** A finding of a guard; severity `error` blocks the plan. `flag` and `setting` change the limit, if the guard has one. */
export interface Finding {
  /** The guard, or `missing`, `policy` or `fight`. */
  readonly guard: string;
  readonly severity: "warning" | "error";
  readonly facet?: string;
  /** The id of the rule, if the finding concerns one. */
  readonly rule?: string;
  readonly numbers: Readonly<Record<string, number>>;
  readonly flag: string;
  readonly setting: string;
  /** The writer that changes values back, for a finding about fights. */
  readonly opponent?: Opponent;
  /** The changes that the finding concerns. */
  readonly changes: readonly (Partial<Place> & { readonly urn: Urn })[];
}

/** Counts of changed values: members of sets, and single values. The values of a deleted entity are not counted. */
export interface ValueCounts {
  readonly additions: number;
  readonly replacements: number;
  readonly removals: number;
}

/**
 * Counts of the effects of an apply. `create`, `update`, `delete` and `unchanged` count entities. Only `heldBack`
 * counts values that are not written for now.
 */
export interface Summary extends ValueCounts {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
  /** Declared entities without any change in the plan, including changes that are held back. */
  readonly unchanged: number;
  readonly unmanaged: number;
  readonly conflicts: number;
  readonly blocked: number;
  /**
   * Changes that an apply skips in full or in part: because of a conflict, including with `conflicts: skip`, or because others
   * change the values back again and again.
   */
  readonly heldBack: number;
  /** Verdicts of policies on the planned changes; absent without policies. */
  readonly policies?: PolicyTotals;
}

/** The commit of the manifests, if they are in a git repository. */
export interface GitState {
  readonly commit: string | null;
  readonly dirty: boolean;
  readonly base: string | null;
}

/** The tool and the commit that a plan comes from, and the way to write its assignments. */
export interface PlanOrigin extends WriteWay {
  readonly tool: string;
  readonly git: GitState;
}

interface WriteWay {
  /** The way to write assignments; absent for mutations. */
  readonly writes?: "conditional";
}

/** The part of a plan that is known before the comparison. `createdAt` is an ISO 8601 instant. */
export interface PlanHeader extends PlanOrigin {
  readonly createdAt: string;
  readonly target: string;
  /** Absent if the plan is not for a directory of manifests. */
  readonly scope?: PlanScope;
  /** Absent if the plan is not for a shard. */
  readonly shard?: PlanShard;
  /** The address of DataHub's web interface, without a slash at its end; absent if the settings name none. */
  readonly links?: string;
  /** The owners of the changed entities; absent without any, and if the settings name no user or group on GitHub. */
  readonly owners?: readonly Urn[];
}

/** One part of a division of all entities by their URNs. `index` counts from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** The shard of a plan. */
export interface PlanShard extends Shard {
  /** A hash of settings, options and uncommitted manifests; absent if the shard was cut from a complete plan. */
  readonly inputs?: string;
}

/**
 * The counts that guards need in addition to the changes, so that they can judge a saved plan again. An absent count is zero.
 * Guards do not judge a shard, which counts every facet of its entities.
 */
export interface GuardCounts {
  /** The number of live values, by facet, for facets with removals. */
  readonly existing?: Readonly<Record<string, number>>;
  /** Entities that base declares and the repository does not, and the number of entities that base declares. */
  readonly vanished?: { readonly urns: readonly Urn[]; readonly of: number };
}

/** A setting that differs from an earlier commit; `null` on the side that does not have it. */
export interface SettingChange {
  readonly key: string;
  readonly before: string | null;
  readonly after: string | null;
  /** For policies and waivers: more entities may pass than before. */
  readonly loosens?: true;
}

/** The number of planned assets on which a rule gives one value at a place; for columns, at that place below any column. */
export interface ValueCount extends Place {
  /** An element of a set, or a single value; `null` if the rule declares an empty set or unsets the value. */
  readonly value: Member | Scalar;
  /** Assets that get the value: for a facet of columns, those with a matching column. */
  readonly on: number;
  /** The part of these assets on which the plan adds or sets the value. */
  readonly new: number;
  /** Assets with another value: from one of their documents, or from a rule with a higher priority. */
  readonly overruled: number;
}

/** The effect of a rule in a plan. All numbers except `matched` count planned assets, which may be a part of the catalog. */
export interface RuleCount {
  readonly id: string;
  /** The kind of the assets. */
  readonly kind: KindName;
  /** The number of matching assets in the complete catalog, without those whose documents leave the rule out. */
  readonly matched: number;
  readonly matchedInPart: number;
  /** The number of assets on which values of the rule change. */
  readonly changed: number;
  /** The declared values, in order; for columns, the values for any column. */
  readonly values: readonly ValueCount[];
  /** Whether assets that may match could not be read: then all numbers are lower limits. */
  readonly incomplete?: true;
}

/** Display names by URN. */
export type Names = Readonly<Record<string, string>>;

/** The verdicts of all policies together, except passes. */
export interface PolicyTotals {
  readonly introduced: number;
  readonly fixed: number;
  readonly existing: number;
  readonly waived: number;
  readonly unknown: number;
}

/** The changes of a plan. */
export interface PlannedChanges {
  readonly changes: readonly Change[];
}

/** The changes of a plan, and the way to write them. */
export interface PlannedWrites extends PlannedChanges, WriteWay {}

/** The values of the catalog that a plan shows: those that it changes, and those that it does not manage. */
export interface ShownValues extends PlannedChanges {
  readonly unmanaged: readonly Unmanaged[];
}

/** The effects of the rules in a plan. */
export interface CountedRules {
  /** Every rule, sorted by id; absent if there are none. */
  readonly rules?: readonly RuleCount[];
}

/** The problems of a plan. */
export interface PlanProblems {
  readonly problems?: readonly PlanProblem[];
}

/** The changes of a plan, with the verdicts of guards and policies. */
interface JudgedChanges extends PlannedChanges {
  /** The limits of the guards that differ from their defaults. */
  readonly limits: LimitsByGuard;
  readonly findings: readonly Finding[];
  /** Every policy, sorted by id; absent if there are none. */
  readonly policies?: readonly PolicyCount[];
}

/** The part of a plan that its digest covers. */
export interface SealedPlan extends JudgedChanges {
  readonly formatVersion: "1";
  readonly target: string;
}

/** The changes of a plan, and everything that was counted and decided about them. */
export interface CountedChanges extends JudgedChanges, ShownValues, CountedRules {
  readonly summary: Summary;
  /** Violations that the policies of the merge base would have stopped, and the current policies do not. */
  readonly noLongerStopped?: readonly LiftedViolation[];
  /** Whether such violations stop the plan, by the settings of the merge base. */
  readonly strictPolicies?: true;
}

/** A plan as data, to be printed, stored and applied. Its JSON form is `schemas/plan.schema.json`. */
export interface Plan extends PlanHeader, SealedPlan, CountedChanges, PlanProblems {
  readonly counts?: GuardCounts;
  readonly digest: string;
  /** The changed settings. If any changed, every entity is planned, and the stricter of the old and new limits apply. */
  readonly settingsChanges?: readonly SettingChange[];
  /** The policies and waivers that changed since the merge base. */
  readonly policyChanges?: readonly SettingChange[];
  /** The display names of the URNs in the plan that differ from the ids, if known. They are not part of the digest. */
  readonly names?: Names;
}

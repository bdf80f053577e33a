/** Defines plans: the changes that an apply would make, with findings, counts and scope. */

import type { PlanScope } from "./plan-scope.ts";
import type { LiftedViolation, PolicyCount } from "./catalog-policy.ts";
import {
  count,
  described,
  fields,
  list,
  position,
  record,
  sha256,
  text,
  textOrNull,
  urn,
} from "./schema-parts.ts";
import type { FromSchema } from "./schema-type.ts";
import type { Change, Opponent, ValuePlace, Written } from "./change.ts";
import type { JsonObject } from "./json.ts";
import type { Place } from "./place.ts";
import type { RuleCount } from "./rule-count.ts";
import type { LimitsByGuard } from "./settings.ts";
import type { PlanProblem } from "./problem.ts";
import type { EntityKey, Member, Scalar } from "./state.ts";
import type { Urn } from "./urn.ts";

/** A live value that the tool does not manage, and therefore keeps. */
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

/** An unmanaged value or entity, which the plan keeps. */
export type Unmanaged = UnmanagedValue | UnmanagedEntity;

/** A finding of a guard. Severity `error` blocks the plan. `flag` and `setting` change the limit, if the guard has one. */
export interface Finding {
  /** The name of the guard, or `missing`, `policy` or `fight`. */
  readonly guard: string;
  readonly severity: "warning" | "error";
  readonly facet?: string;
  /** The id of the rule that the finding concerns, if any. */
  readonly rule?: string;
  readonly numbers: Readonly<Record<string, number>>;
  readonly flag: string;
  readonly setting: string;
  /** In a finding about a fight, the writer that keeps reverting values. */
  readonly opponent?: Opponent;
  readonly changes: readonly (Partial<Place> & { readonly urn: Urn })[];
}

const policyTotals = record(fields(count, "introduced", "fixed", "existing", "waived", "unknown"));

/** The total number of verdicts of all policies, excluding passes. */
export type PolicyTotals = FromSchema<typeof policyTotals>;

/** The schema for the counts in a plan. Older plans have no `heldBack`. */
export const summarySchema = record(
  {
    ...fields(count, "create", "update", "delete"),
    unchanged: described(
      count,
      "Number of declared entities without changes. This excludes entities whose changes are all held back.",
    ),
    ...fields(count, "additions", "replacements", "removals", "unmanaged", "conflicts", "blocked"),
  },
  {
    // The verdicts of policies on the planned changes; absent if there are no policies.
    policies: policyTotals,
    heldBack: described(
      count,
      "Number of changes that `apply` does not write, or writes only in part, because of conflicts, fights or ignore rules. `conflicts` is the only other count that includes these changes.",
    ),
  },
);

/**
 * Counts of the changes that an apply makes. `create`, `update`, `delete` and `unchanged` are numbers of entities. `additions`,
 * `replacements` and `removals` are numbers of values: elements of sets, and single values. They exclude the values of deleted
 * entities. Only `heldBack` includes values that are not written for now.
 */
export interface Summary extends FromSchema<typeof summarySchema> {
  readonly heldBack: number;
}

/** Counts of changed values: elements of sets, and single values. The values of deleted entities are excluded. */
export interface ValueCounts {
  readonly additions: number;
  readonly replacements: number;
  readonly removals: number;
}

/** The schema for the Git state. */
export const gitSchema = record({ commit: textOrNull, dirty: { type: "boolean" }, base: textOrNull });

/** The commit of the manifests (`null` outside Git), whether they have uncommitted changes, and the commit of the base. */
export type GitState = FromSchema<typeof gitSchema>;

/** The tool version and the Git state from which a plan was made, and how to write assignments. */
export interface PlanOrigin extends WriteWay {
  readonly tool: string;
  readonly git: GitState;
}

interface WriteWay {
  /** How to write assignments; absent if they are written with mutations. */
  readonly writes?: "conditional";
}

/** The plan fields that are known before desired and live state are compared. `createdAt` is in ISO 8601. */
export interface PlanHeader extends PlanOrigin {
  readonly createdAt: string;
  readonly target: string;
  /** Absent if the plan is not for a directory of manifests. */
  readonly scope?: PlanScope;
  /** Absent if the plan is not for a shard. */
  readonly shard?: PlanShard;
  /** The URL of DataHub's web interface, without a trailing slash; absent if the settings do not contain it. */
  readonly links?: string;
  /** The owners of the changed entities; absent if there are none, or if the settings map no user or group to GitHub. */
  readonly owners?: readonly Urn[];
  /**
   * The changed settings. If any setting changed, every entity is planned, and the stricter of the old and new limits applies.
   */
  readonly settingsChanges?: readonly SettingChange[];
  /** The policies and waivers that changed since the merge base. */
  readonly policyChanges?: readonly SettingChange[];
}

const shard = { index: position, of: position } as const;

const shardRecord = record(shard);

/** One of several shards into which all entities are divided by their URNs. `index` is counted from 1. */
export type Shard = FromSchema<typeof shardRecord>;

/**
 * The schema for a shard. `inputs` is a hash of settings, options and uncommitted manifests; absent if the shard was cut from a
 * complete plan.
 */
export const shardSchema = record(shard, { inputs: sha256 });

/** The shard that a plan covers. */
export type PlanShard = FromSchema<typeof shardSchema>;

/** Returns the schema for the counts that guards need. */
export function guardCountsSchema(facet: JsonObject) {
  return record(
    {},
    {
      // The number of live values, keyed by facet, for facets with removals.
      existing: { type: "object", propertyNames: facet, additionalProperties: count },
      // The entities that base declares but the manifests do not. `of` is the number of entities that base declares.
      vanished: record({ urns: list(urn), of: count }),
    },
  );
}

/**
 * The counts that guards need in addition to the changes. They allow guards to recheck a saved plan. An absent count is zero.
 * Guards do not check individual shards, so a shard contains the counts for every facet of its entities.
 */
export type GuardCounts = FromSchema<ReturnType<typeof guardCountsSchema>>;

const setting = { key: text, before: textOrNull, after: textOrNull } as const;

/** The schema for a changed setting. */
export const settingChangeSchema = record(setting);

/** The schema for a changed policy or waiver. `loosens` is set if more entities may pass than before. */
export const policyChangeSchema = record(setting, { loosens: { const: true } });

/**
 * A setting, policy or waiver that changed since an earlier commit. `before` is `null` if it was added, and `after` if it was
 * removed.
 */
export type SettingChange = FromSchema<typeof policyChangeSchema>;

/** Display names, keyed by URN. */
export type Names = Readonly<Record<string, string>>;

/** The changes in a plan. */
export interface PlannedChanges {
  readonly changes: readonly Change[];
}

/** The changes in a plan, and how to write them. */
export interface PlannedWrites extends PlannedChanges, WriteWay {}

/** The catalog values that a plan shows, both changed and unmanaged. */
export interface ShownValues extends PlannedChanges {
  readonly unmanaged: readonly Unmanaged[];
}

/** The effects of rules in a plan. */
export interface CountedRules {
  /** All rules, sorted by id; absent if there are none. */
  readonly rules?: readonly RuleCount[];
}

/** The problems in a plan. */
export interface PlanProblems {
  readonly problems?: readonly PlanProblem[];
}

/** The changes in a plan, with the findings of guards and the results of policies. */
interface JudgedChanges extends PlannedChanges {
  /** The guard limits that differ from their defaults. */
  readonly limits: LimitsByGuard;
  readonly findings: readonly Finding[];
  /** All policies, sorted by id; absent if there are none. */
  readonly policies?: readonly PolicyCount[];
}

/** The fields of a plan that the digest covers. */
export interface SealedPlan extends JudgedChanges {
  readonly formatVersion: "1";
  readonly target: string;
}

/** The changes in a plan, with all counts and decisions about them. */
export interface CountedChanges extends JudgedChanges, ShownValues, CountedRules {
  readonly summary: Summary;
  /** Violations that would have stopped the plan under the policies in the merge base, but do not under the current policies. */
  readonly noLongerStopped?: readonly LiftedViolation[];
  /** Whether the violations in `noLongerStopped` stop the plan, according to the settings in the merge base. */
  readonly strictPolicies?: true;
}

/** A plan as data that can be printed, stored and applied. `schemas/plan.schema.json` describes its JSON format. */
export interface Plan extends PlanHeader, SealedPlan, CountedChanges, PlanProblems {
  readonly counts?: GuardCounts;
  readonly digest: string;
  /** Display names for the URNs in the plan, if they are known and different from the ids. The digest does not cover them. */
  readonly names?: Names;
}

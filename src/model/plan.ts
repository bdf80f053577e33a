/** Defines a plan: the changes that an apply would make, with findings, counts and scope. */

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

/** An unmanaged value or entity, which the plan keeps. */
export type Unmanaged = UnmanagedValue | UnmanagedEntity;

/** A guard's finding. Severity `error` blocks the plan. `flag` and `setting` change the limit, if the guard has one. */
export interface Finding {
  /** The guard's name, or `missing`, `policy` or `fight`. */
  readonly guard: string;
  readonly severity: "warning" | "error";
  readonly facet?: string;
  /** The rule's id, if the finding concerns one. */
  readonly rule?: string;
  readonly numbers: Readonly<Record<string, number>>;
  readonly flag: string;
  readonly setting: string;
  /** The writer that changes values back, in a finding about fights. */
  readonly opponent?: Opponent;
  /** The changes that the finding concerns. */
  readonly changes: readonly (Partial<Place> & { readonly urn: Urn })[];
}

const policyTotals = record(fields(count, "introduced", "fixed", "existing", "waived", "unknown"));

/** The total verdicts of all policies, except passes. */
export type PolicyTotals = FromSchema<typeof policyTotals>;

/** The schema of the counts. Older plans have no `heldBack`. */
export const summarySchema = record(
  {
    ...fields(count, "create", "update", "delete"),
    unchanged: described(
      count,
      "Declared entities without changes. This excludes entities whose changes are all held back.",
    ),
    ...fields(count, "additions", "replacements", "removals", "unmanaged", "conflicts", "blocked"),
  },
  {
    // The policies' verdicts on the planned changes; absent without policies.
    policies: policyTotals,
    heldBack: described(
      count,
      "Changes that `apply` does not write, or writes only in part, because of conflicts, fights or ignore rules. `conflicts` is the only other count that includes them.",
    ),
  },
);

/**
 * Counts of what an apply does. `create`, `update`, `delete` and `unchanged` count entities. `additions`,
 * `replacements` and `removals` count values: members of sets, and single values. A deleted entity's values
 * are not counted. Only `heldBack` counts values that are not written for now.
 */
export interface Summary extends FromSchema<typeof summarySchema> {
  readonly heldBack: number;
}

/** Counts of changed values: members of sets, and single values. A deleted entity's values are not counted. */
export interface ValueCounts {
  readonly additions: number;
  readonly replacements: number;
  readonly removals: number;
}

/** The schema of the Git state. */
export const gitSchema = record({ commit: textOrNull, dirty: { type: "boolean" }, base: textOrNull });

/** The manifests' commit, if they are in a Git repository. */
export type GitState = FromSchema<typeof gitSchema>;

/** The tool and the commit that made a plan, and how to write the plan's assignments. */
export interface PlanOrigin extends WriteWay {
  readonly tool: string;
  readonly git: GitState;
}

interface WriteWay {
  /** How to write assignments; absent for mutations. */
  readonly writes?: "conditional";
}

/** The plan fields that are known before the comparison. `createdAt` is an ISO 8601 instant. */
export interface PlanHeader extends PlanOrigin {
  readonly createdAt: string;
  readonly target: string;
  /** Absent if the plan is not for a directory of manifests. */
  readonly scope?: PlanScope;
  /** Absent if the plan is not for a shard. */
  readonly shard?: PlanShard;
  /** The address of DataHub's web interface, without a trailing slash; absent if the settings name none. */
  readonly links?: string;
  /** The changed entities' owners; absent without owners, and if the settings name no user or group on GitHub. */
  readonly owners?: readonly Urn[];
}

const shard = { index: position, of: position } as const;

const shardRecord = record(shard);

/** One shard from a division of all entities by their URNs. `index` counts from 1. */
export type Shard = FromSchema<typeof shardRecord>;

/** Schema for a shard. `inputs` hashes settings, options and uncommitted manifests; absent if cut from a complete plan. */
export const shardSchema = record(shard, { inputs: sha256 });

/** A plan's shard. */
export type PlanShard = FromSchema<typeof shardSchema>;

/** Returns the schema of the counts for guards. */
export function guardCountsSchema(facet: JsonObject) {
  return record(
    {},
    {
      // The number of live values, by facet, for facets with removals.
      existing: { type: "object", propertyNames: facet, additionalProperties: count },
      // The entities that base declares and the repository does not, and the number of entities that base declares.
      vanished: record({ urns: list(urn), of: count }),
    },
  );
}

/**
 * The counts that guards need in addition to the changes, so that they can check a saved plan again. An
 * absent count is zero. Guards do not check a shard, which counts every facet for its entities.
 */
export type GuardCounts = FromSchema<ReturnType<typeof guardCountsSchema>>;

const setting = { key: text, before: textOrNull, after: textOrNull } as const;

/** Schema for a changed setting. */
export const settingChangeSchema = record(setting);

/** Schema for a changed policy or waiver. `loosens`: more entities may pass than before. */
export const policyChangeSchema = record(setting, { loosens: { const: true } });

/** A setting, policy or waiver that differs from an earlier commit; `null` in the version that does not have it. */
export type SettingChange = FromSchema<typeof policyChangeSchema>;

/** Display names by URN. */
export type Names = Readonly<Record<string, string>>;

/** A plan's changes. */
export interface PlannedChanges {
  readonly changes: readonly Change[];
}

/** A plan's changes, and how to write them. */
export interface PlannedWrites extends PlannedChanges, WriteWay {}

/** The catalog values that a plan shows, both changed and unmanaged ones. */
export interface ShownValues extends PlannedChanges {
  readonly unmanaged: readonly Unmanaged[];
}

/** The rules' effects in a plan. */
export interface CountedRules {
  /** Every rule, sorted by id; absent if there are none. */
  readonly rules?: readonly RuleCount[];
}

/** A plan's problems. */
export interface PlanProblems {
  readonly problems?: readonly PlanProblem[];
}

/** A plan's changes, with the verdicts of guards and policies. */
interface JudgedChanges extends PlannedChanges {
  /** The guard limits that differ from their defaults. */
  readonly limits: LimitsByGuard;
  readonly findings: readonly Finding[];
  /** Every policy, sorted by id; absent if there are none. */
  readonly policies?: readonly PolicyCount[];
}

/** The plan fields that the digest covers. */
export interface SealedPlan extends JudgedChanges {
  readonly formatVersion: "1";
  readonly target: string;
}

/** A plan's changes, and everything that was counted and decided about them. */
export interface CountedChanges extends JudgedChanges, ShownValues, CountedRules {
  readonly summary: Summary;
  /** Violations that the merge base's policies would have stopped, and the current policies do not. */
  readonly noLongerStopped?: readonly LiftedViolation[];
  /** Whether such violations stop the plan, according to the merge base's settings. */
  readonly strictPolicies?: true;
}

/** A plan as data, which can be printed, stored and applied. `schemas/plan.schema.json` describes its JSON. */
export interface Plan extends PlanHeader, SealedPlan, CountedChanges, PlanProblems {
  readonly counts?: GuardCounts;
  readonly digest: string;
  /** The changed settings. If any changed, every entity is planned, and the stricter of the old and new limits apply. */
  readonly settingsChanges?: readonly SettingChange[];
  /** The policies and waivers that changed since the merge base. */
  readonly policyChanges?: readonly SettingChange[];
  /** Display names for the plan's URNs, if known and different from the ids. The digest does not cover them. */
  readonly names?: Names;
}

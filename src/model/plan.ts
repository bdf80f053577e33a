/** A plan: the changes that an apply would make, with findings, counts and the scope. */

import type { LiftedViolation, PolicyCount } from "./catalog-policy.ts";
import {
  count,
  described,
  fields,
  keys,
  list,
  position,
  record,
  scalar,
  sha256,
  text,
  textOrNull,
  urn,
} from "./schema-parts.ts";
import type { FromSchema, SchemaOf } from "./schema-type.ts";
import type { Change, Opponent, ValuePlace, Written } from "./change.ts";
import type { JsonObject } from "./json.ts";
import type { Place } from "./place.ts";
import type { LimitsByGuard } from "./settings.ts";
import type { PlanProblem } from "./problem.ts";
import type { KindName, Member, Scalar } from "./state.ts";
import type { Urn } from "./urn.ts";

/** A live value that the tool does not manage and keeps. */
export interface UnmanagedValue extends ValuePlace, Written {
  readonly value: Member | Scalar;
  readonly reason: "other-writer" | "ingested" | "external" | "no-longer-declared" | "not-expressible";
}

/** A live definition that was declared before and is kept. */
interface UnmanagedEntity extends Written {
  readonly urn: Urn;
  readonly kind: KindName;
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

const policyTotals = record(fields(count, "introduced", "fixed", "existing", "waived", "unknown"));

/** The verdicts of all policies together, except passes. */
export type PolicyTotals = FromSchema<typeof policyTotals>;

/** The schema of the counts. Older plans have no `heldBack`. */
export const summarySchema = record(
  {
    ...fields(count, "create", "update", "delete"),
    unchanged: described(
      count,
      "Declared entities without a change. An entity whose only changes are held back is not one of them.",
    ),
    ...fields(count, "additions", "replacements", "removals", "unmanaged", "conflicts", "blocked"),
  },
  {
    // Verdicts of policies on the planned changes; absent without policies.
    policies: policyTotals,
    heldBack: described(
      count,
      "Changes that an apply does not carry out, or not in full, because conflicts hold them back, because others set their values back, or because an ignore rule keeps what they would move. What is held back is in no other count but `conflicts`.",
    ),
  },
);

/**
 * Counts of the effects of an apply. `create`, `update`, `delete` and `unchanged` count entities. `additions`, `replacements` and
 * `removals` count values: members of sets, and single values. The values of a deleted entity are not counted. Only `heldBack`
 * counts values that are not written for now.
 */
export interface Summary extends FromSchema<typeof summarySchema> {
  readonly heldBack: number;
}

/** The schema of the Git state. */
export const gitSchema = record({ commit: textOrNull, dirty: { type: "boolean" }, base: textOrNull });

/** The commit of the manifests, if they are in a git repository. */
export type GitState = FromSchema<typeof gitSchema>;

/** The part of a plan that is known before the comparison. `createdAt` is an ISO 8601 instant. */
export interface PlanHeader {
  readonly tool: string;
  readonly createdAt: string;
  readonly target: string;
  readonly git: GitState;
  /** Absent if the plan is not for a directory of manifests. */
  readonly scope?: PlanScope;
  /** The way to write assignments; absent for mutations. */
  readonly writes?: "conditional";
  /** Absent if the plan is not for a shard. */
  readonly shard?: PlanShard;
  /** The address of DataHub's web interface, without a slash at its end; absent if the settings name none. */
  readonly links?: string;
  /** The owners of the changed entities; absent without any, and if the settings name no user or group on GitHub. */
  readonly owners?: readonly Urn[];
}

const shard = { index: position, of: position } as const;

const shardRecord = record(shard);

/** One part of a division of all entities by their URNs. `index` counts from 1. */
export type Shard = FromSchema<typeof shardRecord>;

/** The schema of a shard. `inputs` is a hash of settings, options and uncommitted manifests; absent if a complete plan was cut. */
export const shardSchema = record(shard, { inputs: sha256 });

/** The shard of a plan. */
export type PlanShard = FromSchema<typeof shardSchema>;

/** The schema of the counts for guards. */
export function guardCountsSchema(facet: JsonObject) {
  return record(
    {},
    {
      // The number of live values, by facet, for facets with removals.
      existing: { type: "object", propertyNames: facet, additionalProperties: count },
      // Entities that base declares and the repository does not, and the number of entities that base declares.
      vanished: record({ urns: list(urn), of: count }),
    },
  );
}

/**
 * The counts that guards need in addition to the changes, so that they can judge a saved plan again. An absent count is zero.
 * Guards do not judge a shard, which counts every facet of its entities.
 */
export type GuardCounts = FromSchema<ReturnType<typeof guardCountsSchema>>;

/**
 * A value that a prune cannot remove, on a soft-deleted asset or on a column that left the schema. Without `value`, the asset could
 * not be read.
 */
export interface DormantValue extends Partial<Place> {
  readonly urn: Urn;
  readonly value?: Member | Scalar;
}

/** The schema of a scope, from that of a dormant value. */
export function scopeSchema<const Dormant extends JsonObject>(kind: SchemaOf<KindName>, dormant: Dormant) {
  return record(
    // Relative to the working directory, with `/`.
    { directory: text },
    {
      ...fields(text, "environment", "ref"),
      targets: list(text),
      excluded: list(text),
      kinds: list(kind),
      platforms: list(text),
      domains: list(urn),
      // Ids of rules.
      rules: list(text),
      changedSince: text,
      // Entities and values that a prune would remove, but that the plan keeps in the catalog: `values` counts those of entities
      // that are kept, and `away` are those that soft-deleted assets, and columns that left the schema, bring back when they return.
      left: record({ entities: list(urn), values: count }, { away: list(dormant) }),
    },
  );
}

/** The scope of a plan: its directory, environment, base ref, and selection. */
export type PlanScope = FromSchema<ReturnType<typeof scopeSchema<SchemaOf<DormantValue>>>>;

/** Entities and values that were declared before, are no longer declared, and are kept. */
export type Leftovers = NonNullable<PlanScope["left"]>;

const setting = { key: text, before: textOrNull, after: textOrNull } as const;

/** The schema of a changed setting. */
export const settingChangeSchema = record(setting);

/** The schema of a changed policy or waiver. `loosens`: more entities may pass than before. */
export const policyChangeSchema = record(setting, { loosens: { const: true } });

/** A setting, policy or waiver that differs from an earlier commit; `null` on the side that does not have it. */
export type SettingChange = FromSchema<typeof policyChangeSchema>;

function valueCountSchema(facet: SchemaOf<string>) {
  return record(
    // The value is an element of a set, or a single value; `null` if the rule declares an empty set or unsets the value.
    // `on` counts the assets that get it: for a facet of columns, those with a matching column. `new` counts the assets of these on
    // which the plan adds or sets it. `overruled` counts the assets with another value: from one of their documents, or from a rule
    // with a higher priority.
    { facet, value: scalar, ...fields(count, "on", "new", "overruled") },
    { path: described(keys, "The keys that lead from the facet to the value, but for a column.") },
  );
}

/** The number of planned assets on which a rule gives one value at a place; for columns, at that place below any column. */
export type ValueCount = FromSchema<ReturnType<typeof valueCountSchema>>;

/** The schema of the effect of a rule. */
export function ruleCountSchema(kind: SchemaOf<KindName>, facet: SchemaOf<string>) {
  return record(
    {
      id: text,
      // The kind of the assets.
      kind,
      // The assets that match in the complete catalog, without those whose documents leave the rule out; those that match in the
      // part; and those on which values of the rule change.
      ...fields(count, "matched", "matchedInPart", "changed"),
      // The declared values, in order; for columns, the values for any column.
      values: list(valueCountSchema(facet)),
    },
    // Assets that may match could not be read: then all numbers are lower limits.
    { incomplete: { const: true } },
  );
}

/** The effect of a rule in a plan. All numbers except `matched` count planned assets, which may be a part of the catalog. */
export type RuleCount = FromSchema<ReturnType<typeof ruleCountSchema>>;

/** Display names by URN. */
export type Names = Readonly<Record<string, string>>;

/** A plan as data, to be printed, stored and applied. Its JSON form is `schemas/plan.schema.json`. */
export interface Plan extends PlanHeader {
  readonly formatVersion: "1";
  /** The limits of the guards that differ from their defaults. */
  readonly limits: LimitsByGuard;
  readonly counts?: GuardCounts;
  readonly digest: string;
  readonly summary: Summary;
  /** Every rule, sorted by id; absent if there are none. */
  readonly rules?: readonly RuleCount[];
  /** Every policy, sorted by id; absent if there are none. */
  readonly policies?: readonly PolicyCount[];
  readonly changes: readonly Change[];
  readonly findings: readonly Finding[];
  readonly unmanaged: readonly Unmanaged[];
  readonly problems?: readonly PlanProblem[];
  /** The changed settings. If any changed, every entity is planned, and the stricter of the old and new limits apply. */
  readonly settingsChanges?: readonly SettingChange[];
  /** The policies and waivers that changed since the merge base. */
  readonly policyChanges?: readonly SettingChange[];
  /** Violations that the policies of the merge base would have stopped, and the current policies do not. */
  readonly noLongerStopped?: readonly LiftedViolation[];
  /** Whether such violations stop the plan, by the settings of the merge base. */
  readonly strictPolicies?: true;
  /** The display names of the URNs in the plan that differ from the ids, if known. They are not part of the digest. */
  readonly names?: Names;
}

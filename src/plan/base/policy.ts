/** Lists the settings and history that a plan depends on, in addition to manifests and catalog. */

import type { Shard } from "../../model/plan.ts";
import type { LimitsByGuard, Modes } from "../../model/settings.ts";
import { type Ignored, nothingIgnored } from "./ignore.ts";
import type { WrittenSince } from "./written-since.ts";
import type { State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { Conflict } from "../../model/change.ts";

/** The modes of the facets, and the ignored entities and values. */
export interface Management {
  readonly modes: Modes;
  readonly ignored: Ignored;
}

/** The declarations of earlier commits. */
export interface EarlierDeclarations {
  /** Everything declared by the last applied commit or a later one; `undefined` if unknown. */
  readonly base?: State | undefined;
  /** The declarations of the last applied commit, if `base` has more. A guard counts the entities that disappeared since. */
  readonly applied?: State | undefined;
  /** The declarations of the last applied commit, if HEAD's history does not contain it. An apply reverts them. */
  readonly ahead?: State | undefined;
}

/** The part of the catalog that is planned. */
export interface PlannedPart {
  /** The selected entities, by default all. A partial plan decides on the basis of everything, and shows less. */
  readonly part?: ReadonlySet<Urn> | undefined;
  /** The selected shard, if `part` is one. A shard adds no dependencies of its changes. */
  readonly shard?: Shard | undefined;
}

/** The kinds and values that a prune removes. */
export interface PruneRules {
  /** The kinds that are pruned: undeclared entities are deleted. */
  readonly prune?: ReadonlySet<string>;
  /** Whether a prune also removes the values that only `base` declares. */
  readonly pruneAssignments?: boolean;
}

/** The rule for missing entities, and the limits of the guards. */
export interface Refusals {
  readonly missing: MissingRule;
  readonly limits: LimitsByGuard;
}

/** The treatment of differences: conflicts, fights, and drift. */
export interface DifferenceRules {
  /** Which value wins a conflict. Without it the live value stays, and the plan reports the conflict. */
  readonly onConflict?: OnConflict;
  /** When to hold back values that others keep changing back; by default never. */
  readonly fights?: FightRules | undefined;
  /** The values that applies wrote since the last applied commit. They count as applied. */
  readonly written?: WrittenSince | undefined;
  /** Whether each change gets its class of drift. */
  readonly classifyDrift?: boolean;
  /** Whether a pattern of columns without a match is a problem. */
  readonly isStrict?: boolean;
}

/** The settings and history of one plan. */
export interface Policy
  extends Management, EarlierDeclarations, PlannedPart, PruneRules, Refusals, DifferenceRules {}

/** The defaults: manifests are authoritative, the history is unknown, guards have their default limits. */
export const defaultPolicy: Policy = {
  modes: {},
  ignored: nothingIgnored,
  missing: "error",
  limits: {},
};

/** The same policy without deletions. */
export function withoutPrune({ prune: _, pruneAssignments: _values, ...policy }: Policy): Policy {
  return policy;
}

/** The number of writes that make a fight, the time within which they count, and the time of the plan. */
export interface FightTimes {
  readonly times: number;
  readonly within: number;
  readonly now: number;
}

/** The settings and history that decide about fights. Times are in milliseconds. */
export interface FightRules extends FightTimes {
  /** All writes of the last `spans` times `within`, in the order of time. */
  readonly writes: readonly PastWrite[];
  /** The last applied commit. */
  readonly base: string | null;
}

/** One value that is written. */
export interface WrittenValue {
  /** The entity, the place and, for a set, the element. */
  readonly key: string;
  /** The declared value, or for a set whether the element is in it. */
  readonly declared: string;
  /** Whether the last applied commit declared the same value: the write then reverts a change of others. */
  readonly reverts: boolean;
}

/** A write of one value by an earlier apply. */
export interface PastWrite extends WrittenValue {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** The last applied commit at that time. */
  readonly base: string | null;
}

/** The treatment of declared assets and columns that are missing: refuse the plan, or skip them. */
export type MissingRule = "error" | "skip";

/** Which side wins a conflict between a live and a declared value. */
export type OnConflict = NonNullable<Conflict["winner"]>;

/** Defines the settings and history that a plan depends on, in addition to the manifests and the catalog. */

import type { Shard } from "../../model/plan.ts";
import type { LimitsByGuard, Modes } from "../../model/settings.ts";
import { type Ignored, nothingIgnored } from "./ignore.ts";
import type { WrittenSince } from "./written-since.ts";
import type { State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { Conflict } from "../../model/change.ts";

/** The facet modes, and the ignored entities and values. */
export interface Management {
  readonly modes: Modes;
  readonly ignored: Ignored;
}

/** The declarations at earlier commits. */
export interface EarlierDeclarations {
  /** Everything that the last applied commit or a later commit declares. `undefined` if unknown. */
  readonly base?: State | undefined;
  /**
   * The declarations at the last applied commit, if `base` contains additional declarations. A guard counts the entities that
   * disappeared after this commit.
   */
  readonly applied?: State | undefined;
  /** The declarations at the last applied commit, if HEAD's history does not contain that commit. An apply would revert them. */
  readonly ahead?: State | undefined;
}

/** The selected entities of a plan. */
export interface PlannedPart {
  /**
   * The selected entities. By default, all entities are selected. A partial plan is computed from the full state but contains
   * only this selection.
   */
  readonly part?: ReadonlySet<Urn> | undefined;
  /** The selected shard, if `part` is a shard. A shard does not include the entities that its changes depend on. */
  readonly shard?: Shard | undefined;
}

/** The kinds and values that a prune removes. */
export interface PruneRules {
  /** The kinds whose undeclared entities a prune deletes. */
  readonly prune?: ReadonlySet<string>;
  /** Whether a prune also removes values that only `base` declares. */
  readonly pruneAssignments?: boolean;
}

/** The treatment of missing entities, and the limits of the guards. */
export interface Refusals {
  readonly missing: MissingRule;
  readonly limits: LimitsByGuard;
}

/** The treatment of differences: conflicts, fights and drift. */
export interface DifferenceRules {
  /** The side whose value wins a conflict. If it is not set, the live value is kept and the plan reports the conflict. */
  readonly onConflict?: OnConflict;
  /** When to hold back values that other writers repeatedly revert. By default, values are never held back. */
  readonly fights?: FightRules | undefined;
  /** The values that apply runs wrote after the last applied commit. They count as applied. */
  readonly written?: WrittenSince | undefined;
  /** Whether each change is assigned a drift class. */
  readonly classifyDrift?: boolean;
  /** Whether a column pattern that matches no column is a problem. */
  readonly isStrict?: boolean;
}

/** The settings and history of one plan. */
export interface Policy
  extends Management, EarlierDeclarations, PlannedPart, PruneRules, Refusals, DifferenceRules {}

/** The default policy: authoritative manifests, unknown history and default guard limits. */
export const defaultPolicy: Policy = {
  modes: {},
  ignored: nothingIgnored,
  missing: "error",
  limits: {},
};

/** Returns the policy without its prune settings. */
export function withoutPrune({ prune: _, pruneAssignments: _values, ...policy }: Policy): Policy {
  return policy;
}

/** The number of writes that count as a fight, the period in which they are counted, and the time of the plan. */
export interface FightTimes {
  readonly times: number;
  readonly within: number;
  readonly now: number;
}

/** The settings and history that determine fights. Times are in milliseconds. */
export interface FightRules extends FightTimes {
  /** All writes in the last `maxSpans` periods of length `within`, oldest first. */
  readonly writes: readonly PastWrite[];
  /** The last applied commit. */
  readonly base: string | null;
}

/** A written value, as recorded for detecting fights. */
export interface WrittenValue {
  /** The entity, the place and (for a set) the element, as a string. */
  readonly key: string;
  /** The declared value as canonical JSON. For an element of a set, `add` or `remove`. */
  readonly declared: string;
  /** Whether the last applied commit declared the same value. If so, the write reverts someone else's change. */
  readonly reverts: boolean;
}

/** A write of one value by an earlier apply. */
export interface PastWrite extends WrittenValue {
  /** The time of the write, in milliseconds since 1970. */
  readonly at: number;
  /** The last applied commit at the time of the write. */
  readonly base: string | null;
}

/** How to treat missing assets and columns that manifests declare: refuse the plan, or skip them. */
export type MissingRule = "error" | "skip";

/** The winner of a conflict between a live and a declared value. */
export type OnConflict = NonNullable<Conflict["winner"]>;

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
  /** The last applied commit's declarations, if `base` has more. A guard counts the entities that disappeared since then. */
  readonly applied?: State | undefined;
  /** The last applied commit's declarations, if HEAD's history does not contain it. An apply reverts them. */
  readonly ahead?: State | undefined;
}

/** Which entities are planned. */
export interface PlannedPart {
  /** The selected entities, by default all. A partial plan decides with full knowledge, but shows only this selection. */
  readonly part?: ReadonlySet<Urn> | undefined;
  /** The selected shard, if `part` is a shard. A shard does not add the entities that its changes depend on. */
  readonly shard?: Shard | undefined;
}

/** The kinds and values that a prune removes. */
export interface PruneRules {
  /** The kinds whose undeclared entities a prune deletes. */
  readonly prune?: ReadonlySet<string>;
  /** Whether a prune also removes the values that only `base` declares. */
  readonly pruneAssignments?: boolean;
}

/** The rule for missing entities, and the limits of the guards. */
export interface Refusals {
  readonly missing: MissingRule;
  readonly limits: LimitsByGuard;
}

/** How differences are treated: conflicts, fights, and drift. */
export interface DifferenceRules {
  /** Which value wins a conflict. Without it the live value stays, and the plan reports the conflict. */
  readonly onConflict?: OnConflict;
  /** When to hold back values that other writers keep changing back; by default never. */
  readonly fights?: FightRules | undefined;
  /** The values that applies wrote since the last applied commit. They count as applied. */
  readonly written?: WrittenSince | undefined;
  /** Whether each change gets its class of drift. */
  readonly classifyDrift?: boolean;
  /** Whether a column pattern without a match is a problem. */
  readonly isStrict?: boolean;
}

/** The settings and history of one plan. */
export interface Policy
  extends Management, EarlierDeclarations, PlannedPart, PruneRules, Refusals, DifferenceRules {}

/** The default policy: authoritative manifests, unknown history, and default guard limits. */
export const defaultPolicy: Policy = {
  modes: {},
  ignored: nothingIgnored,
  missing: "error",
  limits: {},
};

/** Returns the same policy without deletions. */
export function withoutPrune({ prune: _, pruneAssignments: _values, ...policy }: Policy): Policy {
  return policy;
}

/** The number of writes that count as a fight, the time in which they count, and the plan's time. */
export interface FightTimes {
  readonly times: number;
  readonly within: number;
  readonly now: number;
}

/** The settings and history that decide about fights. Times are in milliseconds. */
export interface FightRules extends FightTimes {
  /** All writes in the last `spans` times `within`, oldest first. */
  readonly writes: readonly PastWrite[];
  /** The last applied commit. */
  readonly base: string | null;
}

/** One value that is written. */
export interface WrittenValue {
  /** The entity, the place and, for a set, the element, as a text. */
  readonly key: string;
  /** The declared value, or for a set, whether it contains the element. */
  readonly declared: string;
  /** Whether the last applied commit declared the same value, so that the write reverts someone else's change. */
  readonly reverts: boolean;
}

/** A write of one value by an earlier apply. */
export interface PastWrite extends WrittenValue {
  /** The time, in milliseconds since 1970. */
  readonly at: number;
  /** The last applied commit at that time. */
  readonly base: string | null;
}

/** How missing declared assets and columns are treated: refuse the plan, or skip them. */
export type MissingRule = "error" | "skip";

/** The winner of a conflict between a live and a declared value. */
export type OnConflict = NonNullable<Conflict["winner"]>;

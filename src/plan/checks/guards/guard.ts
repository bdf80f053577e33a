/** Defines the interface of a guard, and the counting functions and texts that guards share. */

import type { Change } from "../../../model/change.ts";
import type { Finding, GuardCounts } from "../../../model/plan.ts";
import type { State } from "../../../model/state.ts";
import type { Urn } from "../../../model/urn.ts";
import type { Ignored } from "../../base/ignore.ts";

/** The complete input of a guard's check. */
export interface GuardInput {
  readonly changes: readonly Change[];
  readonly counts: GuardCounts;
}

/** The changes and states in which guards count values. */
export interface CountedState {
  readonly changes: readonly Change[];
  readonly desired: State;
  readonly live: State;
  /** The declarations of entities that a partial plan did not read. They are counted instead of live values. */
  readonly unread?: (() => State) | undefined;
  readonly ignored: Ignored;
  /** The number of live values in in-sync assets, keyed by facet. These assets are not in `live`. */
  readonly inSync?: Readonly<Record<string, number>> | undefined;
  /**
   * The entities that base declares but the manifests no longer declare, and the total number of entities that base declares.
   * Absent if there is no base.
   */
  readonly vanished?: { readonly urns: readonly Urn[]; readonly of: number } | undefined;
  /** Whether the plan is for one of several shards. If so, values are counted even if this shard does not remove any. */
  readonly isShard?: boolean;
}

/** A limit of a guard. */
export interface Limit {
  readonly default: number;
  readonly unit: "count" | "percent";
  /** The description of the limit in the settings schema. */
  readonly description: string;
}

/** A flag that overrides the limits of a guard for one command. */
export interface GuardFlag<Name extends string = string> {
  /** The flag's name, including the leading dashes. */
  readonly name: string;
  readonly argument: string;
  readonly description: string;
  /** The limit that the flag overrides if its value is a count, and the limit that it overrides if its value is a percentage. */
  readonly sets: { readonly count?: Name; readonly percent?: Name };
}

/** A guard with its flag, texts and documentation. It limits the removals or changes in one plan. */
export interface Guard<Name extends string = string, LimitName extends string = string> {
  /** The guard's key in settings, and its name in findings. */
  readonly name: Name;
  /** The description of the guard in the settings schema. */
  readonly description: string;
  readonly limits: Readonly<Record<LimitName, Limit>>;
  readonly flag: GuardFlag<LimitName>;
  /** Returns findings for exceeded limits. Stricter limits never produce fewer findings. */
  check(judged: GuardInput, limits: Readonly<Record<LimitName, number>>): readonly Finding[];
  /** Returns the message of a finding, without the options for allowing it. */
  text(finding: Finding): string;
}

/** Whether a part exceeds a percentage of the total. */
export function exceedsPercent(part: number, percent: number, total: number): boolean {
  return part * 100 > percent * total;
}

/** Returns a percentage with one decimal place. It is rounded up, so an exceeded limit never appears to be met. */
export function percentOf(part: number, total: number): number {
  return Math.ceil((part * 1000) / total) / 10;
}

/** Formats the limit in a finding, for example "12.5%, limit: 10%" or "limit: 20". */
export function limitText({ percent, max_percent, max_count }: Finding["numbers"]): string {
  return max_percent === undefined ? `limit: ${max_count}` : `${percent}%, limit: ${max_percent}%`;
}

/** Formats a number with its noun, for example "1 value" or "2 values". */
export function counted(number: number, one: string, more = `${one}s`): string {
  return `${number} ${number === 1 ? one : more}`;
}

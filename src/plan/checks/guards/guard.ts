/** Defines a guard's contract, and the counting functions and texts that guards share. */

import type { Change } from "../../../model/change.ts";
import type { Finding, GuardCounts } from "../../../model/plan.ts";
import type { State } from "../../../model/state.ts";
import type { Urn } from "../../../model/urn.ts";
import type { Ignored } from "../../base/ignore.ts";

/** A guard's complete input. */
export interface GuardInput {
  readonly changes: readonly Change[];
  readonly counts: GuardCounts;
}

/** The states in which guards count values. */
export interface CountedState {
  readonly changes: readonly Change[];
  readonly desired: State;
  readonly live: State;
  /** In a partial plan, the unread entities' declarations, which count instead of their live values. */
  readonly unread?: (() => State) | undefined;
  readonly ignored: Ignored;
  /** By facet, the number of live values of in-sync assets, which are not in `live`. */
  readonly inSync?: Readonly<Record<string, number>> | undefined;
  /** The entities that base declares and the repository does not, and the number that base declares; absent without a base. */
  readonly vanished?: { readonly urns: readonly Urn[]; readonly of: number } | undefined;
  /** Whether this is one of several shards: values are then counted even if this shard removes none. */
  readonly isShard?: boolean;
}

/** One of a guard's limits. */
export interface Limit {
  readonly default: number;
  readonly unit: "count" | "percent";
  /** The description in the schema of the settings. */
  readonly description: string;
}

/** The flag that overrides a guard's limits for one run. */
export interface GuardFlag<Name extends string = string> {
  /** The flag's name, including its dashes. */
  readonly name: string;
  readonly argument: string;
  readonly description: string;
  /** The limits that a number and a percentage set. */
  readonly sets: { readonly count?: Name; readonly percent?: Name };
}

/** A limit on one plan's removals or changes, with its flag, texts and documentation. */
export interface Guard<Name extends string = string, LimitName extends string = string> {
  /** The key in settings, and the name in findings. */
  readonly name: Name;
  /** The description in the schema of the settings. */
  readonly description: string;
  readonly limits: Readonly<Record<LimitName, Limit>>;
  readonly flag: GuardFlag<LimitName>;
  /** Returns findings for exceeded limits. Stricter limits never find less. */
  check(judged: GuardInput, limits: Readonly<Record<LimitName, number>>): readonly Finding[];
  /** Returns a finding's text, without the ways to allow it. */
  text(finding: Finding): string;
}

/** Whether a part is more than a percentage of the total. */
export function exceedsPercent(part: number, percent: number, total: number): boolean {
  return part * 100 > percent * total;
}

/** Returns a percentage with one decimal, rounded up, so that it never looks as small as the exceeded limit. */
export function percentOf(part: number, total: number): number {
  return Math.ceil((part * 1000) / total) / 10;
}

/** Formats a finding's limit, such as "12.5%, limit: 10%" or "limit: 20". */
export function limitText({ percent, max_percent, max_count }: Finding["numbers"]): string {
  return max_percent === undefined ? `limit: ${max_count}` : `${percent}%, limit: ${max_percent}%`;
}

/** Formats a number with its noun, such as "1 value" or "2 values". */
export function counted(number: number, one: string, more = `${one}s`): string {
  return `${number} ${number === 1 ? one : more}`;
}

import type { Change } from "../../../model/change.ts";
import type { Finding, GuardCounts } from "../../../model/plan.ts";
import type { State } from "../../../model/state.ts";
import type { Urn } from "../../../model/urn.ts";
import type { Ignored } from "../../adopt/ignore.ts";

/** What guards check: they need nothing else. */
export interface GuardInput {
  readonly changes: readonly Change[];
  readonly counts: GuardCounts;
}

/** The states in which the values for guards are counted. */
export interface CountedState {
  readonly changes: readonly Change[];
  readonly desired: State;
  readonly live: State;
  /** Where only a part was read, what is declared of the others, in place of their live values. */
  readonly unread?: (() => State) | undefined;
  readonly ignored: Ignored;
  /** By facet, the live values of what is not in `live`, because nothing of it changes. */
  readonly inSync?: Readonly<Record<string, number>> | undefined;
  /** Entities that base declares and the repository does not, and how many base declares; nothing without a base. */
  readonly vanished?: { readonly urns: readonly Urn[]; readonly of: number } | undefined;
  /** Whether others are judged with it, so that what nothing here removes must be counted as well. */
  readonly isShard?: boolean;
}

/** One number that a guard compares with. */
export interface Limit {
  readonly default: number;
  readonly unit: "count" | "percent";
  /** What it limits, for the schema of the settings. */
  readonly description: string;
}

/** The flag that lifts limits of a guard for one run. */
export interface GuardFlag<Name extends string = string> {
  /** With its dashes. */
  readonly name: string;
  readonly argument: string;
  readonly description: string;
  /** The limits that a number and a percentage set. */
  readonly sets: { readonly count?: Name; readonly percent?: Name };
}

/** A rule about how much one plan may take away, with all that others must know of it. */
export interface Guard<Name extends string = string, LimitName extends string = string> {
  /** Its key in the settings, and its name in findings. */
  readonly name: Name;
  /** What it limits, for the schema of the settings. */
  readonly description: string;
  readonly limits: Readonly<Record<LimitName, Limit>>;
  readonly flag: GuardFlag<LimitName>;
  /** What goes beyond the limits. Stricter limits never find less. */
  check(judged: GuardInput, limits: Readonly<Record<LimitName, number>>): readonly Finding[];
  /** What a finding says, without the ways to allow it. */
  text(finding: Finding): string;
}

/** Whether a part is more than so many per cent of all. */
export function isBeyond(part: number, percent: number, whole: number): boolean {
  return part * 100 > percent * whole;
}

/** A percentage with one decimal, rounded up, so that it never looks as small as the limit that it exceeds. */
export function percentOf(part: number, whole: number): number {
  return Math.ceil((part * 1000) / whole) / 10;
}

/** The change that a finding is about. */
export function placeOf({ urn, facet, path }: Change): Finding["changes"][number] {
  return { urn, ...(facet !== undefined && { facet }), ...(path && { path }) };
}

/** "12.5%, limit: 10%", or "limit: 20". */
export function limitText({ percent, max_percent, max_count }: Finding["numbers"]): string {
  return max_percent === undefined ? `limit: ${max_count}` : `${percent}%, limit: ${max_percent}%`;
}

/** "1 value", "2 values". */
export function counted(number: number, one: string, more = `${one}s`): string {
  return `${number} ${number === 1 ? one : more}`;
}

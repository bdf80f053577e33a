import { InvalidArgumentError } from "commander";
import type { Limits } from "../../model/policy.ts";

/** The limits given as flags. A flag that is absent changes nothing. */
export interface LimitOptions {
  readonly maxRemovals?: readonly Limit[];
  readonly maxDeletes?: number;
  readonly maxVanished?: number;
}

/** A number of values, or a percentage of the live values. */
export type Limit = { readonly count: number } | { readonly percent: number };

/** The limits of the settings, overridden by the flags. */
export function limitsWith(
  limits: Limits,
  { maxRemovals = [], maxDeletes, maxVanished }: LimitOptions,
): Limits {
  const removals = { ...limits.removals };
  for (const limit of maxRemovals) {
    if ("count" in limit) removals.max_count = limit.count;
    else removals.max_percent = limit.percent;
  }
  return {
    removals,
    deletes: { max_count: maxDeletes ?? limits.deletes.max_count },
    vanished: { ...limits.vanished, max_percent: maxVanished ?? limits.vanished.max_percent },
  };
}

/** Parses `20` or `50%`. The flag can be repeated. */
export function parseLimit(text: string, before: readonly Limit[] = []): readonly Limit[] {
  if (text.endsWith("%")) return [...before, { percent: parsePercent(text) }];
  if (isCount(text)) return [...before, { count: Number(text) }];
  throw new InvalidArgumentError(
    "Use a whole number, such as 20, or a percentage from 0% to 100%, such as 50%.",
  );
}

/** Parses a whole number. */
export function parseCount(text: string): number {
  if (!isCount(text)) throw new InvalidArgumentError("Use a whole number, such as 20.");
  return Number(text);
}

function isCount(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

/** Parses a percentage from 0% to 100%. */
export function parsePercent(text: string): number {
  if (!/^\d{1,3}%$/.test(text) || Number.parseInt(text, 10) > 100) {
    throw new InvalidArgumentError("Use a percentage from 0% to 100%, such as 50%.");
  }
  return Number.parseInt(text, 10);
}

/** The settings that the core needs: modes, ignore rules, limits, and the refs of runs. */

import type { Origin } from "./origin.ts";

/** The fate of live values that are not declared: kept, removed if Git declared them before, or removed. */
export type Mode = "additive" | "merge" | "authoritative";

/** Every mode, from the one that removes nothing to the one that removes everything undeclared. */
export const modes: readonly Mode[] = ["additive", "merge", "authoritative"];

/** Modes by facet; a facet without one has the mode of the next wider level, and finally `authoritative`. */
export type Modes = Readonly<Partial<Record<string, Mode>>>;

/**
 * Values that are never added, removed or reported, by patterns with `*`. Without facet and value, the rule covers the entity
 * itself.
 */
export interface IgnoreRule {
  readonly facet?: string;
  readonly value?: string;
  readonly urn?: string;
  readonly reason: string;
  /** Its place in the settings. */
  readonly origin?: Origin;
}

/** The tool only moves refs with this prefix. */
export const appliedRefs = "refs/datahub-gitops/";

/** The refs of runs: the newest ones, and earlier ones. */
export const runRefs = { newest: `${appliedRefs}runs`, earlier: `${appliedRefs}runs-before` } as const;

/** Whether a ref stores runs. Case is ignored, because refs have no case if file names have none. */
export function isRunRef(name: string): boolean {
  return Object.values(runRefs).some((ref) => ref === name.toLowerCase());
}

/** Whether runs are stored, and the minimum number to keep. */
export type RunRetention = false | { readonly keep?: number };

/** The number of runs to keep by default. */
export const defaultKeptRuns = 500;

/** How often a value is written against others within a time (such as `24h`) before it is held back for the same time. */
export interface FightLimits {
  readonly times?: number;
  readonly within?: string;
}

/** The default limits of fights. */
export const defaultFights = { times: 3, within: "24h" } as const satisfies FightLimits;

/** The limits for the removals of one plan, by guard and name. A plan above a limit is blocked. */
export type LimitsByGuard = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The pattern of the address of a web interface: no character can end a link, and nothing follows the path. */
export const webAddressPattern = "^https?://[^\\s/@?#<>\"'`\\\\]+(?:/[^\\s@?#<>\"'`\\\\]*)?$";

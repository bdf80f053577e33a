/** Defines the settings that the core needs: modes, ignore rules, limits, and the refs for runs. */

import type { Origin } from "./origin.ts";

/** How to treat live values that are not declared: keep them, remove them if Git declared them before, or always remove them. */
export type Mode = "additive" | "merge" | "authoritative";

/** Every mode, from the one that removes nothing to the one that removes everything undeclared. */
export const modes: readonly Mode[] = ["additive", "merge", "authoritative"];

/** Modes by facet. A facet without one has the next wider level's mode, and finally `authoritative`. */
export type Modes = Readonly<Partial<Record<string, Mode>>>;

/**
 * Values that are never added, removed or reported, given by patterns with `*`. Without facet and value, the
 * rule covers the entity itself.
 */
export interface IgnoreRule {
  readonly facet?: string;
  readonly value?: string;
  readonly urn?: string;
  readonly reason: string;
  /** The rule's position in the settings. */
  readonly origin?: Origin;
}

/** The prefix of the only refs that the tool moves. */
export const appliedRefs = "refs/datahub-gitops/";

/** The refs that store runs: the newest ones, and earlier ones. */
export const runRefs = { newest: `${appliedRefs}runs`, earlier: `${appliedRefs}runs-before` } as const;

/** Whether a ref stores runs. Ignores case, because refs ignore it if file names do. */
export function isRunRef(name: string): boolean {
  return Object.values(runRefs).some((ref) => ref === name.toLowerCase());
}

/** Whether to store runs, and the minimum number to keep. */
export type RunRetention = false | { readonly keep?: number };

/** The number of runs to keep by default. */
export const defaultKeptRuns = 500;

/** How often a value is written against other writers within a time (such as `24h`) before it is held back for the same time. */
export interface FightLimits {
  readonly times?: number;
  readonly within?: string;
}

/** The default limits for fights. */
export const defaultFights = { times: 3, within: "24h" } as const satisfies FightLimits;

/** The limits for one plan's removals, by guard and name. A plan above a limit is blocked. */
export type LimitsByGuard = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The pattern for a web interface's address: no character can end a link, and nothing follows the path. */
export const webAddressPattern = "^https?://[^\\s/@?#<>\"'`\\\\]+(?:/[^\\s@?#<>\"'`\\\\]*)?$";

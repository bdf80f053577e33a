/** Defines the settings that the core needs: modes, ignore rules, limits, fights, and how runs are stored. */

import type { Origin } from "./origin.ts";

/** How to treat undeclared live values: keep them, remove them if Git declared them before, or always remove them. */
export type Mode = "additive" | "merge" | "authoritative";

/** All modes, from the one that removes nothing to the one that removes every undeclared value. */
export const modes: readonly Mode[] = ["additive", "merge", "authoritative"];

/**
 * Modes, keyed by facet. The mode of an entity takes precedence over the mode in the settings. The default is `authoritative`.
 */
export type Modes = Readonly<Partial<Record<string, Mode>>>;

/**
 * Values that the tool never adds, removes or reports, selected by patterns with `*`. Without `facet` and `value`, the rule
 * covers the entire entity.
 */
export interface IgnoreRule {
  readonly facet?: string;
  readonly value?: string;
  readonly urn?: string;
  readonly reason: string;
  /** The position of the rule in the settings. */
  readonly origin?: Origin;
}

/** The tool moves only refs with this prefix. */
export const appliedRefs = "refs/datahub-gitops/";

/** The refs that store runs: one ref for the newest runs, and one for earlier runs. */
export const runRefs = { newest: `${appliedRefs}runs`, earlier: `${appliedRefs}runs-before` } as const;

/** Whether a ref stores runs. Ignores case, because refs are case-insensitive on case-insensitive file systems. */
export function isRunRef(name: string): boolean {
  return Object.values(runRefs).some((ref) => ref === name.toLowerCase());
}

/** The minimum number of runs to keep, or `false` to store no runs. */
export type RunRetention = false | { readonly keep?: number };

/** The number of runs to keep by default. */
export const defaultKeptRuns = 500;

/**
 * How many times within a period, such as `24h`, the tool may rewrite a value that others keep changing. After that, the value is
 * held back for the same period.
 */
export interface FightLimits {
  readonly times?: number;
  readonly within?: string;
}

/** The default limits for fights. */
export const defaultFights = { times: 3, within: "24h" } as const satisfies FightLimits;

/** The limits on a plan's removals, keyed by guard and then by limit name. A plan that exceeds a limit is blocked. */
export type LimitsByGuard = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * The pattern for the URL of a web interface. It excludes characters that could end a link, and allows nothing after the path.
 */
export const webAddressPattern = "^https?://[^\\s/@?#<>\"'`\\\\]+(?:/[^\\s@?#<>\"'`\\\\]*)?$";

import type { Origin } from "./origin.ts";

/** What happens to live values that are not declared: kept, removed where Git declared them before, or removed. */
export type Mode = "additive" | "merge" | "authoritative";

/** Every mode, from the one that removes nothing to the one that removes all that is not declared. */
export const modes: readonly Mode[] = ["additive", "merge", "authoritative"];

/** Modes by facet; a facet that is not named has the mode of the next wider rule, `authoritative` at last. */
export type Modes = Readonly<Partial<Record<string, Mode>>>;

/** Values that are never added, removed or reported, by patterns with `*`. Without facet and value it covers the entity itself. */
export interface IgnoreRule {
  readonly facet?: string;
  readonly value?: string;
  readonly urn?: string;
  readonly reason: string;
  /** Where the settings write it. */
  readonly origin?: Origin;
}

/** Only refs below this prefix are ever moved. */
export const appliedRefs = "refs/datahub-gitops/";

/** Where runs are kept: the newest ones, and those before them. */
export const runRefs = { newest: `${appliedRefs}runs`, earlier: `${appliedRefs}runs-before` } as const;

/** Whether a ref is one of runs. Where the names of files have no case, refs have none either. */
export function isRunRef(name: string): boolean {
  return Object.values(runRefs).some((ref) => ref === name.toLowerCase());
}

/** Whether runs are kept, and how many of them at least. */
export type KeptRuns = false | { readonly keep?: number };

/** How many runs are kept where the settings do not say it. */
export const defaultKeptRuns = 500;

/** How often a value is written against others, within how long (such as `24h`), until it is held back as long. */
export interface FightLimits {
  readonly times?: number;
  readonly within?: string;
}

/** The limits of fights where the settings do not say them. */
export const defaultFights = { times: 3, within: "24h" } as const satisfies FightLimits;

/** How much one plan may take away before it is blocked: by guard, each of its limits. */
export type LimitsByGuard = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** What the address of a web interface looks like: nothing in it can end a link, and nothing comes after the path. */
export const pagesPattern = "^https?://[^\\s/@?#<>\"'`\\\\]+(?:/[^\\s@?#<>\"'`\\\\]*)?$";

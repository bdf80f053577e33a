/** Derives a plan's policy from the settings and the options for one run. */

import type { Settings } from "../../manifests/settings/settings-content.ts";
import { ignoring } from "../../plan/base/ignore.ts";
import type { Limits } from "../../plan/checks/guards/index.ts";
import type {
  DifferenceRules,
  Management,
  MissingRule,
  OnConflict,
  PruneRules,
  Refusals,
} from "../../plan/base/policy.ts";

/** The policy without history and selection, which come from the manifests. */
export interface PolicyChoices extends Management, PruneRules, Refusals, DifferenceRules {}

/** One run's overrides. */
export interface PolicyOverrides {
  readonly limits?: Limits | undefined;
  readonly missing?: MissingRule | undefined;
  /** Which value wins a conflict. The default is `conflicts` in the settings. */
  readonly onConflict?: OnConflict | undefined;
  /**
   * Whether to delete entities that are no longer declared, of the kinds in the settings, and remove such values if the settings
   * allow it.
   */
  readonly prune?: boolean | undefined;
  /** Whether to give each change a `class` that says how the drift came about. */
  readonly classifyDrift?: boolean | undefined;
  /** Whether a column pattern without a match is a problem. */
  readonly isStrict?: boolean | undefined;
}

/** Returns the modes, ignore rules and limits in a repository's settings, with overrides. */
export function policyOf(settings: Settings, overrides: PolicyOverrides = {}): PolicyChoices {
  const { limits, missing, prune } = overrides;
  const onConflict = overrides.onConflict ?? (settings.conflicts === "skip" ? "live" : undefined);
  return {
    modes: settings.manage ?? {},
    ignored: ignoring(settings.ignore ?? []),
    ...(onConflict && { onConflict }),
    ...(prune === true && { prune: settings.prune.kinds }),
    ...(prune === true && settings.prune.assignments && { pruneAssignments: true }),
    missing: missing ?? settings.missing ?? "error",
    limits: limits ?? settings.limits,
    ...(overrides.classifyDrift === true && { classifyDrift: true }),
    ...(overrides.isStrict === true && { isStrict: true }),
  };
}

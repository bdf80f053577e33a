/** Derives a plan's policy from the settings, and from overrides for this plan only. */

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

/** The policy without history and selection, which are determined from the manifests. */
export interface PolicyChoices extends Management, PruneRules, Refusals, DifferenceRules {}

/** Overrides for a single plan. */
export interface PolicyOverrides {
  readonly limits?: Limits | undefined;
  readonly missing?: MissingRule | undefined;
  /** The value that wins a conflict. The default is `conflicts` in the settings. */
  readonly onConflict?: OnConflict | undefined;
  /**
   * Whether to delete entities that are no longer declared, if their kind is listed in the settings, and to remove values that
   * are no longer declared, if the settings allow it.
   */
  readonly prune?: boolean | undefined;
  /** Whether to add a `class` to each change. The class shows the cause of the drift. */
  readonly classifyDrift?: boolean | undefined;
  /** Whether a column pattern without a match is a problem. */
  readonly isStrict?: boolean | undefined;
}

/** Returns the modes, ignore rules and limits from a repository's settings, with overrides applied. */
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

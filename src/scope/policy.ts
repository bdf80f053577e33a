import type { Settings } from "../manifests/settings/settings-content.ts";
import { ignoring } from "../plan/adopt/ignore.ts";
import type { Limits } from "../plan/checks/guards/index.ts";
import type { MissingRule } from "../plan/checks/missing.ts";
import type { OnConflict } from "../plan/diff/provenance.ts";
import type { Policy } from "../plan/policy.ts";

/** All that decides about a plan but history and selection, which are read with the manifests. */
export type PolicyChoices = Omit<Policy, "base" | "applied" | "ahead" | "part" | "shard">;

/** The settings that one run overrides. */
export interface PolicyOverrides {
  readonly limits?: Limits | undefined;
  readonly missing?: MissingRule | undefined;
  /** Which value wins a conflict; without one it is as `conflicts` in the settings says. */
  readonly onConflict?: OnConflict | undefined;
  /** Whether what is no longer declared is deleted, of the kinds (and with values) that the settings name. */
  readonly prune?: boolean | undefined;
  /** Whether each change says how it came about: its `class`. */
  readonly classifyDrift?: boolean | undefined;
  /** Whether it is a problem that a pattern of columns matches none. */
  readonly isStrict?: boolean | undefined;
}

/** The policy of a repository's settings: modes, ignore rules, limits of the guards. */
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

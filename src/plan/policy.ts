import type { Modes } from "../model/settings.ts";
import { type Ignored, nothingIgnored } from "./adopt/ignore.ts";
import { defaultLimits, type Limits } from "./checks/guards/index.ts";
import type { MissingRule } from "./checks/missing.ts";
import type { OnConflict } from "./diff/provenance.ts";
import type { Base } from "./sides/base.ts";

/** Everything that decides about a plan beside what manifests declare and what the catalog holds. */
export interface Policy {
  readonly modes: Modes;
  readonly ignored: Ignored;
  /** What was declared before; `undefined` where that is not known. */
  readonly base?: Base | undefined;
  /** Which value wins a conflict; without one the live value stays, and the plan says that it is unresolved. */
  readonly onConflict?: OnConflict;
  /** The kinds whose entities are deleted when they are no longer declared. */
  readonly prune?: ReadonlySet<string>;
  /**
   * Whether a prune also takes away the values that only base declares: in facets, or in memberships too. The users of a
   * group can be declared outside of a part, so a plan of a part prunes no memberships.
   */
  readonly pruneAssignments?: "facets" | "all";
  readonly missing: MissingRule;
  readonly limits: Limits;
  /** Whether each change says how it came about. */
  readonly tellsDrift?: boolean;
}

/** The policy where nothing is set: the manifests are authoritative, the history is unknown, the guards have their defaults. */
export const defaultPolicy: Policy = {
  modes: {},
  ignored: nothingIgnored,
  missing: "error",
  limits: defaultLimits,
};

/** The same policy without deletions. */
export function withoutPrune({ prune: _, pruneAssignments: _values, ...policy }: Policy): Policy {
  return policy;
}

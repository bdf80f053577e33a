/** Lists the settings and history that a plan depends on, in addition to manifests and catalog. */

import type { Shard } from "../model/plan.ts";
import type { Modes } from "../model/settings.ts";
import { type Ignored, nothingIgnored } from "./adopt/ignore.ts";
import { defaultLimits, type Limits } from "./checks/guards/index.ts";
import type { MissingRule } from "./checks/missing.ts";
import type { FightRules } from "./fights.ts";
import type { WrittenSince } from "./written-since.ts";
import type { OnConflict } from "./diff/provenance.ts";
import type { State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";

/** The settings and history of one plan. */
export interface Policy {
  readonly modes: Modes;
  readonly ignored: Ignored;
  /** Everything declared by the last applied commit or a later one; `undefined` if unknown. */
  readonly base?: State | undefined;
  /** The declarations of the last applied commit, if `base` has more. A guard counts the entities that disappeared since. */
  readonly applied?: State | undefined;
  /** The declarations of the last applied commit, if HEAD's history does not contain it. An apply reverts them. */
  readonly ahead?: State | undefined;
  /** The selected entities, by default all. A partial plan decides on the basis of everything, and shows less. */
  readonly part?: ReadonlySet<Urn> | undefined;
  /** The selected shard, if `part` is one. A shard adds no dependencies of its changes. */
  readonly shard?: Shard | undefined;
  /** Which value wins a conflict. Without it the live value stays, and the plan reports the conflict. */
  readonly onConflict?: OnConflict;
  /** The kinds that are pruned: undeclared entities are deleted. */
  readonly prune?: ReadonlySet<string>;
  /** Whether a prune also removes the values that only `base` declares. */
  readonly pruneAssignments?: boolean;
  /** When to hold back values that others keep changing back; by default never. */
  readonly fights?: FightRules | undefined;
  /** The values that applies wrote since the last applied commit. They count as applied. */
  readonly written?: WrittenSince | undefined;
  readonly missing: MissingRule;
  readonly limits: Limits;
  /** Whether each change gets its class of drift. */
  readonly classifyDrift?: boolean;
  /** Whether a pattern of columns without a match is a problem. */
  readonly isStrict?: boolean;
}

/** The defaults: manifests are authoritative, the history is unknown, guards have their default limits. */
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

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

/** All that a plan depends on beside manifests and catalog. */
export interface Policy {
  readonly modes: Modes;
  readonly ignored: Ignored;
  /** All that was declared before, by the last applied commit or a later one; `undefined` where that is not known. */
  readonly base?: State | undefined;
  /** What the last applied commit itself declared, where that is not all of `base`: how much of it is gone is guarded. */
  readonly applied?: State | undefined;
  /** What the last applied commit declares, where HEAD does not have it in its history: an apply takes that back. */
  readonly ahead?: State | undefined;
  /** The entities that were selected; without it all are. A part is computed from everything: only what is shown is less. */
  readonly part?: ReadonlySet<Urn> | undefined;
  /** The shard that was selected, where `part` is one: then nothing is added that its changes need. */
  readonly shard?: Shard | undefined;
  /** Which value wins a conflict; without one the live value stays, and the plan says that it is unresolved. */
  readonly onConflict?: OnConflict;
  /** The kinds whose entities are deleted when they are no longer declared. */
  readonly prune?: ReadonlySet<string>;
  /** Whether a prune also takes away the values that only base declares. */
  readonly pruneAssignments?: boolean;
  /** What holds values back that others set back again and again; without it nothing does. */
  readonly fights?: FightRules | undefined;
  /** What applies wrote since the last applied commit: it counts as applied. Without it only commits tell that. */
  readonly written?: WrittenSince | undefined;
  readonly missing: MissingRule;
  readonly limits: Limits;
  /** Whether each change gets its class of drift. */
  readonly classifyDrift?: boolean;
  /** Whether it is a problem that a pattern of columns matches none. */
  readonly isStrict?: boolean;
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

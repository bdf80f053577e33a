import { defaultLimits, type Limits, type Modes } from "../model/policy.ts";
import type { KindName } from "../model/state.ts";
import type { Base } from "./sides/base.ts";
import { type Ignored, nothingIgnored } from "./adopt/ignore.ts";
import type { MissingRule } from "./checks/missing.ts";
import type { Winner } from "./diff/provenance.ts";

/** All that decides about a plan beside what is declared and what is there. */
export interface Policy {
  readonly modes: Modes;
  readonly ignored: Ignored;
  /** What was declared before; `undefined` where nobody knows. */
  readonly base?: Base | undefined;
  /** Who wins a conflict; without one the plan waits. */
  readonly winner?: Winner;
  /** The kinds of which is deleted what is no longer declared. */
  readonly prune?: ReadonlySet<KindName>;
  readonly missing: MissingRule;
  readonly limits: Limits;
}

/** What holds where nobody says otherwise: the manifests are the truth, and no history is known. */
export const defaultPolicy: Policy = {
  modes: {},
  ignored: nothingIgnored,
  missing: "error",
  limits: defaultLimits,
};

/** The same where nothing is deleted. */
export function withoutPrune({ prune: _, ...policy }: Policy): Policy {
  return policy;
}

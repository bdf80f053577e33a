import type { Live } from "../../src/model/live.ts";
import { type KnownEdges, noEdges } from "../../src/model/membership.ts";
import type { State } from "../../src/model/state.ts";
import { compareStates as compare, type Comparison } from "../../src/plan/compare.ts";
import type { Policy } from "../../src/plan/base/policy.ts";

/** Compares two states whose references are not checked. */
export function compareStates(
  declared: State,
  live: Live,
  policy: Policy,
  edges: KnownEdges = noEdges,
): Comparison {
  const catalog = { live, edges, existence: new Map() };
  return compare({ state: declared, references: [] }, catalog, policy);
}

import type { Change, Conflict } from "../../model/change.ts";
import type { Plan } from "../../model/plan.ts";
import type { Outcome } from "../../model/report.ts";
import type { Entity, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { operationsOf } from "../order/operations.ts";

/** Whether a change is skipped because of a conflict: the live value is somebody else's, and stays. */
export function isInConflict(change: Change): boolean {
  const conflict = conflictOf(change);
  return conflict !== undefined && conflict.winner !== "desired";
}

/** Whether a plan has a conflict without a winner. */
export function hasOpenConflict({ changes }: Pick<Plan, "changes">): boolean {
  return changes.some((change) => isInConflict(change) && conflictOf(change)?.winner === undefined);
}

/** The changes to carry out, and those skipped because of a conflict. */
export function partitionConflicts({
  changes,
}: Pick<Plan, "changes">): Readonly<Record<"pending" | "skipped", readonly Change[]>> {
  return {
    pending: changes.filter((change) => !isInConflict(change)),
    skipped: changes.filter(isInConflict),
  };
}

/** The outcomes of changes that were skipped because of a conflict. */
export function skippedOutcomes(skipped: Pick<Plan, "changes" | "writes">): readonly Outcome[] {
  return operationsOf(skipped).map((operation) => ({
    status: "skipped",
    operation: { ...operation, id: `held-${operation.id}` },
    because: operation.changes.some((change) => conflictOf(change)?.winner === undefined)
      ? "conflict: the live value is kept until it is declared or --force-conflicts overwrites it"
      : "conflict: the live value is kept (--skip-conflicts, or `conflicts: skip` in the settings)",
  }));
}

/** The state that the skipped changes leave: their single values stay as they are. */
export function withLiveValues(adopted: State, skipped: readonly Change[]): State {
  const state = new Map<Urn, Entity>(adopted);
  for (const change of skipped) {
    const conflict = conflictOf(change);
    const entity = state.get(change.urn);
    const value = change.facet === undefined ? undefined : entity?.facets.get(change.facet);
    if (!conflict || !entity || value?.shape !== "scalar" || change.facet === undefined) continue;
    const facets = new Map([...entity.facets, [change.facet, { ...value, value: conflict.live }]]);
    state.set(change.urn, { ...entity, facets });
  }
  return state;
}

/** The conflict of a change, where it has one. */
export function conflictOf(change: Change): Conflict | undefined {
  return change.shape === "scalar" ? change.conflict : undefined;
}

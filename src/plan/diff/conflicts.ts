import type { Change, Conflict } from "../../model/change.ts";
import type { Plan } from "../../model/plan.ts";
import type { Outcome } from "../../model/report.ts";
import type { Entity, State } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { operationsOf } from "../order/operations.ts";

/** Whether the live value of a change is somebody else's, and the change does not overwrite it. */
export function isInConflict(change: Change): boolean {
  const conflict = conflictOf(change);
  return conflict !== undefined && conflict.winner !== "desired";
}

/** Whether a plan has a conflict that is not resolved. */
export function hasOpenConflict({ changes }: Pick<Plan, "changes">): boolean {
  return changes.some((change) => isInConflict(change) && !isSkipped(change));
}

/** The changes to carry out, and those that a conflict holds back because the live value wins. */
export function partitionConflicts({
  changes,
}: Pick<Plan, "changes">): Readonly<Record<"pending" | "skipped", readonly Change[]>> {
  return {
    pending: changes.filter((change) => !isSkipped(change)),
    skipped: changes.filter(isSkipped),
  };
}

/** What the report says of changes that a conflict holds back. */
export function skippedOutcomes(skipped: readonly Change[]): readonly Outcome[] {
  return operationsOf({ changes: skipped }).map((operation) => ({
    status: "skipped",
    operation: { ...operation, id: `held-${operation.id}` },
    because: "conflict: the live value is kept (--skip-conflicts)",
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

function isSkipped(change: Change): boolean {
  return conflictOf(change)?.winner === "live";
}

/** The conflict of a change, where it has one. */
export function conflictOf(change: Change): Conflict | undefined {
  return change.shape === "scalar" ? change.conflict : undefined;
}

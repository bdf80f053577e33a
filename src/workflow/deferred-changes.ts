/** Removes from a plan the changes that cannot be written yet, and those that an earlier apply has already written. */

import type { Reader } from "../datahub/client.ts";
import { readChanged } from "../sync/read/changed.ts";
import { readExistence } from "../sync/read/existence.ts";
import type { Abortable } from "../sync/read/read-batches.ts";
import type { Change } from "../model/change.ts";
import type { Plan } from "../model/plan.ts";
import type { Existence } from "../model/reference.ts";
import type { Outcome } from "../model/report.ts";
import type { Urn } from "../model/urn.ts";
import { pendingIn } from "../model/held-back.ts";
import { operationsOf } from "../plan/order/operations.ts";
import { entitiesNeededBy } from "../plan/diff/part.ts";
import { createdBefore } from "../plan/recheck/verdict.ts";

/** A plan without some of its changes, and the outcomes of the removed changes. */
export interface ReducedPlan {
  readonly plan: Plan;
  readonly outcomes: readonly Outcome[];
}

/** Removes changes that refer to missing entities of other shards. Throws `CatalogError` if a request fails. */
export async function dropDeferred(
  plan: Plan,
  reader: Reader,
  awaited: ReadonlySet<Urn>,
  { signal }: Abortable,
): Promise<ReducedPlan> {
  if (awaited.size === 0) return { plan, outcomes: [] };
  const existence = await readExistence(reader, [...awaited], { signal });
  const missingReference = (change: Change): Urn | undefined =>
    entitiesNeededBy(change).find((urn) => awaited.has(urn) && existence.get(urn)?.status !== "present");
  const pending = pendingIn(plan.changes);
  const deferred = new Set(pending.filter((change) => missingReference(change) !== undefined));
  const waiting = operationsOf({ ...plan, changes: [...deferred] });
  return {
    plan: { ...plan, changes: plan.changes.filter((change) => !deferred.has(change)) },
    outcomes: waiting.map((operation): Outcome => {
      const of = operation.changes[0]?.urn;
      const own = pending.filter((change) => change.urn === of);
      const urn = [...operation.changes, ...own].map(missingReference).find((each) => each !== undefined);
      const because = `${urn} ${reasonOf(urn && existence.get(urn))}`;
      return { status: "skipped", operation: withIdPrefix(operation, "waiting"), because, isAwaiting: true };
    }),
  };
}

function reasonOf(existence: Existence | undefined): string {
  if (existence?.status === "unreadable") return `could not be read: ${existence.error}`;
  const verb = existence?.status === "soft-deleted" ? "is still soft-deleted" : "does not exist yet";
  return `${verb}: another shard of the plan creates it; apply shard 1 first, then apply this shard again`;
}

/** Removes creations that an earlier apply of the plan has already written. Throws `CatalogError` if a request fails. */
export async function dropCreated(plan: Plan, reader: Reader, options: Abortable): Promise<ReducedPlan> {
  const creations = pendingIn(plan.changes).filter(({ action }) => action === "create");
  const live = await readChanged(reader, creations, options);
  const created = createdBefore(creations, live);
  const isDone = ({ action, urn }: Change): boolean => action === "create" && created.has(urn);
  return {
    plan: { ...plan, changes: plan.changes.filter((change) => !isDone(change)) },
    outcomes: operationsOf({ ...plan, changes: creations.filter(isDone) }).map((operation): Outcome => ({
      status: "applied",
      operation: withIdPrefix(operation, "created"),
    })),
  };
}

/** Adds a prefix to an operation's id, so that it differs from all other ids in the plan. */
function withIdPrefix(operation: Outcome["operation"], word: string): Outcome["operation"] {
  return { ...operation, id: `${word}-${operation.id}` };
}

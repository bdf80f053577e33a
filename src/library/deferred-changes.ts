import type { Reader } from "../datahub/client.ts";
import { readChanged } from "../run/read/changed.ts";
import { readExistence } from "../run/read/existence.ts";
import type { Change } from "../model/change.ts";
import type { Plan } from "../model/plan.ts";
import type { Existence } from "../model/reference.ts";
import type { Outcome } from "../model/report.ts";
import type { Urn } from "../model/urn.ts";
import { partitionHeldBack } from "../plan/diff/held-back.ts";
import { operationsOf } from "../plan/order/operations.ts";
import { neededBy } from "../plan/part.ts";
import { createdBefore } from "../plan/recheck/verdict.ts";

/** A plan without some of its changes, and what became of those. */
export interface ReducedPlan {
  readonly plan: Plan;
  readonly outcomes: readonly Outcome[];
}

interface Reading {
  readonly signal?: AbortSignal | undefined;
}

/** A plan without the changes that refer to what other shards create and does not exist yet. Throws `CatalogError`. */
export async function dropDeferred(
  plan: Plan,
  reader: Reader,
  awaited: ReadonlySet<Urn>,
  { signal }: Reading,
): Promise<ReducedPlan> {
  if (awaited.size === 0) return { plan, outcomes: [] };
  const existence = await readExistence(reader, [...awaited], signal ? { signal } : {});
  const absentIn = (change: Change): Urn | undefined =>
    neededBy(change).find((urn) => awaited.has(urn) && existence.get(urn)?.status !== "present");
  const { pending } = partitionHeldBack(plan);
  const deferred = new Set(pending.filter((change) => absentIn(change) !== undefined));
  const waiting = operationsOf({ ...plan, changes: [...deferred] });
  return {
    plan: { ...plan, changes: plan.changes.filter((change) => !deferred.has(change)) },
    outcomes: waiting.map((operation): Outcome => {
      const of = operation.changes[0]?.urn;
      const own = pending.filter((change) => change.urn === of);
      const urn = [...operation.changes, ...own].map(absentIn).find((each) => each !== undefined);
      const because = `${urn} ${reasonOf(urn && existence.get(urn))}`;
      return { status: "skipped", operation: apart(operation, "waiting"), because, isAwaiting: true };
    }),
  };
}

function reasonOf(existence: Existence | undefined): string {
  if (existence?.status === "unreadable") return `could not be read: ${existence.error}`;
  const verb = existence?.status === "soft-deleted" ? "is still soft-deleted" : "does not exist yet";
  return `${verb}: another shard of the plan creates it; apply shard 1 first, then this one again`;
}

/** A plan without what an earlier apply of it created. Throws `CatalogError`. */
export async function dropCreated(plan: Plan, reader: Reader, { signal }: Reading): Promise<ReducedPlan> {
  const creations = partitionHeldBack(plan).pending.filter(({ action }) => action === "create");
  const live = await readChanged(reader, creations, signal ? { signal } : {});
  const created = createdBefore(creations, live);
  const isDone = ({ action, urn }: Change): boolean => action === "create" && created.has(urn);
  return {
    plan: { ...plan, changes: plan.changes.filter((change) => !isDone(change)) },
    outcomes: operationsOf({ ...plan, changes: creations.filter(isDone) }).map((operation): Outcome => ({
      status: "applied",
      operation: apart(operation, "created"),
    })),
  };
}

/** An operation with an id that none of the plan's others has. */
function apart(operation: Outcome["operation"], word: string): Outcome["operation"] {
  return { ...operation, id: `${word}-${operation.id}` };
}

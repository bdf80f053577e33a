import { setTimeout as wait } from "node:timers/promises";
import { CatalogError } from "../../model/catalog-error.ts";
import type { Change } from "../../model/change.ts";
import type { Operation } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import type { Urn } from "../../model/urn.ts";
import { readReferencesLeft } from "../read/references-left.ts";
import { type Run, stopAfter } from "./run.ts";

/** How often it is looked at most, and after how many looks without a difference the references are none that go. */
const [mostLooks, stillLooks] = [60, 10];

/**
 * Looks for references that the server still takes away from entities that were deleted and are to be created again: it
 * takes away new ones, too (DeleteEntityService.java), and those that the plan found and left alone. Where they become fewer
 * it waits until they are gone, and tells of the creations that must not be sent: a new plan is needed. Where they do not,
 * they are references to what never existed, such as tags of ingestion. An interruption ends it, and so does a server that
 * cannot be asked: the look at the entities says that.
 */
export async function departingReferences(
  run: Run,
  operations: readonly Operation[],
): Promise<readonly Outcome[]> {
  const departed = await awaitDepartures(run, creationsIn(operations));
  return operations
    .filter(({ changes }) => changes.some(({ action, urn }) => action === "create" && departed.has(urn)))
    .map((operation) => ({ status: "failed", operation, error: reason }));
}

const reason =
  "not sent: it was deleted before, and the server was still removing references to it, new ones too; apply again";

function creationsIn(operations: readonly Operation[]): readonly Change[] {
  const created = operations
    .flatMap(({ changes }) => changes)
    .filter(({ action }) => action === "create")
    .map((change) => [change.urn, change] as const);
  return [...new Map(created).values()];
}

/** The entities whose references have become fewer. */
async function awaitDepartures(run: Run, entities: readonly Change[]): Promise<ReadonlySet<Urn>> {
  const { writer, signal } = run;
  const departed = new Set<Urn>();
  const options = signal ? { signal } : {};
  let open = new Map<Urn, Seen>();
  let asked = entities;
  try {
    for (let look = 0; look < mostLooks && asked.length > 0; look += 1) {
      if (look > 0) await wait(writer.retryDelay, undefined, options);
      const found = await readReferencesLeft(writer, asked, options);
      const before = open;
      open = new Map();
      for (const { urn } of asked) {
        const [count, known] = [found.get(urn) ?? 0, before.get(urn)];
        if (known && count < known.count) departed.add(urn);
        if (count > 0) open.set(urn, { count, still: known?.count === count ? known.still + 1 : 0 });
      }
      asked = asked.filter(({ urn }) => (open.get(urn)?.still ?? stillLooks) < stillLooks);
      if (look === 0 && asked.length > 0) writer.onRetry?.(waitText(asked));
    }
  } catch (error) {
    if (error instanceof CatalogError) stopAfter(run, error);
    else if (!signal?.aborted) throw error;
  }
  return departed;
}

/** How many references there were at the last look, and at how many looks before there were as many. */
interface Seen {
  readonly count: number;
  readonly still: number;
}

function waitText(changes: readonly Change[]): string {
  return `Looking whether references are still removed to ${changes.map(({ urn }) => urn).join(", ")}`;
}

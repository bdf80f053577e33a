import pLimit from "p-limit";
import { CatalogError } from "../../model/catalog-error.ts";
import type { Operation } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import { placedBy } from "../../plan/order/ancestors.ts";
import { type Chunk, scheduleOf } from "../../plan/order/schedule.ts";
import type { Writer } from "../client/client.ts";
import { type Look, lookAt } from "./look.ts";
import type { Provenance } from "./edited.ts";
import { createQueue } from "./queue.ts";
import { requestsOf } from "./requests.ts";
import { note, obstacleTo, type Run, stopOf } from "./run.ts";
import { sendRequest } from "./send.ts";

/** How operations are sent. `batch` is the number of mutations in a request; after `signal` nothing new is sent. */
export interface ExecuteOptions {
  readonly concurrency?: number;
  readonly batch?: number;
  readonly signal?: AbortSignal;
  /** Whose the values are that proposals add to lists. */
  readonly provenance?: Provenance;
  readonly onProgress?: (done: number, total: number) => void;
}

/** What became of the operations, and why the run was stopped, where it was. */
export interface Executed {
  readonly outcomes: readonly Outcome[];
  readonly stopped: string | undefined;
}

/** How many entities are looked at with one request, and then written. */
const entitiesOfAChunk = 100;

/**
 * Sends the operations, each after those it comes after, and tells what became of each, in their order. What they change is
 * read again right before: what is not as the plan saw it is not overwritten. Those with the same lock are sent one request
 * after the other, because DataHub's mutations read and write whole aspects without a lock; others run side by side. What
 * comes after an operation that was not applied is skipped. Never throws: a failure is an outcome.
 */
export async function execute(
  writer: Writer,
  operations: readonly Operation[],
  { concurrency = 8, batch = 50, signal, provenance, onProgress }: ExecuteOptions = {},
): Promise<Executed> {
  const run: Run = {
    writer,
    queue: createQueue(concurrency),
    signal,
    provenance,
    placed: placedBy(operations.flatMap(({ changes }) => changes)),
    created: new Set(),
    outcomes: new Map(),
    roots: new Map(),
    held: new Map(),
    stopped: undefined,
  };
  const limit = pLimit(concurrency);
  const done: Promise<unknown>[] = [];
  const onNews = (): void => onProgress?.(run.outcomes.size, operations.length);
  for (const chunk of scheduleOf(operations, entitiesOfAChunk)) {
    const before = Promise.all(chunk.after.flatMap((place) => done[place] ?? []));
    done.push(before.then(() => limit(() => runChunk(run, chunk, batch, onNews))));
  }
  await Promise.all(done);
  return { outcomes: operations.flatMap(({ id }) => outcomesOf(run, id)), stopped: run.stopped };
}

// What is stale of an operation comes after the rest of it.
function outcomesOf({ outcomes }: Run, id: string): readonly Outcome[] {
  const own = outcomes.get(id) ?? [];
  return [...own.filter((outcome) => !isStale(outcome)), ...own.filter(isStale)];
}

function isStale({ status }: Outcome): boolean {
  return status === "stale";
}

async function runChunk(run: Run, { steps }: Chunk, batch: number, onNews: () => void): Promise<void> {
  const look = await lookOnce(run, steps.flat());
  for (const step of steps) {
    await Promise.all(
      requestsOf(step, batch).map((request) => {
        const locks = request.flatMap((operation) => operation.locks);
        return run.queue(locks, async () => {
          note(
            run,
            typeof look === "string" ? unseen(run, request, look) : await sendRequest(run, look, request),
          );
          onNews();
        });
      }),
    );
  }
}

/** What the catalog holds, or why it could not be looked at. */
async function lookOnce(run: Run, operations: readonly Operation[]): Promise<Look | string> {
  const { queue, signal } = run;
  const stop = stopOf(run);
  if (stop !== undefined) return stop;
  try {
    return await queue([], () => lookAt(run, operations));
  } catch (error) {
    if (signal?.aborted) return stopOf(run) ?? "";
    if (!(error instanceof CatalogError)) throw error;
    if (error.failure === "unauthorized") run.stopped = error.message;
    return error.message;
  }
}

function unseen(run: Run, operations: readonly Operation[], error: string): readonly Outcome[] {
  return operations.map((operation) => {
    const because = obstacleTo(run, operation);
    if (because !== undefined) return { status: "skipped", operation, because };
    return { status: "failed", operation, error: `not sent: the catalog could not be read again: ${error}` };
  });
}

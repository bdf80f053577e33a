/** Sends operations in dependency order, and reports their outcomes. */

import { setTimeout as wait } from "node:timers/promises";
import pLimit from "p-limit";
import { CatalogError } from "../../model/catalog-error.ts";
import type { Change } from "../../model/change.ts";
import type { Operation } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import type { Urn } from "../../model/urn.ts";
import { recheck } from "../../plan/recheck/recheck.ts";
import { isDeletion } from "../../plan/base/changes.ts";
import { placedBy } from "../../plan/base/ancestors.ts";
import { type Chunk, scheduleOf } from "../../plan/order/schedule.ts";
import type { Writer } from "../../datahub/client.ts";
import { createBatchSize } from "../../datahub/http/batch-size.ts";
import { awaitIndex, deleteInGroups, withReferenceRemovals } from "./deletions.ts";
import { refusedRecreations } from "./recreations.ts";
import type { Provenance } from "./apply-edits.ts";
import { type CurrentState, readCurrent } from "./current-state.ts";
import { createRechecks } from "./rechecks.ts";
import { createQueue } from "./queue.ts";
import { withRemoved } from "./removed-elements.ts";
import { packRequests } from "./requests.ts";
import {
  bugMessage,
  countAttempt,
  defer,
  failedIfInDoubt,
  maxAttempts,
  recordOutcome,
  outcomesIfBlocked,
  type Run,
  stopAfter,
  stopReason,
} from "./run-state.ts";
import { sendRequest } from "./send.ts";

/**
 * Options for sending operations. `batch` is the maximum number of mutations in a request. After `signal` is aborted, no new
 * requests are sent.
 */
export interface ExecuteOptions {
  readonly batch?: number;
  readonly signal?: AbortSignal;
  /** The attribution for values that proposals add to lists. */
  readonly provenance?: Provenance;
  /** Attributions of the aspects that proposals edit although the plan uses mutations, keyed by URN and aspect name. */
  readonly edited?: ReadonlyMap<string, Provenance>;
  /** Finds the aspects that proposals should edit for changes that are added during the apply, each with its attribution. */
  readonly findEdited?: (changes: readonly Change[]) => Promise<ReadonlyMap<string, Provenance>>;
  readonly onProgress?: (done: number, total: number) => void;
  /** Called with a description of a server task that must end before more operations are sent. */
  readonly onWait?: (text: string) => void;
}

/** The outcomes of all operations, and the reason why the run was stopped, if it was. */
export interface Executed {
  readonly outcomes: readonly Outcome[];
  readonly stopped: string | undefined;
}

/** Number of entities to read in one request before they are written. */
const entitiesOfAChunk = 100;

/**
 * Sends operations in order, and returns their outcomes. Before deletions, removes the references to the deleted entities.
 * Returns server failures as outcomes. Unexpected errors while reading or sending these operations are also returned as outcomes;
 * any other unexpected error is thrown.
 *
 * - Reads the entities of operations immediately before the write. If they differ from the plan, rereads them for up to 5 s in
 *   total. Does not overwrite a value that still differs.
 * - Sends operations with the same lock one after another, because DataHub's mutations read and write aspects without a lock.
 *   Sends other operations concurrently. Skips operations that depend on an operation that was not applied.
 * - After a request that the server may still be executing, sends nothing for its entities until all other operations are done.
 *   Then rereads these entities and sends the missing changes in a new round, with at most five attempts for each operation.
 *   Splits a request that may have been too large, without counting it as an attempt.
 * - Before reporting any other failed operation, checks whether the server carried out the operation anyway.
 * - Ends the run if the server rejects the token or can no longer be reached.
 */
export async function execute(
  writer: Writer,
  operations: readonly Operation[],
  options: ExecuteOptions = {},
): Promise<Executed> {
  const { batch = 50, signal, provenance, edited, findEdited, onProgress, onWait } = options;
  let all = operations;
  const run: Run = {
    writer,
    queue: createQueue(writer.concurrency),
    signal,
    batch,
    size: createBatchSize(),
    onNews: () => onProgress?.(run.outcomes.size, all.length),
    onWait,
    looks: createRechecks(writer, { signal, onWait }, "Differs from the plan"),
    provenance,
    writes: provenance && "conditional",
    edited: new Map(edited),
    findEdited,
    moved: placedBy(operations.flatMap(({ changes }) => changes)),
    created: new Set(),
    maybeCreated: new Set(),
    removed: new Map(),
    outcomes: new Map(),
    roots: new Map(),
    pendingLocks: new Set(),
    deferred: new Map(),
    inDoubt: new Map(),
    finalChecks: new Map(),
    sendAlone: new Set(),
    tries: new Map(),
    stopped: undefined,
  };
  recordOutcome(run, await refusedRecreations(run, operations));
  const others = operations.filter((operation) => !isDeletion(operation));
  await runRounds(run, others);
  const { removals, deletions } = await withReferenceRemovals(run, operations.filter(isDeletion), others);
  all = [...others, ...removals, ...deletions];
  await runRounds(run, removals);
  const before = [...others, ...removals];
  await awaitIndex(run, deletions, before);
  await deleteInGroups(run, deletions, before, (group) => runRounds(run, group));
  return { outcomes: all.flatMap(({ id }) => outcomesOf(run, id)), stopped: run.stopped };
}

/** Sends operations in rounds until no operation is deferred to a further round. */
async function runRounds(run: Run, operations: readonly Operation[]): Promise<void> {
  let left = operations.filter(({ id }) => !run.outcomes.has(id));
  while (left.length > 0) {
    run.pendingLocks.clear();
    run.deferred.clear();
    await runRound(run, left);
    left = operations.filter(({ id }) => run.deferred.has(id));
    if (left.length === 0 || !(await mayGoOn(run, left))) break;
  }
  recordOutcome(
    run,
    left.map((operation) => unfinished(run, operation)),
  );
}

async function runRound(run: Run, operations: readonly Operation[]): Promise<void> {
  const limit = pLimit(run.writer.concurrency);
  const done: Promise<unknown>[] = [];
  for (const chunk of scheduleOf(operations, entitiesOfAChunk)) {
    const before = Promise.all(chunk.after.flatMap((place) => done[place] ?? []));
    done.push(before.then(() => limit(() => runChunk(run, chunk))));
  }
  await Promise.all(done);
}

/** Waits for requests that the server may still be executing, longer at each attempt. Returns whether to start another round. */
async function mayGoOn(run: Run, left: readonly Operation[]): Promise<boolean> {
  if (stopReason(run) !== undefined) return false;
  const { writer, signal, tries, finalChecks, deferred } = run;
  const failed = left.filter(({ id }) => deferred.get(id) !== undefined);
  const [reason = "earlier requests failed"] = failed.flatMap(({ id }) => deferred.get(id) ?? []);
  const isCheck = failed.length > 0 && failed.every(({ id }) => finalChecks.has(id));
  writer.onRetry?.(
    `${isCheck ? "Checking" : "Retrying"} ${left.length === 1 ? "1 operation" : `${left.length} operations`}: ${reason}`,
  );
  const attempts = left.reduce((highest, { id }) => Math.max(highest, tries.get(id) ?? 0), 0);
  const delay = writer.retryDelay * 2 ** Math.min(attempts, maxAttempts - 1);
  await wait(delay, undefined, signal ? { signal } : {}).catch(() => undefined);
  return stopReason(run) === undefined;
}

/** Returns the outcome of an operation if there is no further round. */
function unfinished(run: Run, operation: Operation): Outcome {
  const error = run.deferred.get(operation.id);
  if (error !== undefined && !run.inDoubt.has(operation.id)) return { status: "failed", operation, error };
  return {
    status: "skipped",
    operation,
    because: stopReason(run) ?? "the operation that it depends on was not sent",
  };
}

// Returns an operation's outcomes, with stale changes last.
function outcomesOf(run: Run, id: string): readonly Outcome[] {
  const own = (run.outcomes.get(id) ?? []).map((outcome) => withRemoved(outcome, run));
  return [...own.filter((outcome) => !isStale(outcome)), ...own.filter(isStale)];
}

function isStale({ status }: Outcome): boolean {
  return status === "stale";
}

async function runChunk(run: Run, { steps }: Chunk): Promise<void> {
  const current = await readOnce(run, steps.flat());
  for (const step of steps) {
    await Promise.all(
      packRequests(step, Math.min(run.batch, run.size.limit()), run.sendAlone).map((request) => {
        const locks = request.flatMap((operation) => operation.locks);
        return run.queue(locks, async () => {
          recordOutcome(
            run,
            "error" in current ? unread(run, request, current) : await sendRequest(run, current, request),
          );
          run.onNews();
        });
      }),
    );
  }
}

/** The reason why the catalog could not be read, and whether another attempt may succeed. */
interface Unread {
  readonly error: string;
  readonly isTransient?: boolean | undefined;
}

async function readOnce(run: Run, operations: readonly Operation[]): Promise<CurrentState | Unread> {
  const stop = stopReason(run);
  if (stop !== undefined) return { error: stop };
  try {
    for (;;) {
      const current = await run.queue([], () => readCurrent(run, operations));
      const stale = staleIn(current, operations);
      if (stale.length === 0 || !(await run.looks.next(stale))) return current;
    }
  } catch (error) {
    if (run.signal?.aborted || !(error instanceof CatalogError))
      return { error: stopReason(run) ?? bugMessage(error) };
    stopAfter(run, error);
    return { error: error.message, isTransient: error.details.isTransient };
  }
}

/** Returns the entities of operations that are stale according to the last read. */
function staleIn(current: CurrentState, operations: readonly Operation[]): readonly Urn[] {
  const stale = operations.filter((operation) =>
    recheck(operation, current).settled.some(({ status }) => status === "stale"),
  );
  return [...new Set(stale.flatMap(({ changes }) => changes.map(({ urn }) => urn)))];
}

function unread(run: Run, operations: readonly Operation[], failed: Unread): readonly Outcome[] {
  const { error, isTransient } = failed;
  return operations.flatMap((operation): readonly Outcome[] => {
    const blocked = outcomesIfBlocked(run, operation);
    if (blocked) return blocked;
    const failure = `could not reread the catalog: ${error}`;
    if (isTransient && countAttempt(run, operation)) return defer(run, operation, failure);
    return [failedIfInDoubt(run, { status: "failed", operation, error: `not sent: ${failure}` })];
  });
}

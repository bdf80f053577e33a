import pLimit from "p-limit";
import { CatalogError } from "../../model/catalog-error.ts";
import { type Mutation, nameOfRequest, type Operation } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import { isDeletion, scheduleOf } from "../../plan/order/schedule.ts";
import type { Answer, Writer } from "../client/client.ts";
import { mutationOf } from "./mutation-document.ts";
import { propose } from "./propose.ts";
import { createQueue, type Queue } from "./queue.ts";
import { requestsOf } from "./requests.ts";

/** How operations are sent. `batch` is the number of mutations in a request; after `signal` nothing new is sent. */
export interface ExecuteOptions {
  readonly concurrency?: number;
  readonly batch?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** What became of the operations, and why the run was stopped, where it was. */
export interface Executed {
  readonly outcomes: readonly Outcome[];
  readonly stopped: string | undefined;
}

/** How many entities are written at a time. */
const entitiesOfAChunk = 100;

/**
 * Sends the operations, each after those it comes after, and tells what became of each, in their order. Those with the same
 * lock are sent one request after the other, because DataHub's mutations read and write whole aspects without a lock;
 * others run side by side. What comes after an operation that was not applied is skipped. Never throws: a failure is an
 * outcome.
 */
export async function execute(
  writer: Writer,
  operations: readonly Operation[],
  options: ExecuteOptions = {},
): Promise<Executed> {
  const { concurrency = 8, batch = 50, signal, onProgress } = options;
  const run: Run = {
    writer,
    queue: createQueue(concurrency),
    batch,
    signal,
    outcomes: new Map(),
    held: new Map(),
    roots: new Map(),
    stopped: undefined,
    onProgress: () => onProgress?.(run.outcomes.size, operations.length),
  };
  const limit = pLimit(concurrency);
  const done: Promise<unknown>[] = [];
  for (const { steps, after } of scheduleOf(operations, entitiesOfAChunk)) {
    const before = Promise.all(after.flatMap((place) => done[place] ?? []));
    done.push(before.then(() => limit(() => runSteps(run, steps))));
  }
  await Promise.all(done);
  const outcomes = operations.flatMap(({ id }) => run.outcomes.get(id) ?? []);
  return { outcomes, stopped: run.stopped };
}

interface Run {
  readonly writer: Writer;
  readonly queue: Queue;
  readonly batch: number;
  readonly signal: AbortSignal | undefined;
  readonly outcomes: Map<string, Outcome>;
  /** What the server may still be writing, because a request for it failed as a whole, and why nothing more is sent for it. */
  readonly held: Map<string, string>;
  /** What failed in the first place, by the operations that were skipped for it. */
  readonly roots: Map<string, string>;
  /** Why nothing more is sent at all. */
  stopped: string | undefined;
  readonly onProgress: () => void;
}

async function runSteps(run: Run, steps: readonly (readonly Operation[])[]): Promise<void> {
  for (const step of steps) {
    await Promise.all(
      requestsOf(step, run.batch).map((request) => {
        const locks = request.flatMap((operation) => operation.locks);
        return run.queue(locks, async () => {
          for (const outcome of await sendRequest(run, request)) {
            run.outcomes.set(outcome.operation.id, outcome);
          }
          run.onProgress();
        });
      }),
    );
  }
}

async function sendRequest(run: Run, operations: readonly Operation[]): Promise<readonly Outcome[]> {
  const skipped: Outcome[] = [];
  const due: Operation[] = [];
  for (const operation of operations) {
    const because = obstacle(run, operation);
    if (because === undefined) due.push(operation);
    else skipped.push({ status: "skipped", operation, because });
  }
  return due.length > 0 ? [...skipped, ...(await attempt(run, due))] : skipped;
}

async function attempt(run: Run, operations: readonly Operation[]): Promise<readonly Outcome[]> {
  try {
    return await send(run, operations);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    if (error.failure === "unauthorized") run.stopped = error.message;
    // The server may still be at work: a second write to the same entity could undo the first.
    for (const written of new Set(operations.flatMap(({ locks }) => locks))) {
      run.held.set(written, `an earlier request for ${written} failed: ${error.message}`);
    }
    return operations.map((operation) => ({ status: "failed", operation, error: error.message }));
  }
}

/** Why an operation is not sent, if it is not. */
function obstacle(run: Run, operation: Operation): string | undefined {
  const { outcomes, held, stopped, signal } = run;
  if (stopped !== undefined) return stopped;
  if (signal?.aborted === true) return "interrupted";
  const before = operation.after.flatMap((id) => outcomes.get(id) ?? []);
  const unapplied = before.filter(({ status }) => status !== "applied");
  const cause = unapplied.find(({ status }) => status === "failed") ?? unapplied[0];
  if (cause) return becauseOf(run, cause, operation);
  const inDoubt = operation.locks.find((lock) => held.has(lock));
  return inDoubt === undefined ? undefined : held.get(inDoubt);
}

/** What to say of an operation that is held back by another: what failed, and what could not be created therefore. */
function becauseOf(run: Run, cause: Outcome, operation: Operation): string {
  const { id, request, changes, locks } = cause.operation;
  const [change] = changes;
  const urn = change?.urn ?? locks[0];
  const root = run.roots.get(id);
  const isNew = change?.action === "create";
  const failure = isNew
    ? `${urn} could not be created`
    : `it depends on ${nameOfRequest(request)} of ${urn}, which failed`;
  run.roots.set(operation.id, root ?? failure);
  if (isDeletion(operation) && !isDeletion(cause.operation)) {
    return `deletions run only after all other changes, and a change of ${urn} was not applied`;
  }
  if (cause.status !== "skipped") return failure;
  return root !== undefined && isNew ? `${failure}, because ${root}` : cause.because;
}

async function send({ writer }: Run, operations: readonly Operation[]): Promise<readonly Outcome[]> {
  const [first] = operations;
  if (first?.request.type === "proposal") {
    const error = await propose(writer.aspects, first.request);
    return [
      error === undefined
        ? { status: "applied", operation: first }
        : { status: "failed", operation: first, error },
    ];
  }
  const mutations = operations.flatMap(({ request }): readonly Mutation[] =>
    request.type === "mutation" ? [request] : [],
  );
  const { document, variables } = mutationOf(mutations);
  return readOutcomes(operations, await writer.mutate(document, variables));
}

function readOutcomes(operations: readonly Operation[], { data, errors }: Answer): readonly Outcome[] {
  const general = errors.find(({ path }) => path === undefined)?.message;
  const errorOf = new Map(errors.map(({ path, message }) => [path?.[0], message]));
  return operations.map((operation, index): Outcome => {
    const alias = `o${index}`;
    const confirmed = data?.[alias] === true;
    const error =
      errorOf.get(alias) ?? (confirmed ? undefined : (general ?? "the server did not confirm the change"));
    return error === undefined ? { status: "applied", operation } : { status: "failed", operation, error };
  });
}

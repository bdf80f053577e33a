import pLimit from "p-limit";
import { CatalogError } from "../../model/catalog-error.ts";
import { isJsonObject } from "../../model/json.ts";
import type { Mutation, Operation } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import type { Urn } from "../../model/urn.ts";
import type { Answer, Writer } from "../client/client.ts";
import { type Lane, lanesOf } from "./lanes.ts";
import { mutationOf } from "./mutation-document.ts";
import { propose } from "./propose.ts";

/** How operations are sent. `batch` is the number of mutations in a request; after `signal` nothing new is sent. */
export interface ExecuteOptions {
  readonly concurrency?: number;
  readonly batch?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Sends the operations, phase by phase, and tells what became of each, in their order. Those with the same lock are
 * sent one request after the other, because DataHub's mutations read and write whole aspects without a lock; others run
 * side by side. What needs an entity that could not be created is skipped, and so is every deletion where something
 * before the deletions was not applied. Never throws: a failure is an outcome.
 */
export async function execute(
  writer: Writer,
  operations: readonly Operation[],
  options: ExecuteOptions = {},
): Promise<Executed> {
  const { concurrency = 8, batch = 50, onProgress } = options;
  const outcomes = new Map<string, Outcome>();
  const run: Run = {
    writer,
    signal: options.signal,
    broken: new Set(),
    held: new Map(),
    undone: undefined,
    stopped: undefined,
  };
  const limit = pLimit(concurrency);
  for (const phase of new Set(operations.map((operation) => operation.phase))) {
    const due = operations.filter((operation) => operation.phase === phase);
    run.undone = firstUndone(inOrder(operations, outcomes));
    await Promise.all(
      lanesOf(due, batch).map((lane) =>
        limit(async () => {
          for (const outcome of await sendLane(run, lane)) outcomes.set(outcome.operation.id, outcome);
          onProgress?.(outcomes.size, operations.length);
        }),
      ),
    );
  }
  return { outcomes: inOrder(operations, outcomes), stopped: run.stopped };
}

function inOrder(
  operations: readonly Operation[],
  outcomes: ReadonlyMap<string, Outcome>,
): readonly Outcome[] {
  return operations.flatMap(({ id }) => outcomes.get(id) ?? []);
}

/** What became of the operations, and why the run was stopped, where it was. */
export interface Executed {
  readonly outcomes: readonly Outcome[];
  readonly stopped: string | undefined;
}

interface Run {
  readonly writer: Writer;
  readonly signal: AbortSignal | undefined;
  /** Entities that did not come into being. */
  readonly broken: Set<Urn>;
  /** What the server may still be writing, because a request for it failed as a whole, and why nothing more is sent for it. */
  readonly held: Map<string, string>;
  /** What was not applied in the phases before, and is no deletion. */
  undone: Operation | undefined;
  /** Why nothing more is sent at all. */
  stopped: string | undefined;
}

async function sendLane(run: Run, lane: Lane): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const operations of lane) {
    const results = new Map<string, Outcome>();
    const due: Operation[] = [];
    for (const operation of operations) {
      const because = obstacle(run, operation);
      if (because === undefined) due.push(operation);
      else results.set(operation.id, { status: "skipped", operation, because });
    }
    for (const result of due.length > 0 ? await attempt(run, due) : [])
      results.set(result.operation.id, result);
    for (const operation of operations) {
      const outcome = results.get(operation.id);
      if (outcome?.status !== "applied" && operation.creates !== undefined) run.broken.add(operation.creates);
      if (outcome) outcomes.push(outcome);
    }
  }
  return outcomes;
}

async function attempt(run: Run, operations: readonly Operation[]): Promise<readonly Outcome[]> {
  try {
    return await send(run, operations);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    if (error.failure === "unauthorized") run.stopped = error.message;
    // The server may still be at work: a second write to the same entity could undo the first.
    for (const written of new Set(operations.flatMap(writtenBy))) {
      run.held.set(written, `an earlier request for ${written} failed: ${error.message}`);
    }
    return operations.map((operation) => ({ status: "failed", operation, error: error.message }));
  }
}

/** The operation that deletions wait for in vain: of those that are none themselves one that failed, else one that was skipped. */
function firstUndone(outcomes: readonly Outcome[]): Operation | undefined {
  const undone = outcomes.filter(({ status, operation }) => status !== "applied" && !isDeletion(operation));
  return (undone.find(({ status }) => status === "failed") ?? undone[0])?.operation;
}

function isDeletion({ changes }: Operation): boolean {
  return changes.some(({ action }) => action === "delete");
}

/** Why an operation is not sent, if it is not. */
function obstacle({ broken, held, undone, stopped, signal }: Run, operation: Operation): string | undefined {
  if (stopped !== undefined) return stopped;
  if (signal?.aborted === true) return "interrupted";
  const inDoubt = writtenBy(operation).find((written) => held.has(written));
  if (inDoubt !== undefined) return held.get(inDoubt);
  const lacking = operation.needs.find((urn) => broken.has(urn));
  if (lacking !== undefined) return `${lacking} could not be created`;
  if (!undone || !isDeletion(operation)) return undefined;
  return `deletions run only after all other changes, and a change of ${undone.changes[0]?.urn ?? undone.lock} was not applied`;
}

/** What an operation writes: what it locks, and the users that a membership is kept on. */
function writtenBy({ lock, request }: Operation): readonly string[] {
  if (request.type === "proposal") return [lock, request.urn];
  const [input] = request.args;
  const users = isJsonObject(input?.value) ? input.value["userUrns"] : undefined;
  return Array.isArray(users) ? [lock, ...users.map(String)] : [lock];
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

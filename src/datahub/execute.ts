import pLimit from "p-limit";
import { CatalogError } from "../model/catalog-error.ts";
import type { Mutation, Operation } from "../model/operation.ts";
import type { Outcome } from "../model/report.ts";
import type { Urn } from "../model/urn.ts";
import type { Answer, Writer } from "./client.ts";
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
 * side by side. What needs an entity that could not be created is skipped. Never throws: a failure is an outcome.
 */
export async function execute(
  writer: Writer,
  operations: readonly Operation[],
  options: ExecuteOptions = {},
): Promise<readonly Outcome[]> {
  const { concurrency = 8, batch = 50, onProgress } = options;
  const outcomes = new Map<string, Outcome>();
  const run: Run = { writer, signal: options.signal, broken: new Set(), stopped: undefined };
  const limit = pLimit(concurrency);
  for (const phase of new Set(operations.map((operation) => operation.phase))) {
    const due = operations.filter((operation) => operation.phase === phase);
    await Promise.all(
      lanesOf(due, batch).map((lane) =>
        limit(async () => {
          for (const outcome of await sendLane(run, lane)) outcomes.set(outcome.operation.id, outcome);
          onProgress?.(outcomes.size, operations.length);
        }),
      ),
    );
  }
  return operations.flatMap(({ id }) => outcomes.get(id) ?? []);
}

interface Run {
  readonly writer: Writer;
  readonly signal: AbortSignal | undefined;
  /** Entities that did not come into being. */
  readonly broken: Set<Urn>;
  /** Why nothing more is sent at all. */
  stopped: string | undefined;
}

async function sendLane(run: Run, lane: Lane): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let held: string | undefined;
  for (const operations of lane) {
    const because = held ?? run.stopped ?? (run.signal?.aborted === true ? "interrupted" : undefined);
    const due = operations.filter(
      (operation) => because === undefined && lacking(run, operation) === undefined,
    );
    const results = new Map<string, Outcome>();
    try {
      if (due.length > 0) for (const result of await send(run, due)) results.set(result.operation.id, result);
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      for (const operation of due)
        results.set(operation.id, { status: "failed", operation, error: error.message });
      // The server may still be at work on it: a second write now could undo the first.
      held = `an earlier request for ${due[0]?.changes[0]?.urn ?? "it"} failed: ${error.message}`;
      if (error.failure === "unauthorized") run.stopped = error.message;
    }
    for (const operation of operations) {
      const outcome = results.get(operation.id) ?? skipped(operation, because ?? lacking(run, operation));
      if (outcome.status !== "applied" && operation.creates !== undefined) run.broken.add(operation.creates);
      outcomes.push(outcome);
    }
  }
  return outcomes;
}

function skipped(operation: Operation, because = "it was not sent"): Outcome {
  return { status: "skipped", operation, because };
}

/** Why an operation cannot be sent: something that it needs did not come into being. */
function lacking({ broken }: Run, { needs }: Operation): string | undefined {
  const urn = needs.find((needed) => broken.has(needed));
  return urn === undefined ? undefined : `${urn} could not be created`;
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
      errorOf.get(alias) ?? (confirmed ? undefined : (general ?? "the server did not confirm it"));
    return error === undefined ? { status: "applied", operation } : { status: "failed", operation, error };
  });
}

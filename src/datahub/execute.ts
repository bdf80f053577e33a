import pLimit from "p-limit";
import { CatalogError } from "../model/catalog-error.ts";
import type { Operation } from "../model/operation.ts";
import type { Outcome } from "../model/report.ts";
import type { Answer, Writer } from "./client.ts";
import { lanesOf } from "./lanes.ts";
import { mutationOf } from "./mutation-document.ts";

/** How operations are sent. `batch` is the number of operations in a request; after `signal` nothing new is sent. */
export interface ExecuteOptions {
  readonly concurrency?: number;
  readonly batch?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Sends the operations and tells what became of each, in their order. Those of one entity are sent one request after
 * the other, because DataHub's mutations read and write whole aspects without a lock; different entities run side by
 * side. Never throws: a failure is an outcome.
 */
export async function execute(
  writer: Writer,
  operations: readonly Operation[],
  options: ExecuteOptions = {},
): Promise<readonly Outcome[]> {
  const { concurrency = 8, batch = 50, onProgress } = options;
  const outcomes = new Map<string, Outcome>();
  const run: Run = { writer, signal: options.signal, stopped: undefined };
  const limit = pLimit(concurrency);
  await Promise.all(
    lanesOf(operations, batch).map((lane) =>
      limit(async () => {
        for (const outcome of await sendLane(run, lane)) outcomes.set(outcome.operation.id, outcome);
        onProgress?.(outcomes.size, operations.length);
      }),
    ),
  );
  return operations.flatMap(({ id }) => outcomes.get(id) ?? []);
}

interface Run {
  readonly writer: Writer;
  readonly signal: AbortSignal | undefined;
  /** Why nothing more is sent at all. */
  stopped: string | undefined;
}

async function sendLane(run: Run, lane: readonly (readonly Operation[])[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let held: string | undefined;
  for (const operations of lane) {
    const because = held ?? run.stopped ?? (run.signal?.aborted === true ? "interrupted" : undefined);
    if (because !== undefined) {
      outcomes.push(...operations.map((operation): Outcome => ({ status: "skipped", operation, because })));
      continue;
    }
    try {
      outcomes.push(...readOutcomes(operations, await send(run, operations)));
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      outcomes.push(
        ...operations.map((operation): Outcome => ({ status: "failed", operation, error: error.message })),
      );
      // The server may still be at work on it: a second write now could undo the first.
      held = `an earlier request for ${operations[0]?.writes ?? "it"} failed: ${error.message}`;
      if (error.failure === "unauthorized") run.stopped = error.message;
    }
  }
  return outcomes;
}

async function send({ writer }: Run, operations: readonly Operation[]): Promise<Answer> {
  const { document, variables } = mutationOf(operations);
  return writer.mutate(document, variables);
}

function readOutcomes(operations: readonly Operation[], { data, errors }: Answer): readonly Outcome[] {
  const general = errors.find(({ path }) => path === undefined)?.message;
  const errorOf = new Map(errors.map(({ path, message }) => [path?.[0], message]));
  return operations.map((operation, index): Outcome => {
    const alias = `o${index}`;
    const error =
      errorOf.get(alias) ??
      (data?.[alias] === true ? undefined : (general ?? "the server did not confirm it"));
    return error === undefined ? { status: "applied", operation } : { status: "failed", operation, error };
  });
}

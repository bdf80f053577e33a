import { CatalogError } from "../../model/catalog-error.ts";
import type { Mutation, Operation, Proposal } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import { recheck, type Rechecked } from "../../plan/recheck/recheck.ts";
import { nowStored } from "../../plan/recheck/stored.ts";
import type { StoredAspect } from "../client/aspect-client.ts";
import type { Answer } from "../client/client.ts";
import { parseJson, stringifyKept } from "../client/json-text.ts";
import { aspectKey, type Look } from "./look.ts";
import { mutationOf } from "./mutation-document.ts";
import { propose } from "./propose.ts";
import { interrupted, obstacleTo, type Run, stopOf } from "./run.ts";

/**
 * Sends what is left of the operations of one request, once more compared with what was seen right before. Never throws a
 * `CatalogError`: a failure is an outcome.
 */
export async function sendRequest(
  run: Run,
  look: Look,
  operations: readonly Operation[],
): Promise<readonly Outcome[]> {
  const settled: Outcome[] = [];
  const due: Operation[] = [];
  for (const operation of operations) {
    const rechecked = recheck(operation, { ...look, placed: run.placed });
    const because = stopOf(run) ?? (isStale(rechecked, operation) ? undefined : obstacleTo(run, operation));
    if (because !== undefined) settled.push({ status: "skipped", operation, because });
    else {
      settled.push(...rechecked.settled);
      if (rechecked.left) due.push(rechecked.left);
    }
  }
  return due.length > 0 ? [...settled, ...(await attempt(run, look, due))] : settled;
}

// An entity that a failed creation left half-way is none that others created.
function isStale({ left, settled }: Rechecked, { changes }: Operation): boolean {
  const isNew = changes.some(({ action }) => action === "create");
  return !left && !isNew && settled.every(({ status }) => status === "stale");
}

async function attempt(run: Run, look: Look, operations: readonly Operation[]): Promise<readonly Outcome[]> {
  try {
    const [first] = operations;
    if (first?.request.type === "proposal") return await sendProposal(run, look, first, first.request);
    return await sendMutations(run, operations);
  } catch (error) {
    if (run.signal?.aborted && error === run.signal.reason) {
      return operations.map((operation) => ({ status: "skipped", operation, because: interrupted }));
    }
    if (!(error instanceof CatalogError)) throw error;
    if (error.failure === "unauthorized") run.stopped = error.message;
    // The server may still be at work: a second write to the same entity could undo the first.
    for (const written of new Set(operations.flatMap(({ locks }) => locks))) {
      run.held.set(written, `an earlier request for ${written} failed: ${error.message}`);
    }
    return operations.map((operation) => ({ status: "failed", operation, error: error.message }));
  }
}

/** Writes an aspect, each time on the reading that its changes were compared with. */
async function sendProposal(
  { writer, signal, created, provenance }: Run,
  { stored }: Look,
  operation: Operation,
  request: Proposal,
): Promise<readonly Outcome[]> {
  const key = aspectKey(request.urn, request.aspect);
  const first = stored.get(key);
  // What comes after this write finds another version.
  stored.delete(key);
  let rechecked: Rechecked = { left: operation, settled: [] };
  const narrow = (aspect: StoredAspect): Proposal | undefined => {
    const isOfItself = request.urn === operation.changes[0]?.urn;
    if (isOfItself) rechecked = recheck(operation, nowStored(operation, request, valueOf(aspect), created));
    return rechecked.left?.request.type === "proposal" ? rechecked.left.request : undefined;
  };
  const error = await propose(writer.aspects, request, { first, narrow, provenance, signal });
  const { left, settled } = rechecked;
  if (!left) return settled;
  const outcome: Outcome =
    error === undefined
      ? { status: "applied", operation: left }
      : { status: "failed", operation: left, error };
  return [outcome, ...settled];
}

// Numbers that JavaScript cannot hold are compared as their digits, as everywhere.
function valueOf({ value }: StoredAspect): unknown {
  return value && parseJson(stringifyKept(value));
}

async function sendMutations({ writer }: Run, operations: readonly Operation[]): Promise<readonly Outcome[]> {
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

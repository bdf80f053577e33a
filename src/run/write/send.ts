import { appendTo } from "../../model/append.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import type { Mutation, Operation, Proposal } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import { recheck, type Rechecked } from "../../plan/recheck/recheck.ts";
import { nowStored } from "../../plan/recheck/stored.ts";
import type { StoredAspect } from "../../datahub/aspect-client.ts";
import { type Answer, passing } from "../../datahub/client.ts";
import { parseJson, stringifyKept } from "../../datahub/json-text.ts";
import { lastLookAt } from "./last-look.ts";
import { aspectKey, type Look } from "./look.ts";
import { mutationOf } from "./mutation-document.ts";
import { neededFor } from "./privileges.ts";
import { propose } from "./propose.ts";
import {
  bugOf,
  defer,
  heldBack,
  interrupted,
  leaveToLastLook,
  mayTryAgain,
  type Run,
  stopAfter,
  stopOf,
  unknown,
  unsent,
} from "./run.ts";

/**
 * Sends what is left of the operations of one request, once more compared with what was seen right before. Tells of those
 * that are not left to the next round. Never throws: a failure is an outcome, and so is a bug of ours, because others were
 * written.
 */
export async function sendRequest(
  run: Run,
  look: Look,
  operations: readonly Operation[],
): Promise<readonly Outcome[]> {
  try {
    return await sendDue(run, look, operations);
  } catch (error) {
    const words = `not sent: ${bugOf(error)}`;
    return operations.map((operation) => unsent(run, { status: "failed", operation, error: words }));
  }
}

async function sendDue(run: Run, look: Look, operations: readonly Operation[]): Promise<readonly Outcome[]> {
  const settled: Outcome[] = [];
  const due: Operation[] = [];
  const now = { ...look, placed: run.placed, writes: run.writes };
  for (const operation of operations) {
    const rechecked = recheck(operation, now);
    const isMoved = stopOf(run) === undefined && isStale(rechecked, operation);
    const held = isMoved ? undefined : heldBack(run, operation);
    if (held) appendTo(settled, held);
    else if (rechecked.isUnread) appendTo(settled, unread(run, operation, rechecked));
    else if (run.lastLooks.has(operation.id)) settled.push(await lastLookAt(run, look, operation, rechecked));
    else {
      appendTo(settled, rechecked.settled);
      if (rechecked.left) due.push(rechecked.left);
    }
  }
  const sent = due.length > 0 ? await attempt(run, look, due) : [];
  // What is left to the next round is looked at anew there, as a whole.
  return [...settled, ...sent].filter(({ operation: { id } }) => !run.deferred.has(id));
}

// An entity that a failed creation left half-way is none that others created.
function isStale({ left, settled }: Rechecked, { changes }: Operation): boolean {
  const isNew = changes.some(({ action }) => action === "create");
  return !left && !isNew && settled.every(({ status }) => status === "stale");
}

/** What becomes of an operation that could not be looked at. */
function unread(run: Run, operation: Operation, { settled }: Rechecked): readonly Outcome[] {
  if (mayTryAgain(run, operation)) return defer(run, operation);
  return settled.map((outcome) => unsent(run, outcome));
}

async function attempt(run: Run, look: Look, operations: readonly Operation[]): Promise<readonly Outcome[]> {
  try {
    const [first] = operations;
    if (first?.request.type === "proposal") return await sendProposal(run, look, first, first.request);
    return await sendMutations(run, look, operations);
  } catch (error) {
    if (run.signal?.aborted && error === run.signal.reason) {
      return operations.map((operation) => ({ status: "skipped", operation, because: interrupted }));
    }
    if (!(error instanceof CatalogError)) return failed(run, operations, asBug(error));
    if (isTooLarge(error) && operations.length > 1) return await inHalves(run, look, operations);
    return failed(run, operations, error);
  }
}

// Not transient: the same bug would come again. What became of the request is not known.
function asBug(error: unknown): CatalogError {
  return new CatalogError("answer", `${bugOf(error)}; ${unknown}`);
}

function failed(run: Run, operations: readonly Operation[], error: CatalogError): readonly Outcome[] {
  const { details } = error;
  const message = details.status === 403 ? `${error.message}; ${neededFor(operations)}` : error.message;
  stopAfter(run, error, message);
  if (details.isUndone !== true) holdBack(run, operations);
  const isInDoubt =
    details.isUndone !== true && (details.isTransient === true || isServerError(details.status));
  if (isInDoubt) for (const { id } of operations) run.inDoubt.set(id, message);
  return operations.flatMap((operation): readonly Outcome[] => {
    const isLeft = details.isTransient === true && mayTryAgain(run, operation);
    if (isLeft) return defer(run, operation, message);
    if (!isInDoubt) return [{ status: "failed", operation, error: message }];
    // Where the server answered, it is not still at work.
    return leaveToLastLook(run, operation, details.isTransient ? `${message}; ${unknown}` : message);
  });
}

/** Whether a status, or the code of a GraphQL error, leaves open what was carried out: DataHub may have stored it before it failed. */
function isServerError(code = 0): boolean {
  return code >= 500;
}

// The server may still be at work: a second write to the same entity could undo the first.
function holdBack(run: Run, operations: readonly Operation[]): void {
  for (const written of operations.flatMap(({ locks }) => locks)) run.held.add(written);
  const created = operations.flatMap(({ changes }) => changes).filter(({ action }) => action === "create");
  for (const { urn } of created) run.doubted.add(urn);
}

function isTooLarge({ details }: CatalogError): boolean {
  return details.status === 413;
}

async function inHalves(run: Run, look: Look, operations: readonly Operation[]): Promise<readonly Outcome[]> {
  const middle = Math.ceil(operations.length / 2);
  const first = await attempt(run, look, operations.slice(0, middle));
  // What became of the first half may hold back the second.
  const second = operations.slice(middle).map((operation) => ({ operation, held: heldBack(run, operation) }));
  const settled = second.flatMap(({ held }) => held ?? []);
  const due = second.flatMap(({ operation, held }) => (held ? [] : [operation]));
  return [...first, ...settled, ...(due.length > 0 ? await attempt(run, look, due) : [])];
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

async function sendMutations(
  run: Run,
  look: Look,
  operations: readonly Operation[],
): Promise<readonly Outcome[]> {
  const mutations = operations.flatMap(({ request }): readonly Mutation[] =>
    request.type === "mutation" ? [request] : [],
  );
  const { document, variables } = mutationOf(mutations);
  const answer = await run.writer.mutate(document, variables, run.signal);
  if (isRefusedAsAWhole(answer) && operations.length > 1) return await inHalves(run, look, operations);
  return readOutcomes(run, operations, answer);
}

// Errors before the execution have no path: of a document that is too complex, or not valid.
function isRefusedAsAWhole({ data, errors }: Answer): boolean {
  return data === null && errors.length > 0 && errors.every(({ path }) => path === undefined);
}

function readOutcomes(
  run: Run,
  operations: readonly Operation[],
  { data, errors }: Answer,
): readonly Outcome[] {
  const general = errors.find(({ path }) => path === undefined)?.message;
  const errorOf = new Map(errors.map((error) => [error.path?.[0], error]));
  return operations.flatMap((operation, index): readonly Outcome[] => {
    const alias = `o${index}`;
    const own = errorOf.get(alias);
    if (own && isServerError(own.code)) {
      run.inDoubt.set(operation.id, own.message);
      const isLeft = own.code !== undefined && passing.has(own.code) && mayTryAgain(run, operation);
      return isLeft ? defer(run, operation, own.message) : leaveToLastLook(run, operation, own.message);
    }
    if (own) {
      const error = own.code === 403 ? `${own.message}; ${neededFor([operation])}` : own.message;
      return [{ status: "failed", operation, error }];
    }
    if (data?.[alias] === true) return [{ status: "applied", operation }];
    const error = general ?? "the server did not confirm the change";
    return [{ status: "failed", operation, error }];
  });
}

/** Sends one request, in halves if it is too large, and converts failures to outcomes or defers operations to the next round. */

import { appendTo } from "../../model/append.ts";
import { CatalogError, mayBeTooLarge } from "../../model/catalog-error.ts";
import { aspectKey, type Mutation, type Operation } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import { recheck, type Rechecked } from "../../plan/recheck/recheck.ts";
import { aspectOf } from "../../facets/writes.ts";
import { type CurrentState, proposalsIn } from "./current-state.ts";
import { finalCheck } from "./final-check.ts";
import { isEntireRequestRejected, isServerError, placeOfEnd, readOutcomes } from "./mutation-outcomes.ts";
import { missingPrivilegeText } from "../read/privileges.ts";
import { mutationOf } from "./requests.ts";
import {
  bugMessage,
  countAttempt,
  defer,
  deferToFinalCheck,
  effectUnknown,
  failedIfInDoubt,
  interrupted,
  outcomesIfBlocked,
  type Run,
  stopAfter,
  stopReason,
} from "./run-state.ts";
import { proposalsTogether, type Sending, sendProposal } from "./send-proposals.ts";

/**
 * Sends the operations of a request that are still due according to the last read. Returns their outcomes, except for operations
 * that are deferred to the next round. Never throws. Returns even unexpected errors as outcomes, because other operations have
 * already been written.
 */
export async function sendRequest(
  run: Run,
  current: CurrentState,
  operations: readonly Operation[],
): Promise<readonly Outcome[]> {
  try {
    return await sendDue(run, current, operations);
  } catch (error) {
    const words = `not sent: ${bugMessage(error)}`;
    return operations.map((operation) => failedIfInDoubt(run, { status: "failed", operation, error: words }));
  }
}

async function sendDue(
  run: Run,
  current: CurrentState,
  operations: readonly Operation[],
): Promise<readonly Outcome[]> {
  const settled: Outcome[] = [];
  const due: Operation[] = [];
  for (const operation of operations) {
    const rechecked = recheck(operation, current);
    const isMoved = stopReason(run) === undefined && isStale(rechecked, operation);
    const blocked = isMoved ? undefined : outcomesIfBlocked(run, operation);
    if (blocked) appendTo(settled, blocked);
    else if (rechecked.unread !== undefined) appendTo(settled, unread(run, operation, rechecked));
    else if (run.finalChecks.has(operation.id))
      settled.push(await finalCheck(run, current, operation, rechecked));
    else {
      appendTo(settled, rechecked.settled);
      if (rechecked.left) due.push(rechecked.left);
    }
  }
  const sent = await attempt(run, current, due);
  // Operations that are deferred to the next round have no outcome yet.
  return [...settled, ...sent].filter(({ operation: { id } }) => !run.deferred.has(id));
}

// Whether an operation is entirely stale. A creation is never stale, because a failed attempt may have left the entity
// incomplete.
function isStale({ left, settled }: Rechecked, { changes }: Operation): boolean {
  const isNew = changes.some(({ action }) => action === "create");
  return !left && !isNew && settled.every(({ status }) => status === "stale");
}

function unread(run: Run, operation: Operation, { settled, unread: reason }: Rechecked): readonly Outcome[] {
  if (countAttempt(run, operation)) return defer(run, operation, reason);
  return settled.map((outcome) => failedIfInDoubt(run, outcome));
}

async function attempt(
  run: Run,
  current: CurrentState,
  operations: readonly Operation[],
): Promise<readonly Outcome[]> {
  const { settled, due, send } = sendingOf(run, current, operations);
  try {
    const sent = due.length > 0 ? await send() : [];
    run.size.noteGood(due.length);
    return [...settled, ...(sent === "refused" ? await inHalves(run, current, due) : sent)];
  } catch (error) {
    if (run.signal?.aborted && error === run.signal.reason) {
      return [
        ...settled,
        ...due.map((operation) => ({ status: "skipped", operation, because: interrupted }) as const),
      ];
    }
    if (!(error instanceof CatalogError)) return [...settled, ...failed(run, due, asBug(error))];
    if (mayBeTooLarge(error)) {
      if (due.length > 1) run.size.noteTooLarge(due.length);
      else run.size.noteOtherReason();
    }
    const isSplit = error.details.status === 413 && due.length > 1;
    return [...settled, ...(isSplit ? await inHalves(run, current, due) : failed(run, due, error))];
  }
}

function sendingOf(run: Run, current: CurrentState, operations: readonly Operation[]): Sending {
  const [first, ...more] = operations;
  if (first?.request.type !== "proposal") {
    const send = async (): Promise<readonly Outcome[] | "refused"> => {
      // These mutations change aspects, so later operations must not use the values that were read before.
      for (const { urn, aspect } of operations.flatMap(({ changes }) => changes.flatMap(aspectOf)))
        current.stored.delete(aspectKey(urn, aspect));
      return await sendMutations(run, current, operations);
    };
    return { settled: [], due: operations, send };
  }
  if (more.length > 0) return proposalsTogether(run, current, operations);
  const { request } = first;
  return { settled: [], due: operations, send: () => sendProposal(run, current, first, request) };
}

// Converts an unexpected error to an error that is not transient, because a retry would fail in the same way. The effect of the
// request is unknown.
function asBug(error: unknown): CatalogError {
  return new CatalogError("answer", `${bugMessage(error)}; ${effectUnknown}`);
}

function failed(run: Run, operations: readonly Operation[], error: CatalogError): readonly Outcome[] {
  const { details } = error;
  const message =
    details.status === 403 ? `${error.message}; ${missingPrivilegeText(operations)}` : error.message;
  stopAfter(run, error, message);
  if (details.isUndone !== true) markPending(run, operations);
  const isInDoubt =
    details.isUndone !== true && (details.isTransient === true || isServerError(details.status));
  if (isInDoubt) for (const { id } of operations) run.inDoubt.set(id, message);
  // The server does not report which proposal failed.
  const isOneOfThem = isInDoubt && details.isTransient !== true && proposalsIn(operations).length > 1;
  if (isOneOfThem) for (const { id } of operations) run.sendAlone.add(id);
  const isSmallerNext = details.isTransient === true && operations.length > 1 && mayBeTooLarge(error);
  return operations.flatMap((operation): readonly Outcome[] => {
    const mayHelp = details.isTransient === true || isOneOfThem;
    const isLeft = isSmallerNext || (mayHelp && countAttempt(run, operation));
    if (isLeft) return defer(run, operation, message);
    if (!isInDoubt) return [{ status: "failed", operation, error: message }];
    // A server that responded has finished the request.
    return deferToFinalCheck(run, operation, details.isTransient ? `${message}; ${effectUnknown}` : message);
  });
}

// Blocks the operations' entities, because the server may still be executing the request and a second write could overwrite the
// first.
function markPending(run: Run, operations: readonly Operation[]): void {
  for (const lock of operations.flatMap(({ locks }) => locks)) run.pendingLocks.add(lock);
  const created = operations.flatMap(({ changes }) => changes).filter(({ action }) => action === "create");
  for (const { urn } of created) run.maybeCreated.add(urn);
}

async function inHalves(
  run: Run,
  current: CurrentState,
  operations: readonly Operation[],
): Promise<readonly Outcome[]> {
  const middle = Math.ceil(operations.length / 2);
  const outcomes = await attempt(run, current, operations.slice(0, middle));
  return [...outcomes, ...(await attemptNext(run, current, operations.slice(middle)))];
}

/** Sends the remaining operations of a request, except those that earlier operations block. */
async function attemptNext(
  run: Run,
  current: CurrentState,
  operations: readonly Operation[],
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const due = operations.filter((operation) => {
    const blocked = outcomesIfBlocked(run, operation);
    appendTo(outcomes, blocked ?? []);
    return !blocked;
  });
  return [...outcomes, ...(await attempt(run, current, due))];
}

async function sendMutations(
  run: Run,
  current: CurrentState,
  operations: readonly Operation[],
): Promise<readonly Outcome[] | "refused"> {
  const mutations = operations.flatMap(({ request }): readonly Mutation[] =>
    request.type === "mutation" ? [request] : [],
  );
  const { document, variables } = mutationOf(mutations);
  const answer = await run.writer.mutate(document, variables, run.signal);
  if (isEntireRequestRejected(answer) && operations.length > 1) return "refused";
  const end = placeOfEnd(answer);
  if (end === undefined) return readOutcomes(run, operations, answer);
  // In any request with several mutations, the server would again stop at this mutation.
  for (const { id } of operations.slice(end, end + 1)) run.sendAlone.add(id);
  const outcomes = readOutcomes(run, operations.slice(0, end + 1), answer, end);
  return [...outcomes, ...(await attemptNext(run, current, operations.slice(end + 1)))];
}

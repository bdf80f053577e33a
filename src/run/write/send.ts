import { appendTo } from "../../model/append.ts";
import { CatalogError } from "../../model/catalog-error.ts";
import type { Mutation, Operation } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import { recheck, type Rechecked } from "../../plan/recheck/recheck.ts";
import { type Answer, passing } from "../../datahub/client.ts";
import { lastLookAt } from "./last-look.ts";
import { type Look, proposalsIn } from "./look.ts";
import { mutationOf } from "./mutation-document.ts";
import { neededFor } from "./privileges.ts";
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
import { proposalsTogether, type Sending, sendProposal } from "./send-proposals.ts";

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
  const { settled, due, send } = sendingOf(run, look, operations);
  try {
    const sent = due.length > 0 ? await send() : [];
    return [...settled, ...(sent === "refused" ? await inHalves(run, look, due) : sent)];
  } catch (error) {
    if (run.signal?.aborted && error === run.signal.reason) {
      return [
        ...settled,
        ...due.map((operation) => ({ status: "skipped", operation, because: interrupted }) as const),
      ];
    }
    if (!(error instanceof CatalogError)) return [...settled, ...failed(run, due, asBug(error))];
    const isSplit = isTooLarge(error) && due.length > 1;
    return [...settled, ...(isSplit ? await inHalves(run, look, due) : failed(run, due, error))];
  }
}

function sendingOf(run: Run, look: Look, operations: readonly Operation[]): Sending {
  const [first, ...more] = operations;
  if (first?.request.type !== "proposal") {
    return { settled: [], due: operations, send: () => sendMutations(run, operations) };
  }
  if (more.length > 0) return proposalsTogether(run, look, operations);
  const { request } = first;
  return { settled: [], due: operations, send: () => sendProposal(run, look, first, request) };
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
  // Of proposals the server does not say at which one it failed.
  const isOneOfThem = isInDoubt && details.isTransient !== true && proposalsIn(operations).length > 1;
  if (isOneOfThem) for (const { id } of operations) run.alone.add(id);
  return operations.flatMap((operation): readonly Outcome[] => {
    const isLeft = (details.isTransient === true || isOneOfThem) && mayTryAgain(run, operation);
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

async function sendMutations(
  run: Run,
  operations: readonly Operation[],
): Promise<readonly Outcome[] | "refused"> {
  const mutations = operations.flatMap(({ request }): readonly Mutation[] =>
    request.type === "mutation" ? [request] : [],
  );
  const { document, variables } = mutationOf(mutations);
  const answer = await run.writer.mutate(document, variables, run.signal);
  if (isRefusedAsAWhole(answer) && operations.length > 1) return "refused";
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

/** Tracks the state of an apply while it sends operations, and determines which operations to skip, defer or fail. */

import { CatalogError } from "../../model/catalog-error.ts";
import type { Change } from "../../model/change.ts";
import type { JsonObject } from "../../model/json.ts";
import { type Operation, type WriteMode } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import type { Urn } from "../../model/urn.ts";
import { isDeletion } from "../../plan/base/changes.ts";
import { errorMessage } from "../../model/text/error-text.ts";
import type { Writer } from "../../datahub/client.ts";
import type { BatchSize } from "../../datahub/http/batch-size.ts";
import type { Provenance } from "./apply-edits.ts";
import type { Rechecks } from "./rechecks.ts";
import type { Queue } from "./queue.ts";

/** An apply's state while it sends operations. */
export interface Run {
  readonly writer: Writer;
  readonly queue: Queue;
  readonly signal: AbortSignal | undefined;
  /** Maximum number of mutations in a request. */
  readonly batch: number;
  /** Number of mutations or proposals that gateways accept in a request. */
  readonly size: BatchSize;
  /** Called after each request. */
  readonly onNews: () => void;
  readonly onWait: ((text: string) => void) | undefined;
  /** Repeats reads whose results differ from the plan, before the changes count as stale. */
  readonly looks: Rechecks;
  /** The attribution for values that proposals add. */
  readonly provenance: Provenance | undefined;
  /** How to write assignments, if mutations are not used. */
  readonly writes: WriteMode | undefined;
  /** Attributions of the aspects that proposals edit although the plan uses mutations, keyed by URN and aspect name. */
  readonly edited: Map<string, Provenance>;
  /** Finds the aspects that proposals should edit for changes that are added during the apply, each with its attribution. */
  readonly findEdited?:
    | ((changes: readonly Change[]) => Promise<ReadonlyMap<string, Provenance>>)
    | undefined;
  /** The entities that the operations create or move. */
  readonly moved: ReadonlySet<Urn>;
  /** The entities that the operations have created so far. */
  readonly created: Set<Urn>;
  /** The entities that the operations may have created. */
  readonly maybeCreated: Set<Urn>;
  /**
   * Removed elements in their stored form if manifests cannot express them completely, or `null` if they are too large. Keyed by
   * operation id.
   */
  readonly removed: Map<string, readonly JsonObject[] | null>;
  /** The outcomes of each operation so far. An operation has several outcomes if some of its changes were stale. */
  readonly outcomes: Map<string, readonly Outcome[]>;
  /** The root causes of skipped operations. */
  readonly roots: Map<string, string>;
  /**
   * The locks of entities that the server may still be writing after a failed request. Nothing else is sent for these entities in
   * this round.
   */
  readonly pendingLocks: Set<string>;
  /** The operations for the next round. The value is the error if the operation was sent or could not be read. */
  readonly deferred: Map<string, string | undefined>;
  /** Operations that were sent and may have been carried out, each with its error. */
  readonly inDoubt: Map<string, string>;
  /** Operations to check once more instead of sending them again. The value is the error to report if the check fails. */
  readonly finalChecks: Map<string, string>;
  /** Operations to send separately, because a request with several operations failed. */
  readonly sendAlone: Set<string>;
  /**
   * The number of attempts for each operation so far. An attempt counts if the operation failed, could not be read, or had to
   * wait for a pending lock or an unresponsive server.
   */
  readonly tries: Map<string, number>;
  /** The reason why nothing more is sent, if the run was stopped. */
  stopped: string | undefined;
}

/** Maximum number of attempts for an operation. */
export const maxAttempts = 5;

/** Counts an attempt, and returns whether another attempt is allowed. */
export function countAttempt({ tries }: Run, { id }: Operation): boolean {
  const count = (tries.get(id) ?? 0) + 1;
  tries.set(id, count);
  return count < maxAttempts;
}

/** The reason for skipping an operation after an interruption. */
export const interrupted = "interrupted";

/** Returns the reason why nothing more is sent, or `undefined` if the run continues. */
export function stopReason({ stopped, signal }: Run): string | undefined {
  return stopped ?? (signal?.aborted ? interrupted : undefined);
}

/** Ends the run with a reason if the failure would affect all other requests. */
export function stopAfter(run: Run, { failure, message }: CatalogError, reason: string = message): void {
  if (failure === "unauthorized" || run.writer.traffic.isLost()) run.stopped ??= reason;
}

/**
 * Returns the failure of a read, which may end the run. Returns `undefined` after an interruption. Rethrows unexpected errors.
 */
export function failureOf(run: Run, error: unknown): CatalogError | undefined {
  if (error instanceof CatalogError) {
    stopAfter(run, error);
    return error;
  }
  if (run.signal?.aborted) return undefined;
  throw error;
}

/** Returns the failure in this round that makes an operation wait, or `undefined` if there is none. */
function earlierFailure({ pendingLocks, writer }: Run, { locks }: Operation): string | undefined {
  const own = locks.find((lock) => pendingLocks.has(lock));
  if (own !== undefined) return `an earlier request for ${own} failed`;
  // While the server does not respond, each request would wait for the full timeout.
  return writer.traffic.isSilent() ? "the server did not respond to earlier requests in time" : undefined;
}

/**
 * Returns the reason why an operation is skipped: the failure of an operation that it depends on, or that failure's root cause.
 */
function becauseOf({ roots }: Run, cause: Outcome, operation: Operation): string {
  const { id, changes, locks } = cause.operation;
  const [change] = changes;
  const urn = change?.urn ?? locks[0];
  const root = roots.get(id);
  const isMissing = change?.action === "create" && cause.status !== "stale";
  const failure = isMissing
    ? `${urn} could not be created`
    : `it depends on a change to ${urn}, which ${cause.status === "stale" ? "is stale" : "failed"}`;
  roots.set(operation.id, root ?? failure);
  if (isDeletion(operation) && !isDeletion(cause.operation)) {
    return `deletions run only after all other changes, but a change to ${urn} was not applied`;
  }
  if (cause.status !== "skipped") return failure;
  return root !== undefined && isMissing ? `${failure}, because ${root}` : cause.because;
}

/** Returns the message for an error that only a bug in this tool can cause. */
export function bugMessage(error: unknown): string {
  return `a bug in datahub-gitops: ${errorMessage(error)}`;
}

/** The text that is added to an error if the effect of a request is unknown. */
export const effectUnknown = "could not determine whether the server executed the operation";

/**
 * For an operation that was not sent again, returns the earlier failure if the server may have carried out the earlier attempt.
 * Otherwise, returns `outcome`.
 */
export function failedIfInDoubt({ inDoubt }: Run, outcome: Outcome): Outcome {
  const { operation } = outcome;
  const failure = inDoubt.get(operation.id);
  return failure === undefined
    ? outcome
    : { status: "failed", operation, error: `${failure}; ${effectUnknown}` };
}

/** Defers an operation, with its error, to the next round. */
export function defer(run: Run, { id }: Operation, error?: string): readonly Outcome[] {
  run.deferred.set(id, error);
  return [];
}

/**
 * Defers a failed operation to a check in the next round, because the server may have carried it out. If the check fails, the
 * operation fails with `error`.
 */
export function deferToFinalCheck(run: Run, operation: Operation, error: string): readonly Outcome[] {
  run.finalChecks.set(operation.id, error);
  return defer(run, operation, error);
}

/**
 * Returns the outcomes of a blocked operation, or `undefined` if it is not blocked. The list is empty if the operation is blocked
 * only in this round.
 */
export function outcomesIfBlocked(run: Run, operation: Operation): readonly Outcome[] | undefined {
  const skipped = (because: string): readonly Outcome[] => [{ status: "skipped", operation, because }];
  const stop = stopReason(run);
  if (stop !== undefined) return skipped(stop);
  const before = operation.after.flatMap((id) => run.outcomes.get(id) ?? []);
  const cause = (["failed", "stale", "skipped"] as const)
    .map((status) => before.find((outcome) => outcome.status === status))
    .find((outcome) => outcome !== undefined);
  if (cause) return skipped(becauseOf(run, cause, operation));
  if (operation.after.some((id) => run.deferred.has(id))) return defer(run, operation);
  const because = earlierFailure(run, operation);
  if (because === undefined) return undefined;
  // Waiting counts as an attempt. Otherwise, an unresponsive server would get one request for each waiting operation.
  return countAttempt(run, operation) ? defer(run, operation) : skipped(because);
}

/** Records outcomes, and the entities that applied operations created. */
export function recordOutcome(run: Run, outcomes: readonly Outcome[]): void {
  for (const reported of outcomes) {
    const outcome = reported.status === "skipped" ? failedIfInDoubt(run, reported) : reported;
    const { id, changes } = outcome.operation;
    run.deferred.delete(id);
    run.outcomes.set(id, [...(run.outcomes.get(id) ?? []), outcome]);
    if (outcome.status !== "applied") continue;
    for (const { action, urn } of changes) if (action === "create") run.created.add(urn);
  }
}

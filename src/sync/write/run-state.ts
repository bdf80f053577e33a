/** Tracks the state of an apply while it sends operations, and decides which operations to skip, defer or fail. */

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
  /** The maximum number of mutations in a request. */
  readonly batch: number;
  /** The number of mutations or proposals that gateways accept in a request. */
  readonly size: BatchSize;
  /** Called after each request. */
  readonly onNews: () => void;
  readonly onWait: ((text: string) => void) | undefined;
  /** Repeats readings that differ from the plan before their changes become stale. */
  readonly looks: Rechecks;
  /** The attribution for values that proposals add. */
  readonly provenance: Provenance | undefined;
  /** How to write assignments, if not with mutations. */
  readonly writes: WriteMode | undefined;
  /** The aspects, by URN and name, that proposals edit although the plan uses mutations. Each has its attribution. */
  readonly edited: Map<string, Provenance>;
  /** Finds the aspects that proposals should edit for further changes. */
  readonly findEdited?:
    | ((changes: readonly Change[]) => Promise<ReadonlyMap<string, Provenance>>)
    | undefined;
  /** The entities that the operations create or move. */
  readonly moved: ReadonlySet<Urn>;
  /** The entities that the operations have created so far. */
  readonly created: Set<Urn>;
  /** The entities that the operations may have created. */
  readonly maybeCreated: Set<Urn>;
  /** Removed elements as they were stored, if manifests cannot express them fully; `null` if they are too large. */
  readonly removed: Map<string, readonly JsonObject[] | null>;
  /** The outcomes of each operation so far. There are several if some of its changes were stale. */
  readonly outcomes: Map<string, readonly Outcome[]>;
  /** The root causes of skipped operations. */
  readonly roots: Map<string, string>;
  /** The locks of entities that the server may still be writing after a failed request. No more is sent for them in this round. */
  readonly pendingLocks: Set<string>;
  /** The operations for the next round, each with its error if it was sent or could not be read. */
  readonly deferred: Map<string, string | undefined>;
  /** The operations that were sent and may have been carried out, each with its error. */
  readonly inDoubt: Map<string, string>;
  /** The operations to check once more instead of sending them again, each with its error if the check fails. */
  readonly finalChecks: Map<string, string>;
  /** The operations to send separately, because the server failed at a request with several. */
  readonly sendAlone: Set<string>;
  /**
   * The number of attempts at each operation so far. An attempt counts if the operation failed, was unreadable, or was blocked by a
   * pending lock or a silent server.
   */
  readonly tries: Map<string, number>;
  /** Why nothing more is sent. */
  stopped: string | undefined;
}

/** The maximum number of attempts at an operation. */
export const maxAttempts = 5;

/** Counts an attempt, and returns whether another one is allowed. */
export function countAttempt({ tries }: Run, { id }: Operation): boolean {
  const count = (tries.get(id) ?? 0) + 1;
  tries.set(id, count);
  return count < maxAttempts;
}

/** The reason for skipping an operation after an interruption. */
export const interrupted = "interrupted";

/** Returns why nothing more is sent; `undefined` if the run continues. */
export function stopReason({ stopped, signal }: Run): string | undefined {
  return stopped ?? (signal?.aborted ? interrupted : undefined);
}

/** Ends the run with a reason, after a failure that would affect all other requests. */
export function stopAfter(run: Run, { failure, message }: CatalogError, reason: string = message): void {
  if (failure === "unauthorized" || run.writer.traffic.isLost()) run.stopped ??= reason;
}

/** Returns the failure of a reading, which may end the run; `undefined` after an interruption. Rethrows bugs. */
export function failureOf(run: Run, error: unknown): CatalogError | undefined {
  if (error instanceof CatalogError) {
    stopAfter(run, error);
    return error;
  }
  if (run.signal?.aborted) return undefined;
  throw error;
}

/** Returns why an operation is never sent, or `for-now` if it is not sent in this round. */
function obstacleTo(run: Run, operation: Operation): { readonly because: string } | "for-now" | undefined {
  const stop = stopReason(run);
  if (stop !== undefined) return { because: stop };
  const before = operation.after.flatMap((id) => run.outcomes.get(id) ?? []);
  const cause = (["failed", "stale", "skipped"] as const)
    .map((status) => before.find((outcome) => outcome.status === status))
    .find((outcome) => outcome !== undefined);
  if (cause) return { because: becauseOf(run, cause, operation) };
  if (operation.after.some((id) => run.deferred.has(id))) return "for-now";
  const because = earlierFailure(run, operation);
  if (because === undefined) return undefined;
  // Waiting counts as an attempt. Otherwise a silent server would be asked once for each waiting operation.
  return countAttempt(run, operation) ? "for-now" : { because };
}

/** Returns this round's failure that makes an operation wait; `undefined` if there is none. */
function earlierFailure({ pendingLocks, writer }: Run, { locks }: Operation): string | undefined {
  const own = locks.find((lock) => pendingLocks.has(lock));
  if (own !== undefined) return `an earlier request for ${own} failed`;
  // While the server is silent, each request would take the full timeout.
  return writer.traffic.isSilent() ? "the server did not answer earlier requests in time" : undefined;
}

/** Returns why an operation is skipped: the failure that it depends on, or the root cause. */
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

/** Returns the message for an error that only a bug in this program can cause. */
export function bugMessage(error: unknown): string {
  return `a bug in datahub-gitops: ${errorMessage(error)}`;
}

/** Added to the error if the effect of a request is unknown. */
export const effectUnknown = "could not determine whether the server executed it";

/** Replaces an unsent operation's outcome with its earlier failure, if that attempt may have been carried out. */
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
 * Defers a failed operation that may have been carried out to a check in the next round. The operation fails with `error` if the
 * check fails.
 */
export function deferToFinalCheck(run: Run, operation: Operation, error: string): readonly Outcome[] {
  run.finalChecks.set(operation.id, error);
  return defer(run, operation, error);
}

/** Returns the outcomes of a blocked operation: none if it is blocked only in this round; `undefined` if it is not blocked. */
export function outcomesIfBlocked(run: Run, operation: Operation): readonly Outcome[] | undefined {
  const obstacle = obstacleTo(run, operation);
  if (obstacle === "for-now") return defer(run, operation);
  return obstacle && [{ status: "skipped", operation, because: obstacle.because }];
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

import { CatalogError } from "../../model/catalog-error.ts";
import type { Change } from "../../model/change.ts";
import type { JsonObject } from "../../model/json.ts";
import { type Operation, type Writes } from "../../model/operation.ts";
import type { Outcome } from "../../model/report.ts";
import type { Urn } from "../../model/urn.ts";
import { isDeletion } from "../../plan/order/changes.ts";
import { errorMessage } from "../../model/text/error-text.ts";
import type { Writer } from "../../datahub/client.ts";
import type { BatchSize } from "../../datahub/http/batch-size.ts";
import type { Provenance } from "./apply-edits.ts";
import type { Rechecks } from "./rechecks.ts";
import type { Queue } from "./queue.ts";

/** The state of an apply while its operations are sent. */
export interface Run {
  readonly writer: Writer;
  readonly queue: Queue;
  readonly signal: AbortSignal | undefined;
  /** The number of mutations in a request. */
  readonly batch: number;
  /** How many of them, and of proposals, what is on the way lets through. */
  readonly size: BatchSize;
  /** Is called after each request. */
  readonly onNews: () => void;
  readonly onWait: ((text: string) => void) | undefined;
  /** The looks at what is not as the plan saw it, before it is stale. */
  readonly looks: Rechecks;
  /** Whose the values are that proposals add. */
  readonly provenance: Provenance | undefined;
  /** How assignments are written, where not with mutations. */
  readonly writes: Writes | undefined;
  /** The aspects, by URN and name, that are edited where others are written with mutations, with whose the values are. */
  readonly edited: Map<string, Provenance>;
  /** Finds these aspects for more changes. */
  readonly findEdited?:
    | ((changes: readonly Change[]) => Promise<ReadonlyMap<string, Provenance>>)
    | undefined;
  /** The entities that the operations create or move. */
  readonly moved: ReadonlySet<Urn>;
  /** The entities that the operations have created so far. */
  readonly created: Set<Urn>;
  /** The entities of which it is not known whether the operations have created them. */
  readonly maybeCreated: Set<Urn>;
  /** Elements that operations remove, as they were stored, where manifests cannot express all of them; `null` if they are too large. */
  readonly removed: Map<string, readonly JsonObject[] | null>;
  /** The outcomes of each operation so far: several where a part of it was stale. */
  readonly outcomes: Map<string, readonly Outcome[]>;
  /** What failed in the first place, by the operations that were skipped for it. */
  readonly roots: Map<string, string>;
  /** The locks of what the server may still be writing after a failed request: nothing more is sent for these in this round. */
  readonly pendingLocks: Set<string>;
  /** The operations of the next round, with the failure of those that were sent or could not be read. */
  readonly deferred: Map<string, string | undefined>;
  /** The operations that were sent and may have been carried out, and what failed. */
  readonly inDoubt: Map<string, string>;
  /** The operations that are read once more instead of sent again, and the error of each where the catalog does not have it. */
  readonly finalChecks: Map<string, string>;
  /** The operations that are sent by themselves, because the server failed at a request that had them and others. */
  readonly sendAlone: Set<string>;
  /** How often each operation failed when sent, was unreadable, or was blocked by a pending lock or a silent server. */
  readonly tries: Map<string, number>;
  /** Why nothing more is sent at all. */
  stopped: string | undefined;
}

/** How often an operation is tried at most. */
export const maxTries = 5;

/** Counts a try of an operation, and returns whether there may be another. */
export function countTry({ tries }: Run, { id }: Operation): boolean {
  const count = (tries.get(id) ?? 0) + 1;
  tries.set(id, count);
  return count < maxTries;
}

/** Why an operation is skipped after an interruption. */
export const interrupted = "interrupted";

/** Why nothing is sent any more, if that is so. */
export function stopOf({ stopped, signal }: Run): string | undefined {
  return stopped ?? (signal?.aborted ? interrupted : undefined);
}

/** Ends the run with a reason after a failure that all other requests would have, too. */
export function stopAfter(run: Run, { failure, message }: CatalogError, reason: string = message): void {
  if (failure === "unauthorized" || run.writer.traffic.isLost()) run.stopped ??= reason;
}

/** The failure of a reading, after which the run may have ended; `undefined` after an interruption. Throws what is a bug. */
export function failureOf(run: Run, error: unknown): CatalogError | undefined {
  if (error instanceof CatalogError) {
    stopAfter(run, error);
    return error;
  }
  if (run.signal?.aborted) return undefined;
  throw error;
}

/** Why an operation is not sent: for good, or only in this round. */
function obstacleTo(run: Run, operation: Operation): { readonly because: string } | "for-now" | undefined {
  const stop = stopOf(run);
  if (stop !== undefined) return { because: stop };
  const before = operation.after.flatMap((id) => run.outcomes.get(id) ?? []);
  const cause = (["failed", "stale", "skipped"] as const)
    .map((status) => before.find((outcome) => outcome.status === status))
    .find((outcome) => outcome !== undefined);
  if (cause) return { because: becauseOf(run, cause, operation) };
  if (operation.after.some((id) => run.deferred.has(id))) return "for-now";
  const because = earlierFailure(run, operation);
  if (because === undefined) return undefined;
  // It counts as a try: else a server that answers nothing would be asked once for each that waits.
  return countTry(run, operation) ? "for-now" : { because };
}

/** What has failed in this round so that an operation must wait for the next one. */
function earlierFailure({ pendingLocks, writer }: Run, { locks }: Operation): string | undefined {
  const own = locks.find((lock) => pendingLocks.has(lock));
  if (own !== undefined) return `an earlier request for ${own} failed`;
  // Each of them would take as long as a request may.
  return writer.traffic.isSilent() ? "the server did not answer earlier requests in time" : undefined;
}

/** Why an operation is skipped that depends on another: what failed, and what could not be created therefore. */
function becauseOf({ roots }: Run, cause: Outcome, operation: Operation): string {
  const { id, changes, locks } = cause.operation;
  const [change] = changes;
  const urn = change?.urn ?? locks[0];
  const root = roots.get(id);
  const isMissing = change?.action === "create" && cause.status !== "stale";
  const failure = isMissing
    ? `${urn} could not be created`
    : `it depends on a change of ${urn}, which ${cause.status === "stale" ? "is stale" : "failed"}`;
  roots.set(operation.id, root ?? failure);
  if (isDeletion(operation) && !isDeletion(cause.operation)) {
    return `deletions run only after all other changes, and a change of ${urn} was not applied`;
  }
  if (cause.status !== "skipped") return failure;
  return root !== undefined && isMissing ? `${failure}, because ${root}` : cause.because;
}

/** The message of an error that only a bug of ours can cause. */
export function bugOf(error: unknown): string {
  return `a bug in datahub-gitops: ${errorMessage(error)}`;
}

/** Added to the failure of a request whose effect is not known. */
export const effectUnknown = "it is not known whether it was carried out";

/** The outcome of an operation that is not sent now: of one that was sent before and may have been carried out, that failure. */
export function failedIfInDoubt({ inDoubt }: Run, outcome: Outcome): Outcome {
  const { operation } = outcome;
  const failure = inDoubt.get(operation.id);
  return failure === undefined
    ? outcome
    : { status: "failed", operation, error: `${failure}; ${effectUnknown}` };
}

/** Leaves an operation to the next round, with the failure of its request, or of the reading before it. */
export function defer(run: Run, { id }: Operation, error?: string): readonly Outcome[] {
  run.deferred.set(id, error);
  return [];
}

/** Leaves a failed operation that may have been carried out to a check in the next round, after which it may fail with `error`. */
export function deferToFinalCheck(run: Run, operation: Operation, error: string): readonly Outcome[] {
  run.finalChecks.set(operation.id, error);
  return defer(run, operation, error);
}

/** The outcomes of an operation that must not be sent now: none yet, if only for this round; `undefined` of any other. */
export function outcomesIfBlocked(run: Run, operation: Operation): readonly Outcome[] | undefined {
  const obstacle = obstacleTo(run, operation);
  if (obstacle === "for-now") return defer(run, operation);
  return obstacle && [{ status: "skipped", operation, because: obstacle.because }];
}

/** Records what became of operations. */
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

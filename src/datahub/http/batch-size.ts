/** Splits a read of many entities into requests that are small enough for the server. */

import { mayBeTooLarge } from "../../model/catalog-error.ts";

/**
 * The maximum number of entities in a read request. It decreases after a request that was too large for the server or a gateway.
 */
export interface BatchSize {
  /** Returns the maximum for the next request. */
  limit(): number;
  /** Records that a request for `count` entities succeeded. */
  noteGood(count: number): void;
  /** Records that a request for `count` entities failed and may have been too large. */
  noteTooLarge(count: number): void;
  /**
   * Records that a request for one entity failed as if it were too large, but succeeded on a retry, so its size was not the
   * cause.
   */
  noteOtherReason(): void;
  /**
   * Records that a request for one entity failed as if it were too large. Returns whether requests for other entities may still
   * succeed.
   */
  noteFailedAlone(): boolean;
}

/** The number of requests of the maximum size that must succeed before the maximum doubles. */
const growAfter = 20;

/** The number of consecutive failures of single-entity requests after which the entities are no longer considered the cause. */
const maxFailedAlone = 3;

/**
 * Creates a batch size. It is halved, down to one, after a request that may have been too large. It doubles after 20 successful
 * full requests, or later if a doubled size has failed before. `isSilent` returns true if the server does not respond at all.
 */
export function createBatchSize(isSilent: () => boolean = () => false): BatchSize {
  let [limit, good, patience, failedAlone] = [Infinity, 0, growAfter, 0];
  let isOnTrial = false;
  return {
    limit: () => limit,
    noteGood: (count) => {
      failedAlone = 0;
      if (count < limit) return;
      isOnTrial = false;
      good += 1;
      if (good < patience) return;
      limit *= 2;
      good = 0;
      isOnTrial = true;
    },
    noteTooLarge: (count) => {
      const half = Math.max(1, Math.ceil(count / 2));
      if (half >= limit) return;
      if (isOnTrial && count > limit / 2) patience *= 2;
      isOnTrial = false;
      limit = half;
      good = 0;
    },
    // Without this reset, an unreliable server would receive only single-entity requests.
    noteOtherReason: () => {
      [limit, good, patience, failedAlone] = [Infinity, 0, growAfter, 0];
      isOnTrial = false;
    },
    noteFailedAlone: () => {
      failedAlone += 1;
      return failedAlone < maxFailedAlone && !isSilent();
    },
  };
}

/** Sends one request for some items of a list. `isWorthRepeating` decides whether to retry a failed request. */
export type RequestBatch<Each, Answer> = (
  some: readonly Each[],
  isWorthRepeating: (error: unknown) => boolean,
) => Promise<Answer>;

/**
 * Requests all items of a list in one or more batches, and returns the results in list order. Without a batch size, the first
 * batch contains all items. Each failure that may be due to the batch size halves the size for this batch and later batches. If a
 * request for a single item fails, `failedAlone` provides the result for that item, unless the requests for all items fail.
 * Without `failedAlone`, such a failure is thrown. All other failures are always thrown.
 */
export async function requestInBatches<Each, Answer>(
  { batchSize: size = createBatchSize() }: { readonly batchSize?: BatchSize | undefined },
  list: readonly Each[],
  ask: RequestBatch<Each, Answer>,
  failedAlone?: (one: readonly Each[], error: Error) => Answer,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  let isAnyAnswered = false;
  for (let rest = list; rest.length > 0;) {
    const some = rest.slice(0, size.limit());
    const isOne = some.length === 1;
    let hasFailed = false;
    const isWorthRepeating = (error: unknown): boolean => {
      hasFailed ||= mayBeTooLarge(error);
      return isOne || !mayBeTooLarge(error);
    };
    try {
      answers.push(await ask(some, isWorthRepeating));
      if (isOne && hasFailed) size.noteOtherReason();
      else size.noteGood(some.length);
      isAnyAnswered = true;
    } catch (error) {
      if (!mayBeTooLarge(error)) throw error;
      if (!isOne) {
        size.noteTooLarge(some.length);
        continue;
      }
      if (!failedAlone || !size.noteFailedAlone()) throw error;
      if (!isAnyAnswered && list.length > 1 && rest.length === 1) throw error;
      answers.push(failedAlone(some, error));
    }
    rest = rest.slice(some.length);
  }
  return answers;
}

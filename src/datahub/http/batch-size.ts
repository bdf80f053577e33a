/** Splits a read of many entities into requests of a size that the server can answer. */

import { mayBeTooLarge } from "../../model/catalog-error.ts";

/** The maximum number of entities in a read. It decreases when a request was too large for the server or a gateway. */
export interface BatchSize {
  /** The maximum for the next request. */
  limit(): number;
  /** A request for `count` entities was answered. */
  noteGood(count: number): void;
  /** A request for `count` entities failed and may have been too large. */
  noteTooLarge(count: number): void;
  /** A request for one entity failed like one that is too large, and a retry succeeded: the size is not the reason. */
  noteOtherReason(): void;
  /** A request for one entity failed like one that is too large. Returns whether other entities may be answered. */
  noteFailedAlone(): boolean;
}

/** The number of answers to full requests after which the maximum doubles. */
const growAfter = 20;

/** The number of single failures in a row at which the cause is not the entity. */
const maxFailedAlone = 3;

/**
 * A size that is halved, down to one, after a request that may have been too large, and doubled after 20 good full requests; after
 * more if a doubled size failed before. `isSilent`: whether the server answers nothing at all.
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
    // Otherwise a server that fails now and then would always be asked for single entities.
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

/** Requests a part of a list. `isWorthRepeating` decides whether a failed request has a retry. */
export type RequestBatch<Each, Answer> = (
  some: readonly Each[],
  isWorthRepeating: (error: unknown) => boolean,
) => Promise<Answer>;

/**
 * Requests a list in one request, or in several if one may be too large: each failure halves the size, and the size that works is
 * kept. `failedAlone` provides the answer for a single entity that fails, unless all of several fail; without it, that failure is
 * thrown, as any other is. Returns the answers in the order of the list.
 */
export async function requestInBatches<Each, Answer>(
  size: BatchSize,
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

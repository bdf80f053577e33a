import { isPerhapsTooLarge } from "../../model/catalog-error.ts";

/** How many entities a read asks for at most: fewer after a request that was too large for what is on the way. */
export interface BatchSize {
  /** The most entities of the next request. */
  limit(): number;
  /** A request for so many was answered. */
  noteGood(count: number): void;
  /** A request for so many failed, and may have been too large. */
  noteTooLarge(count: number): void;
  /** A request for one entity failed as one that is too large does, and can be sent again: so the size is not the reason. */
  noteOtherReason(): void;
  /** A request for one entity failed as one that is too large does. Returns whether others may be answered. */
  noteFailedAlone(): boolean;
}

/** After so many answers to requests of the largest size twice as many entities are asked for. */
const calm = 20;

/** So many single entities in a row without an answer are not the fault of each. */
const maxFailedAlone = 3;

/**
 * A size that is halved after a request that may have been too large, down to one, and doubled after 20 good requests of that size;
 * after more where a larger one was tried and failed. `isSilent`: whether nothing is answered at all.
 */
export function createBatchSize(isSilent: () => boolean = () => false): BatchSize {
  let [limit, good, patience, failedAlone] = [Infinity, 0, calm, 0];
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
    // A server that now and then does not answer would else be asked for one entity at a time, for good.
    noteOtherReason: () => {
      [limit, good, patience, failedAlone] = [Infinity, 0, calm, 0];
      isOnTrial = false;
    },
    noteFailedAlone: () => {
      failedAlone += 1;
      return failedAlone < maxFailedAlone && !isSilent();
    },
  };
}

/** Asks for some of a list. `isWorthRepeating` says after which failures of the request the same one may be sent again. */
export type AskPart<Each, Answer> = (
  some: readonly Each[],
  isWorthRepeating: (error: unknown) => boolean,
) => Promise<Answer>;

/**
 * Asks for a list with one request, or with several where one may be too large: each failure halves what is asked for, and the size
 * that works is kept. `failedAlone` answers for a single one that fails all the same, unless all of several do; without it that
 * failure is thrown, as any other is. Gives the answers in the order of the list.
 */
export async function askInParts<Each, Answer>(
  size: BatchSize,
  list: readonly Each[],
  ask: AskPart<Each, Answer>,
  failedAlone?: (one: readonly Each[], error: Error) => Answer,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  let isAnyAnswered = false;
  for (let rest = list; rest.length > 0;) {
    const some = rest.slice(0, size.limit());
    const isOne = some.length === 1;
    let hasFailed = false;
    const isWorthRepeating = (error: unknown): boolean => {
      hasFailed ||= isPerhapsTooLarge(error);
      return isOne || !isPerhapsTooLarge(error);
    };
    try {
      answers.push(await ask(some, isWorthRepeating));
      if (isOne && hasFailed) size.noteOtherReason();
      else size.noteGood(some.length);
      isAnyAnswered = true;
    } catch (error) {
      if (!isPerhapsTooLarge(error)) throw error;
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

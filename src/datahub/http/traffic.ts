/** Counts the requests on one connection, and limits and pauses them depending on how the server responds. */

import { setTimeout as wait } from "node:timers/promises";
import pLimit from "p-limit";
import { CatalogError } from "../../model/catalog-error.ts";
import { type BatchSize, createBatchSize } from "./batch-size.ts";
import { createPace } from "./rate-limit.ts";

/** Whether a request reads or writes. The latencies of reads and writes are measured separately. */
type RequestKind = "read" | "write";

/** The number of requests, and how many of them were retries. */
interface TrafficCounts {
  readonly requests: number;
  readonly retries: number;
}

/** Reports whether the server still responds. */
export interface LifeSigns {
  /** Whether the server is unresponsive: a request failed on all attempts, and no response has arrived since then. */
  isLost(): boolean;
  /** Whether the last `maxAttempts` requests all timed out. */
  isSilent(): boolean;
}

export interface Traffic extends LifeSigns {
  /** The maximum number of concurrent requests. */
  readonly ceiling: number;
  /** Limits the number of entities in a read request. */
  readonly batchSize: BatchSize;
  /** Sends a request as soon as the limits allow it and any pause that the server requested is over. */
  run<T>(kind: RequestKind, send: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Whether the server has ever responded. */
  hasAnswered(): boolean;
  /** Records that a request failed on all attempts. */
  noteGivenUp(): void;
  /** Returns the current limit on concurrent requests. */
  limit(): number;
  noteRetry(): void;
  counts(): TrafficCounts;
}

const defaultConcurrency = 8;

/**
 * The number of requests over which the median latency is computed. The limit is raised after the same number of successful
 * requests.
 */
const sampleSize = 20;

/** The maximum number of attempts for a request. */
export const maxAttempts = 5;

/** Median latencies below this value, in milliseconds, do not lower the limit, because they can double by chance. */
const minMedian = 50;

/**
 * Creates traffic control with an adaptive limit on concurrent requests. The limit is halved if the server is busy (429, 503) or
 * if the median latency of the last 20 requests has doubled. It is raised by one after 20 successful requests. `createPace`
 * limits the request rate if the server enforces a rate limit.
 */
export function createTraffic(
  ceiling = defaultConcurrency,
  now: () => number = () => performance.now(),
): Traffic {
  const slots = pLimit(ceiling);
  const latencies: Record<RequestKind, number[]> = { read: [], write: [] };
  const medians = new Map<RequestKind, number>();
  const pace = createPace(now);
  let [requests, retries, good, answered, halvedAt, pausedUntil] = [0, 0, 0, 0, 0, 0];
  // The number of consecutive requests without a response, and the number of consecutive timeouts.
  let [unanswered, late] = [0, 0];
  let isLost = false;

  const halve = (): void => {
    slots.concurrency = Math.max(1, Math.floor(slots.concurrency / 2));
    good = 0;
    halvedAt = now();
  };
  const noteAnswer = (): void => {
    [unanswered, late, isLost] = [0, 0, false];
  };
  const noteGood = (kind: RequestKind, started: number): void => {
    const took = now() - started;
    answered += 1;
    good += 1;
    noteAnswer();
    pace.noteEnd(started, true);
    if (good % sampleSize === 0 && slots.concurrency < ceiling) slots.concurrency += 1;
    const last = latencies[kind];
    last.push(took);
    if (last.length < sampleSize) return;
    const before = medians.get(kind);
    const median = medianOf(last.splice(0));
    medians.set(kind, median);
    if (before !== undefined && median >= minMedian && median >= 2 * before) halve();
  };
  const noteFailure = (error: unknown, started: number): void => {
    const { status, retryAfter } = error instanceof CatalogError ? error.details : {};
    if (status !== undefined) answered += 1;
    if (error instanceof CatalogError && !isNoAnswer(error)) noteAnswer();
    else if (error instanceof CatalogError) {
      unanswered += 1;
      late = error.failure === "timeout" ? late + 1 : 0;
    }
    if (retryAfter !== undefined) pausedUntil = Math.max(pausedUntil, now() + retryAfter);
    if (status === 429) pace.noteRefusal(started);
    else pace.noteEnd(started, false);
    // A request that was already running when the limit was halved does not halve it again, because it encountered the same
    // congestion.
    if ((status === 429 || status === 503) && started >= halvedAt) halve();
  };
  const due = (): number => Math.max(pausedUntil, pace.nextStart()) - now();
  const paused = async (signal?: AbortSignal): Promise<void> => {
    for (let left = due(); left > 0; left = due()) {
      await wait(left, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
    }
  };

  const isSilent = (): boolean => late >= maxAttempts;
  return {
    ceiling,
    batchSize: createBatchSize(isSilent),
    run: (kind, send, signal) =>
      slots(async () => {
        await paused(signal);
        const started = now();
        pace.noteStart(started);
        requests += 1;
        try {
          const answer = await send();
          noteGood(kind, started);
          return answer;
        } catch (error) {
          noteFailure(error, started);
          throw error;
        }
      }),
    hasAnswered: () => answered > 0,
    isLost: () => isLost,
    isSilent,
    noteGivenUp: () => {
      isLost ||= unanswered >= maxAttempts;
    },
    limit: () => slots.concurrency,
    noteRetry: () => {
      retries += 1;
    },
    counts: () => ({ requests, retries }),
  };
}

/** Whether a failure means that the server is unreachable, or that a gateway responded in its place. */
function isNoAnswer({ failure, details }: CatalogError): boolean {
  return details.isTransient === true && ["unreachable", "timeout", "http"].includes(failure);
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

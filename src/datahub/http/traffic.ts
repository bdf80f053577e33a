import { setTimeout as wait } from "node:timers/promises";
import pLimit from "p-limit";
import { CatalogError } from "../../model/catalog-error.ts";
import { type BatchSize, createBatchSize } from "./batch-size.ts";
import { createPace } from "./pace.ts";

/** Whether a request reads or writes: their latencies are not compared with each other. */
type RequestKind = "read" | "write";

/** How many requests were sent, and how many of them again. */
interface TrafficCounts {
  readonly requests: number;
  readonly retries: number;
}

/** The requests of one connection, reads and writes together. */
export interface Traffic {
  /** The most requests at once. */
  readonly ceiling: number;
  /** How many entities a read asks for. */
  readonly batchSize: BatchSize;
  /** Sends a request as soon as there is room for it, and the server does not ask to wait. */
  run<T>(kind: RequestKind, send: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Whether the server has answered at all. */
  hasAnswered(): boolean;
  /** Whether a request was given up after all its tries and nothing was answered since: the server no longer responds. */
  isLost(): boolean;
  /** Whether the last requests were not answered in time, as many in a row as one request is tried. */
  isSilent(): boolean;
  /** Notes that a request was sent as often as a request may be, and failed each time. */
  noteGivenUp(): void;
  /** How many requests may be under way now. */
  limit(): number;
  noteRetry(): void;
  counts(): TrafficCounts;
}

/** The most requests at once, unless more are asked for. */
const defaultConcurrency = 8;

/** Of so many requests the latency is compared with that of as many before, and so many good ones raise the limit. */
const sample = 20;

/** How often a request is sent at most. */
export const maxTries = 5;

/** A median below it doubles by chance. In milliseconds. */
const noise = 50;

/**
 * Traffic under a limit that adapts to the server: it is halved when the server is busy (429, 503), or when the median
 * latency of the last 20 requests has doubled, and raised by one after 20 good ones. A server that limits the rate of
 * requests is asked at the rate at which it answered before it refused.
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
  // How many requests in a row had no answer, and how many of the last ones had none in time.
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
    if (good % sample === 0 && slots.concurrency < ceiling) slots.concurrency += 1;
    const last = latencies[kind];
    last.push(took);
    if (last.length < sample) return;
    const before = medians.get(kind);
    const median = medianOf(last.splice(0));
    medians.set(kind, median);
    if (before !== undefined && median >= noise && median >= 2 * before) halve();
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
    // Requests in flight at the same time met the same congestion.
    if ((status === 429 || status === 503) && started >= halvedAt) halve();
  };
  const due = (): number => Math.max(pausedUntil, pace.nextStart()) - now();
  const paused = async (signal?: AbortSignal): Promise<void> => {
    for (let left = due(); left > 0; left = due()) {
      await wait(left, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
    }
  };

  const isSilent = (): boolean => late >= maxTries;
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
      isLost ||= unanswered >= maxTries;
    },
    limit: () => slots.concurrency,
    noteRetry: () => {
      retries += 1;
    },
    counts: () => ({ requests, retries }),
  };
}

/** Whether a failure is that of a server which is not there, or of a gateway in front of it. */
function isNoAnswer({ failure, details }: CatalogError): boolean {
  return details.isTransient === true && ["unreachable", "timeout", "http"].includes(failure);
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

/** Limits how many requests start within a second, for servers that enforce a rate limit. */

/** Decides when requests may start. Times are in milliseconds. */
export interface RateLimiter {
  /** Returns the earliest time at which the next request may start. */
  nextStart(): number;
  noteStart(time: number): void;
  /** Records that the request that started at `started` was not refused. `isGood` indicates whether it succeeded. */
  noteEnd(started: number, isGood: boolean): void;
  /** Records that the request that started at `started` exceeded the server's rate limit. */
  noteRefusal(started: number): void;
}

const second = 1000;

/** A refusal reveals the server's rate limit only if the server accepted at least this many requests in the second before it. */
const minRequests = 10;

/**
 * The number of successful requests after which the limit is raised above the ceiling. It doubles if the raised limit leads to a
 * refusal.
 */
const raiseAfter = 400;

/** The number of successful requests after which a limit below the ceiling is raised by one. */
const raiseBelowCeilingAfter = 20;

/** If the server accepts less than this fraction of its known limit, its limit is assumed to have decreased. */
const dropFraction = 0.8;

/** A request that the server did not refuse. The server counted it at some time between `start` and `end`. */
interface Accepted {
  readonly start: number;
  end: number | undefined;
}

/** The server's rate limit, if it is known. */
interface Known {
  /** The maximum number of requests within a second. */
  max: number;
  /**
   * An upper bound for the number of requests that the server accepted in the second before a refusal. This includes requests
   * that started slightly earlier, or that overtook the refused request.
   */
  ceiling: number;
  /** The size of the last trial increase of `max`. A refusal reverts the increase. */
  trial: number;
  /** The number of successful requests before `max` is raised again. */
  patience: number;
}

/**
 * Creates a rate limiter. It has no limit until the server refuses a request. From then on, it allows as many requests per second
 * as the server accepted in the second before the refusal. Without a limiter, requests are sent in bursts, and each burst ends in
 * an unnecessarily long wait. A request counts until one second after its response, because the server may have counted it at any
 * time before the response.
 */
export function createPace(now: () => number): RateLimiter {
  let accepted: Accepted[] = [];
  let good = 0;
  const known: Known = { max: Infinity, ceiling: Infinity, trial: 0, patience: raiseAfter };
  const congestion = { until: -Infinity, showsLimit: false };

  return {
    nextStart: () => {
      if (known.max === Infinity) return now();
      const ends = accepted.map(({ end = now() }) => end).toSorted((a, b) => a - b);
      const oldest = ends.at(-known.max);
      return oldest === undefined ? now() : oldest + second;
    },
    noteStart: (start) => {
      accepted = accepted.filter(({ end }) => end === undefined || end > start - 2 * second);
      accepted.push({ start, end: undefined });
    },
    noteEnd: (started, isGood) => {
      const one = accepted.find(({ start, end }) => start === started && end === undefined);
      if (one) one.end = now();
      if (!isGood) return;
      good += 1;
      raise(known, good);
    },
    noteRefusal: (started) => {
      const place = accepted.findIndex(({ start, end }) => start === started && end === undefined);
      if (place >= 0) accepted = accepted.toSpliced(place, 1);
      const edge = started - second;
      const max = accepted.filter(({ start }) => start > edge && start <= started).length;
      const ceiling = accepted.filter(({ end }) => end === undefined || end > edge).length;
      if (max < minRequests) return;
      // If several requests that ran at the same time are refused, the refusals have the same cause and count as one.
      if (started > congestion.until) {
        congestion.showsLimit = max < known.max * dropFraction;
        if (congestion.showsLimit) Object.assign(known, { max, ceiling, trial: 0 });
        else lower(known);
      } else if (congestion.showsLimit) {
        Object.assign(known, { max: Math.min(known.max, max), ceiling: Math.min(known.ceiling, ceiling) });
      }
      [congestion.until, good] = [now(), 0];
    },
  };
}

/** Raises the limit after successful requests: often while it is below the ceiling, and rarely, as a trial, above it. */
function raise(known: Known, good: number): void {
  if (known.max < known.ceiling) {
    if (good % raiseBelowCeilingAfter === 0) known.max += 1;
    return;
  }
  if (good % known.patience !== 0) return;
  known.trial = Math.max(1, known.trial * 2);
  known.max += known.trial;
  known.ceiling = known.max;
}

/**
 * Lowers the limit after a refusal near the limit, and reverts the last trial increase. The next trial increase is one, and
 * requires more successful requests.
 */
function lower(known: Known): void {
  known.max -= Math.max(1, known.trial);
  if (known.trial > 0) known.patience *= 2;
  known.ceiling = known.max;
  known.trial = 0;
}

/** Limits how many requests begin within a second, for servers that refuse requests above a rate. */

/** Decides when requests may begin. Times are in milliseconds. */
export interface RateLimiter {
  /** Returns the earliest time at which another request may begin. */
  nextStart(): number;
  noteStart(time: number): void;
  /** Records that the request that began at that time was not refused. `isGood`: it was answered. */
  noteEnd(started: number, isGood: boolean): void;
  /** Records that the server refused the request that began at that time because of the rate. */
  noteRefusal(started: number): void;
}

const second = 1000;

/** With fewer requests within a second, a refusal does not reveal a rate limit. */
const minRequests = 10;

/** The number of successful answers after which the limit is raised. It doubles if a raise leads to a refusal. */
const raiseAfter = 400;

/** The number of successful answers between raises by one while the limit is below the ceiling. */
const raiseBelowCeilingAfter = 20;

/** If the server accepts less than this fraction of its known limit, the limit has decreased. */
const dropFraction = 0.8;

/** A request that the server did not refuse. The server counted it between these times. */
interface Accepted {
  readonly start: number;
  end: number | undefined;
}

/** The known limit of the server. */
interface Known {
  /** The maximum number of requests within a second. */
  max: number;
  /**
   * The number of requests that the server may have accepted before a refusal: some began at the edge of the second, or
   * overtook the refused one.
   */
  ceiling: number;
  /** The last raise of `max`, which may be too much. */
  trial: number;
  /** The number of good answers before the next raise. */
  patience: number;
}

/**
 * Creates a rate limiter without a limit until the server refuses a request. Then it allows as many requests in any second as the
 * server accepted in the previous one. Without a limiter, requests come in bursts, and each burst ends in an unnecessarily long
 * wait. A request counts until a second after its answer, because the server may count it at any time before.
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
      // Requests that ran at the same time are refused for the same reason.
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

/** Raises the limit after good answers: often below the ceiling, and rarely (on trial) above it. */
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

/** Lowers the limit after a refusal near it. Withdraws the last raise, to try it again later. */
function lower(known: Known): void {
  known.max -= Math.max(1, known.trial);
  if (known.trial > 0) known.patience *= 2;
  known.ceiling = known.max;
  known.trial = 0;
}

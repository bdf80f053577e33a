/** How many requests begin within a second, for a server that limits that. Times are in milliseconds. */
export interface Pace {
  /** The time from which on another request may begin. */
  nextStart(): number;
  noteStart(time: number): void;
  /** The request that began at that time has ended, and was not refused. `isGood`: with an answer. */
  noteEnd(started: number, isGood: boolean): void;
  /** The request that began at that time was refused, because there were too many. */
  noteRefusal(started: number): void;
}

const second = 1000;

/** Fewer requests in a second say nothing about a rate limit. */
const least = 10;

/** After so many good answers more are allowed, and after twice as many where that was refused. */
const calm = 400;

/** After so many one more is allowed, where the server may have taken one more before it refused. */
const calmBelowCeiling = 20;

/** The server takes so much less than it did: its limit has sunk. */
const muchLess = 0.8;

/** A request that the server has not refused: it counted it between these times. */
interface Taken {
  readonly start: number;
  end: number | undefined;
}

/** What is known of the server's limit. */
interface Known {
  /** The most requests within a second. */
  most: number;
  /** So many it may have taken before it refused: some stood at the edge of the second, or overtook the refused one. */
  ceiling: number;
  /** By so many `most` was raised on trial. */
  trial: number;
  /** After so many good answers it is raised. */
  patience: number;
}

/**
 * A pace that is set when the server refuses a request: within any second no more than it had taken in the second before.
 * Without that, requests come in bursts, and each burst ends with a wait that is longer than needed. A request counts until
 * a second after its answer, because it is not known when the server counts it.
 */
export function createPace(now: () => number): Pace {
  let taken: Taken[] = [];
  let good = 0;
  const known: Known = { most: Infinity, ceiling: Infinity, trial: 0, patience: calm };
  const jam = { until: -Infinity, tellsLimit: false };

  return {
    nextStart: () => {
      if (known.most === Infinity) return now();
      const ends = taken.map(({ end = now() }) => end).toSorted((a, b) => a - b);
      const oldest = ends.at(-known.most);
      return oldest === undefined ? now() : oldest + second;
    },
    noteStart: (start) => {
      taken = taken.filter(({ end }) => end === undefined || end > start - 2 * second);
      taken.push({ start, end: undefined });
    },
    noteEnd: (started, isGood) => {
      const one = taken.find(({ start, end }) => start === started && end === undefined);
      if (one) one.end = now();
      if (!isGood) return;
      good += 1;
      raise(known, good);
    },
    noteRefusal: (started) => {
      const place = taken.findIndex(({ start, end }) => start === started && end === undefined);
      if (place >= 0) taken = taken.toSpliced(place, 1);
      const edge = started - second;
      const most = taken.filter(({ start }) => start > edge && start <= started).length;
      const ceiling = taken.filter(({ end }) => end === undefined || end > edge).length;
      if (most < least) return;
      // What was under way together was refused for the same reason.
      if (started > jam.until) {
        jam.tellsLimit = most < known.most * muchLess;
        if (jam.tellsLimit) Object.assign(known, { most, ceiling, trial: 0 });
        else yieldTo(known);
      } else if (jam.tellsLimit) {
        Object.assign(known, { most: Math.min(known.most, most), ceiling: Math.min(known.ceiling, ceiling) });
      }
      [jam.until, good] = [now(), 0];
    },
  };
}

/** Allows more after good answers: soon where the server took more before, else rarely, on trial. */
function raise(known: Known, good: number): void {
  if (known.most < known.ceiling) {
    if (good % calmBelowCeiling === 0) known.most += 1;
    return;
  }
  if (good % known.patience !== 0) return;
  known.trial = Math.max(1, known.trial * 2);
  known.most += known.trial;
  known.ceiling = known.most;
}

/** Allows less after a refusal at the limit that is known. What was tried is taken back, and tried again later. */
function yieldTo(known: Known): void {
  known.most -= Math.max(1, known.trial);
  if (known.trial > 0) known.patience *= 2;
  known.ceiling = known.most;
  known.trial = 0;
}

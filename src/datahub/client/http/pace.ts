/** How many requests begin within a second, for a server that limits that. Times are in milliseconds. */
export interface Pace {
  /** The time from which on another request may begin. */
  nextStart(): number;
  noteStart(time: number): void;
  noteGood(): void;
  /** The request that began at that time was refused, because there were too many. */
  noteRefusal(started: number): void;
}

const second = 1000;

/** Fewer requests in a second tell nothing of a limit of the rate. */
const least = 10;

/**
 * Requests do not arrive just as they begin, so a second of the server is not one of ours. By so much longer is ours at
 * first, and by so much more after a refusal at a limit that is known.
 */
const margin = 40;
const longestSlack = 80;

/** After so many good answers more are allowed, and after twice as many where that was refused. */
const calm = 400;

/** A limit of the rate has sunk where the server takes so much less than it did. */
const muchLess = 0.8;

/** What is known of the server's limit. */
interface Known {
  /** The most requests within a second. */
  most: number;
  /** Whether that may be too low, because requests stood at the edge of the second in which they were counted. */
  isRough: boolean;
  /** By so much a second of ours is longer. */
  slack: number;
  /** By so many `most` was raised on trial. */
  trial: number;
  /** After so many good answers it is raised. */
  patience: number;
}

/**
 * A pace that is set when the server refuses a request: within any second no more than it had taken in the second before.
 * Without that, requests come in bursts, and each burst ends with a wait that is longer than needed.
 */
export function createPace(now: () => number): Pace {
  let taken: number[] = [];
  let [good, hasSearched] = [0, false];
  const known: Known = { most: Infinity, isRough: false, slack: margin, trial: 0, patience: calm };
  const jam = { until: -Infinity, tellsLimit: false };

  const countIn = (after: number, until: number): number =>
    taken.filter((time) => time > after && time <= until).length;
  const noteJam = (before: number, edge: number): void => {
    jam.tellsLimit = before < known.most * muchLess;
    if (!jam.tellsLimit) yieldTo(known);
    else Object.assign(known, { most: before, isRough: countIn(edge - longestSlack, edge) > 0 });
  };
  return {
    nextStart: () => {
      const oldest = taken.at(-known.most);
      return oldest === undefined ? now() : oldest + second + known.slack;
    },
    noteStart: (time) => {
      // The requests of the second after a pause are counted exactly.
      if (known.isRough && !hasSearched && countIn(time - second, time) === 0) {
        [known.most, hasSearched] = [Infinity, true];
      }
      taken.push(time);
      while (taken[0] !== undefined && taken[0] <= time - 2 * second) taken.shift();
    },
    noteGood: () => {
      good += 1;
      if (good % known.patience !== 0) return;
      known.trial = Math.max(1, known.trial * 2);
      known.most += known.trial;
    },
    noteRefusal: (started) => {
      const place = taken.indexOf(started);
      if (place >= 0) taken = taken.toSpliced(place, 1);
      const edge = started - second;
      const before = countIn(edge, started);
      if (before < least) return;
      // What was under way together was refused for the same reason.
      if (started > jam.until) noteJam(before, edge);
      else if (jam.tellsLimit) known.most = Math.min(known.most, before);
      [jam.until, good] = [now(), 0];
    },
  };
}

/** Allows less after a refusal that tells no limit: what was tried is taken back, else our second grows, then `most` sinks. */
function yieldTo(known: Known): void {
  if (known.trial > 0) {
    known.most -= known.trial;
    [known.trial, known.patience] = [0, known.patience * 2];
  } else if (known.slack < longestSlack) known.slack += margin;
  else [known.most, known.slack] = [known.most - 1, margin];
}

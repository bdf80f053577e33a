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

/** Requests do not arrive just as they begin: by so much is a second of the server not one of ours. */
const jitter = 80;

/** Fewer requests in a second tell nothing of a limit of the rate. */
const least = 10;

/** After so many good answers one more is allowed. */
const calm = 200;

/**
 * A pace that is set when the server refuses a request: within any second no more than it had taken in the second before.
 * Without that, requests come in bursts, and each burst ends with a wait that is longer than needed.
 */
export function createPace(now: () => number): Pace {
  let taken: number[] = [];
  let [most, good] = [Infinity, 0];
  return {
    nextStart: () => {
      const oldest = taken.at(-most);
      return oldest === undefined ? now() : oldest + second + jitter;
    },
    noteStart: (time) => {
      taken.push(time);
      while (taken[0] !== undefined && taken[0] <= time - second - jitter) taken.shift();
    },
    noteGood: () => {
      good += 1;
      if (good % calm === 0) most += 1;
    },
    noteRefusal: (started) => {
      const place = taken.indexOf(started);
      if (place >= 0) taken = taken.toSpliced(place, 1);
      const before = taken.filter((time) => time > started - second && time <= started).length;
      if (before >= least) most = Math.min(before, most);
      good = 0;
    },
  };
}

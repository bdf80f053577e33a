/** Computes the pause between a watch's rounds. */

/** The state after a round. All times are in milliseconds. */
interface Ended {
  /** The interval between the beginnings of two rounds. */
  readonly every: number;
  /** The last round's duration. */
  readonly took: number;
  /** The number of consecutive rounds that failed because the server may be down. */
  readonly failures: number;
  /** The pause after the first failure. */
  readonly firstPause: number;
  /** A random number from 0 to 1, so that several watches do not query the server at the same moment. */
  readonly chance: number;
}

const maxPause = 300_000;

/**
 * Returns the pause before the next round: the time left in the interval, plus up to a tenth of the interval. After failures it is
 * at least a pause that doubles with each failure, up to five minutes.
 */
export function pauseAfter({ every, took, failures, firstPause, chance }: Ended): number {
  const rest = every * (1 + chance / 10) - took;
  const pause = failures === 0 ? 0 : Math.min(maxPause, firstPause * 2 ** (failures - 1));
  return Math.max(0, rest, pause);
}

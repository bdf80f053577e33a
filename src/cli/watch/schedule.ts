/** Computes the pause between the rounds of a watch. */

/** The state after a round. All times are in milliseconds. */
interface Ended {
  /** The interval between the starts of consecutive rounds. */
  readonly every: number;
  /** The duration of the last round. */
  readonly took: number;
  /** The number of consecutive rounds that failed because the server may be down. */
  readonly failures: number;
  /** The pause after the first failure. */
  readonly firstPause: number;
  /** A random number from 0 to 1, which keeps several watches from querying the server at the same time. */
  readonly chance: number;
}

const maxPause = 300_000;

/**
 * Returns the pause before the next round: the time left in the interval, plus up to a tenth of the interval. After failures, the
 * pause has a minimum that doubles with each failure, up to five minutes.
 */
export function pauseAfter({ every, took, failures, firstPause, chance }: Ended): number {
  const rest = every * (1 + chance / 10) - took;
  const pause = failures === 0 ? 0 : Math.min(maxPause, firstPause * 2 ** (failures - 1));
  return Math.max(0, rest, pause);
}

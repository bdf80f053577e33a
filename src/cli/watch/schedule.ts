/** What the time of the next round depends on. All times are in milliseconds. */
interface Ended {
  /** From the beginning of a round to that of the next one. */
  readonly every: number;
  /** How long the last round took. */
  readonly took: number;
  /** How many rounds have failed, one after the other, because the server may be down. */
  readonly failures: number;
  /** The pause after the first failure. */
  readonly firstPause: number;
  /** From 0 to 1, by chance, so that several do not ask the server at the same moment. */
  readonly chance: number;
}

const longestPause = 300_000;

/**
 * How long to wait for the next round: the rest of the interval, which is longer by up to a tenth. After failures it is at
 * least a pause that doubles with each, up to five minutes.
 */
export function pauseAfter({ every, took, failures, firstPause, chance }: Ended): number {
  const rest = every * (1 + chance / 10) - took;
  const pause = failures === 0 ? 0 : Math.min(longestPause, firstPause * 2 ** (failures - 1));
  return Math.max(0, rest, pause);
}

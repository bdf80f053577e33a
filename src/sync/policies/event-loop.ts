/** Yields to the event loop during long computations. */

import { setImmediate } from "node:timers/promises";

/**
 * Maximum duration of an uninterrupted computation, in milliseconds. Signals and other requests wait until the computation ends.
 */
const turnLength = 50;

/**
 * Creates a yielder. `isDue` reports whether a yield is due, and `take` yields. `take` throws the signal's reason if it is
 * aborted.
 */
export function createYielder(signal: AbortSignal | undefined): {
  readonly isDue: () => boolean;
  readonly take: () => Promise<void>;
} {
  let started = performance.now();
  return {
    isDue: () => performance.now() - started > turnLength,
    take: async () => {
      await setImmediate();
      signal?.throwIfAborted();
      started = performance.now();
    },
  };
}

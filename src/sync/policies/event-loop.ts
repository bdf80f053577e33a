/** Yields to the event loop during long computations. */

import { setImmediate } from "node:timers/promises";

/** The longest uninterrupted computation, in milliseconds. Signals and other requests have to wait for its end. */
const turnLength = 50;

/** Creates a yielder that reports whether a yield is due, and yields. `take` throws the reason of the signal. */
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

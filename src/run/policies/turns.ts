import { setImmediate } from "node:timers/promises";

/** How long judging keeps the event loop, in milliseconds: signals and requests of others wait that long. */
const turnLength = 50;

/** Yields to the event loop where the last turn began long enough ago. Throws the reason of the signal then. */
export function turns(signal: AbortSignal | undefined): {
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

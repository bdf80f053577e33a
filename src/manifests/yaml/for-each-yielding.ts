/** Runs a synchronous step for many items without blocking the event loop. */

import { setImmediate } from "node:timers/promises";

// The number of items per turn of the event loop: large enough to yield rarely, but small enough not to delay pending requests.
const itemsPerTurn = 50;

/**
 * Runs a step for each item in order. Yields to the event loop regularly, and throws the abort reason if the signal is aborted.
 */
export async function forEachYielding<Item>(
  items: Iterable<Item>,
  step: (item: Item) => void,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  let steps = 0;
  for (const item of items) {
    step(item);
    steps++;
    if (steps % itemsPerTurn > 0) continue;
    await setImmediate();
    signal?.throwIfAborted();
  }
}

/** Runs a synchronous step for many items without blocking the event loop. */

import { setImmediate } from "node:timers/promises";

// Large enough to yield rarely, small enough not to delay requests in flight.
const itemsPerTurn = 50;

/** Runs a step for each item, in order. It yields to the event loop regularly, and then throws the reason of an aborted signal. */
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

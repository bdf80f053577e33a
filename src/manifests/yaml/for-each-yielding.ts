import { setImmediate } from "node:timers/promises";

// Large enough to yield rarely, small enough not to delay requests in flight.
const itemsPerTurn = 50;

/** Takes one step for each item, in order. Yields to the event loop from time to time; throws the reason of the signal then. */
export async function forEachYielding<Item>(
  items: Iterable<Item>,
  step: (item: Item) => void,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  let taken = 0;
  for (const item of items) {
    step(item);
    taken++;
    if (taken % itemsPerTurn > 0) continue;
    await setImmediate();
    signal?.throwIfAborted();
  }
}

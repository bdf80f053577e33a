import { setImmediate } from "node:timers/promises";

// Long enough for few turns of the event loop, short enough that requests under way are not kept waiting.
const itemsATurn = 50;

/** Takes one step for each item, in order, and lets others have their turn in between. */
export async function inTurns<Item>(items: Iterable<Item>, step: (item: Item) => void): Promise<void> {
  let taken = 0;
  for (const item of items) {
    step(item);
    taken++;
    if (taken % itemsATurn === 0) await setImmediate();
  }
}

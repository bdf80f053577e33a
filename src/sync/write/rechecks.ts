/** Waits with increasing delays before a read is repeated, because replicas and caches lag. */

import { setTimeout as wait } from "node:timers/promises";
import type { Urn } from "../../model/urn.ts";
import type { Writer } from "../../datahub/client.ts";
import { firstThree, type PollOptions } from "./poll.ts";

/** The delay before each additional read, as a multiple of the retry delay. By default, the total is 5 s. */
const delays = [1, 2, 3, 4];

/** Limits the additional reads in one step. */
export interface Rechecks {
  /** Waits before the next read. Returns `false` if no reads are left. Throws the signal's reason if it is aborted. */
  next(urns: readonly Urn[]): Promise<boolean>;
}

/** Creates the rechecks for one step, which wait up to 5 s in total. `onWait` is called once with the reason. */
export function createRechecks(
  { retryDelay }: Writer,
  { signal, onWait }: PollOptions,
  text: string,
): Rechecks {
  const left = [...delays];
  return {
    next: async (urns) => {
      const delay = left.shift();
      if (delay === undefined) return false;
      if (left.length === delays.length - 1)
        onWait?.(`${text}: ${firstThree(urns)}; rechecking (5 s at most)`);
      await wait(delay * retryDelay, undefined, signal ? { signal } : {});
      return true;
    },
  };
}

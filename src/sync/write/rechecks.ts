/** Waits with growing delays before repeating a reading, because replicas and caches lag. */

import { setTimeout as wait } from "node:timers/promises";
import type { Urn } from "../../model/urn.ts";
import type { Writer } from "../../datahub/client.ts";
import { firstThree } from "./poll.ts";

/** The delay before each further reading, as a multiple of the usual delay: 5 s in total by default. */
const delays = [1, 2, 3, 4];

/** Limits the further readings in one step. */
export interface Rechecks {
  /** Waits before the next reading. Returns `false` if no reading is left. Throws the reason of the signal. */
  next(urns: readonly Urn[]): Promise<boolean>;
}

/** Creates the rechecks for one step, which wait 5 s in total. `onWait` is called once with the reason. */
export function createRechecks(
  { retryDelay }: Writer,
  {
    signal,
    onWait,
  }: {
    readonly signal?: AbortSignal | undefined;
    readonly onWait?: ((text: string) => void) | undefined;
  },
  text: string,
): Rechecks {
  const left = [...delays];
  return {
    next: async (urns) => {
      const delay = left.shift();
      if (delay === undefined) return false;
      if (left.length === delays.length - 1)
        onWait?.(`${text}: ${firstThree(urns)}; reading again (5 s at most)`);
      await wait(delay * retryDelay, undefined, signal ? { signal } : {});
      return true;
    },
  };
}

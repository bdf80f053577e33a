import { setTimeout as wait } from "node:timers/promises";
import type { Urn } from "../../model/urn.ts";
import type { Writer } from "../../datahub/client.ts";
import { some } from "./poll.ts";

/** By how many delays each further look is later than the one before: with the usual delay 5 s in all. */
const delays = [1, 2, 3, 4];

/** Looks again at what is not as it should be, because the reads of replicas and caches lag. */
export interface Rechecks {
  /** Waits for the next look. Returns whether there is one. Throws the reason of the signal. */
  next(urns: readonly Urn[]): Promise<boolean>;
}

/** The looks of one step, which waits for 5 s in all. `onWait` is told once what they are for. */
export function createRechecks(
  { retryDelay }: Pick<Writer, "retryDelay">,
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
      if (left.length === delays.length - 1) onWait?.(`${text}: ${some(urns)}; reading again (5 s at most)`);
      await wait(delay * retryDelay, undefined, signal ? { signal } : {});
      return true;
    },
  };
}

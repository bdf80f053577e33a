import { setTimeout as wait } from "node:timers/promises";
import type { Urn } from "../../model/urn.ts";
import type { Writer } from "../../datahub/client.ts";

/** Half a minute, with the usual delay between two polls. */
const maxPolls = 60;
const maxMilliseconds = 30_000;

/** How the server is polled. */
export interface PollOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with what the server must do by itself before the apply goes on, once something is waited for. */
  readonly onWait?: ((text: string) => void) | undefined;
}

/**
 * Polls until `readLeft` returns no entities of which something is left that the server does by itself, for half a minute at
 * most. `text` names what is waited for. Throws what `readLeft` throws, and the reason of the signal.
 */
export async function pollUntilDone(
  { retryDelay }: Pick<Writer, "retryDelay">,
  { signal, onWait }: PollOptions,
  text: string,
  readLeft: () => Promise<readonly Urn[]>,
): Promise<void> {
  const end = performance.now() + maxMilliseconds;
  for (let polls = 1; ; polls += 1) {
    const left = await readLeft();
    if (left.length === 0) return;
    if (polls === 1) onWait?.(`${text} ${some(left)} (30 s at most)`);
    if (polls === maxPolls || performance.now() > end) return;
    await wait(retryDelay, undefined, signal ? { signal } : {});
  }
}

/** The first three of some entities, and how many more there are. */
export function some(urns: readonly Urn[]): string {
  const named = urns.slice(0, 3).join(", ");
  return urns.length > 3 ? `${named} and ${urns.length - 3} more` : named;
}

/** Polls the server until a task is done, such as the removal of references, and shortens lists of URNs for messages. */

import { setTimeout as wait } from "node:timers/promises";
import type { Urn } from "../../model/urn.ts";
import type { RetryDelay } from "../../datahub/client.ts";

/** The maximum number of polls. With the usual delay, they take half a minute. */
const maxPolls = 60;
const maxMilliseconds = 30_000;

export interface PollOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called once with a description of the task, if there is something to wait for. */
  readonly onWait?: ((text: string) => void) | undefined;
}

/**
 * Polls until `readLeft` returns no entities with unfinished tasks, but for half a minute at most. `text` describes the task.
 * Throws the errors of `readLeft`, and the reason of the signal.
 */
export async function pollUntilDone(
  { retryDelay }: RetryDelay,
  { signal, onWait }: PollOptions,
  text: string,
  readLeft: () => Promise<readonly Urn[]>,
): Promise<void> {
  const end = performance.now() + maxMilliseconds;
  for (let polls = 1; ; polls += 1) {
    const left = await readLeft();
    if (left.length === 0) return;
    if (polls === 1) onWait?.(`${text} ${firstThree(left)} (30 s at most)`);
    if (polls === maxPolls || performance.now() > end) return;
    await wait(retryDelay, undefined, signal ? { signal } : {});
  }
}

/** Returns the first three URNs, and the number of further URNs. */
export function firstThree(urns: readonly Urn[]): string {
  const named = urns.slice(0, 3).join(", ");
  return urns.length > 3 ? `${named} and ${urns.length - 3} more` : named;
}

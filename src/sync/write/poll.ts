/** Polls the server until a task is done, such as the removal of references. Also shortens lists of URNs for messages. */

import { setTimeout as wait } from "node:timers/promises";
import type { Urn } from "../../model/urn.ts";
import type { RetryDelay } from "../../datahub/client.ts";

/** Maximum number of polls. With the default delay, they take half a minute. */
const maxPolls = 60;
const maxMilliseconds = 30_000;

export interface PollOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called once with a description of the task, if there is something to wait for. */
  readonly onWait?: ((text: string) => void) | undefined;
}

/**
 * Polls until `readLeft` returns no entities, but for at most half a minute. `text` describes the task. Throws any error from
 * `readLeft`, or the signal's reason if it is aborted.
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

/** Returns the first three URNs, and the number of remaining URNs. */
export function firstThree(urns: readonly Urn[]): string {
  const named = urns.slice(0, 3).join(", ");
  return urns.length > 3 ? `${named} and ${urns.length - 3} more` : named;
}

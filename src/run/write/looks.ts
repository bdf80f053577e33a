import { setTimeout as wait } from "node:timers/promises";
import type { Urn } from "../../model/urn.ts";
import type { Writer } from "../../datahub/client.ts";

/** Half a minute, with the usual delay between two looks. */
const mostLooks = 60;
const mostMilliseconds = 30_000;

/** How the server is looked at again and again. */
export interface Looking {
  readonly signal?: AbortSignal | undefined;
  /** Is told what the server must do by itself before the apply goes on, once something is waited for. */
  readonly onWait?: ((text: string) => void) | undefined;
}

/**
 * Looks until nothing is left that the server does by itself, for half a minute at most. `look` returns the entities of which
 * something is left, and `text` what is waited for. Throws what `look` throws, and the reason of the signal.
 */
export async function lookUntilDone(
  { retryDelay }: Pick<Writer, "retryDelay">,
  { signal, onWait }: Looking,
  text: string,
  look: () => Promise<readonly Urn[]>,
): Promise<void> {
  const end = performance.now() + mostMilliseconds;
  for (let looks = 1; ; looks += 1) {
    const left = await look();
    if (left.length === 0) return;
    if (looks === 1) onWait?.(`${text} ${some(left)} (30 s at most)`);
    if (looks === mostLooks || performance.now() > end) return;
    await wait(retryDelay, undefined, signal ? { signal } : {});
  }
}

function some(urns: readonly Urn[]): string {
  const named = urns.slice(0, 3).join(", ");
  return urns.length > 3 ? `${named} and ${urns.length - 3} more` : named;
}

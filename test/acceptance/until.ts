const longest = 60_000;
const pause = { first: 50, factor: 1.5, most: 1000 };

/**
 * Looks until something is so. Throws after a minute, with what was waited for and the last error, and the reason of `signal`
 * once that is aborted.
 */
export async function until(
  what: string,
  look: () => Promise<boolean>,
  {
    signal,
    within = longest,
  }: { readonly signal?: AbortSignal | undefined; readonly within?: number | undefined } = {},
): Promise<void> {
  const end = performance.now() + within;
  for (let wait = pause.first; ; wait = Math.min(wait * pause.factor, pause.most)) {
    signal?.throwIfAborted();
    const failure = await look().then(
      (isSo) => (isSo ? undefined : ""),
      (error: unknown) => `: ${error instanceof Error ? error.message : String(error)}`,
    );
    if (failure === undefined) return;
    if (performance.now() > end) throw new Error(`after ${within / 1000} s still not: ${what}${failure}`);
    await new Promise((later) => setTimeout(later, wait));
  }
}

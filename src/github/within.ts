import type { GithubConnection } from "./connection.ts";

/** Runs what sends one request, for at most so many milliseconds. Throws its error, or the reason of the signal. */
export async function within<T>(
  { signal }: GithubConnection,
  most: number,
  sendOne: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  // AbortSignal.any loses its time-outs to the garbage collector (nodejs/node#57736).
  const ending = new AbortController();
  const end = (): void => ending.abort(signal?.reason);
  const timer = setTimeout(() => ending.abort(new DOMException("no answer in time", "TimeoutError")), most);
  signal?.addEventListener("abort", end);
  try {
    return await sendOne(ending.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

import { setMaxListeners } from "node:events";
import { type Connection, defaultTimeout } from "./connection.ts";
import { catalogError } from "./failure.ts";

/**
 * Sends a request and reads its answer with `send`, which is handed the signal that ends it: after the connection's
 * time-out, and at once when `interrupted` is aborted. Only what reads is given `interrupted`: a write is awaited, because
 * nobody could tell what became of it. Throws the reason of `interrupted`, else `CatalogError`.
 */
export async function request<T>(
  { endpoint, timeout = defaultTimeout }: Connection,
  send: (signal: AbortSignal) => Promise<T>,
  interrupted?: AbortSignal,
): Promise<T> {
  interrupted?.throwIfAborted();
  // AbortSignal.any loses its time-outs to the garbage collector (nodejs/node#57736).
  const ending = new AbortController();
  const end = (): void => ending.abort(interrupted?.reason);
  const timer = setTimeout(() => ending.abort(new DOMException("timed out", "TimeoutError")), timeout);
  if (interrupted) setMaxListeners(0, interrupted);
  interrupted?.addEventListener("abort", end);
  try {
    return await send(ending.signal);
  } catch (error) {
    interrupted?.throwIfAborted();
    throw catalogError(error, endpoint, timeout);
  } finally {
    clearTimeout(timer);
    interrupted?.removeEventListener("abort", end);
  }
}

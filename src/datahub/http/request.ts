/** Sends requests, and handles timeouts and retries. */

import { setMaxListeners } from "node:events";
import pRetry from "p-retry";
import { CatalogError } from "../../model/catalog-error.ts";
import { catalogError } from "./failure.ts";
import { maxAttempts } from "./traffic.ts";
import { type Connection, defaultTimeout, defaultRetryDelay } from "./connection.ts";

export interface RequestOptions {
  /**
   * Aborts a read immediately. A write is not sent after the abort. A write that was already sent is awaited, because its result
   * matters.
   */
  readonly interrupted?: AbortSignal | undefined;
  /**
   * Whether the request is a write. A write is never retried, because the catalog must be reread before the write is repeated.
   */
  readonly isWrite?: boolean;
  /** Whether to retry a failed request. If not, the caller sends a smaller request. */
  readonly isWorthRepeating?: ((error: CatalogError) => boolean) | undefined;
}

/** The maximum wait before a retry, in milliseconds, unless the server specifies the wait. */
const maxDelay = 8_000;

/**
 * Sends a request and reads the response with `send`, whose signal is aborted after the connection's timeout and, for a read, by
 * `interrupted`. Retries a read after network errors, timeouts, and the statuses 429, 502, 503 and 504, with up to five attempts
 * in total. Between attempts, waits as long as the server requests, up to 60 s, or with exponential backoff. Does not retry while
 * the server is unresponsive. Throws the abort reason of `interrupted`, or `CatalogError`.
 */
export async function request<T>(
  connection: Connection,
  send: (signal: AbortSignal) => Promise<T>,
  { interrupted, isWrite = false, isWorthRepeating = () => true }: RequestOptions = {},
): Promise<T> {
  const { traffic, retryDelay = defaultRetryDelay } = connection;
  let tries = 0;
  const isRetried = (error: unknown): boolean => {
    if (!(error instanceof CatalogError) || tries >= maxAttempts || traffic.isLost()) return false;
    if (!isWorthRepeating(error)) return false;
    return mayRepeat(error, traffic.hasAnswered());
  };
  const attempt = async (): Promise<T> => {
    tries += 1;
    if (tries > 1) traffic.noteRetry();
    return await traffic.run(
      isWrite ? "write" : "read",
      () => {
        interrupted?.throwIfAborted();
        return once(connection, send, isWrite ? undefined : interrupted);
      },
      interrupted,
    );
  };
  // Writes do not use p-retry, which would throw the signal's abort reason instead of awaiting a write that was already sent.
  if (isWrite) return await attempt();
  try {
    return await pRetry(attempt, {
      retries: maxAttempts - 1,
      minTimeout: retryDelay,
      maxTimeout: maxDelay,
      randomize: true,
      ...(interrupted && { signal: interrupted }),
      onFailedAttempt: ({ error }) => {
        if (isRetried(error))
          connection.onRetry?.(`${error.message}; retrying (attempt ${tries + 1} of ${maxAttempts})`);
        else if (error instanceof CatalogError && !isWorthRepeating(error))
          connection.onRetry?.(`${error.message}; retrying with smaller requests`);
      },
      shouldRetry: ({ error }) => isRetried(error),
      // `Traffic` already waits as long as the server requests.
      shouldConsumeRetry: ({ error }) =>
        !(error instanceof CatalogError) || (error.details.retryAfter ?? 0) < retryDelay,
    });
  } catch (error) {
    interrupted?.throwIfAborted();
    if (tries >= maxAttempts) traffic.noteGivenUp();
    throw error instanceof CatalogError ? withTries(error, tries) : error;
  }
}

async function once<T>(
  { endpoint, token, traffic, timeout = defaultTimeout }: Connection,
  send: (signal: AbortSignal) => Promise<T>,
  interrupted: AbortSignal | undefined,
): Promise<T> {
  // `AbortSignal.any` is not used, because its timeouts can be garbage-collected before they fire (nodejs/node#57736).
  const ending = new AbortController();
  const end = (): void => ending.abort(interrupted?.reason);
  const timer = setTimeout(() => ending.abort(new DOMException("timed out", "TimeoutError")), timeout);
  if (interrupted) setMaxListeners(0, interrupted);
  interrupted?.addEventListener("abort", end);
  try {
    return await send(ending.signal);
  } catch (error) {
    interrupted?.throwIfAborted();
    throw catalogError(error, endpoint, { timeout, token, hasAnswered: traffic.hasAnswered() });
  } finally {
    clearTimeout(timer);
    interrupted?.removeEventListener("abort", end);
  }
}

/** Whether a retry may succeed. If a server has never responded and refuses connections, it probably does not exist. */
function mayRepeat({ details, failure }: CatalogError, hasAnswered: boolean): boolean {
  if (details.isTransient !== true) return false;
  return failure !== "unreachable" || details.isUndone !== true || hasAnswered;
}

function withTries(error: CatalogError, tries: number): CatalogError {
  const { failure, message, details } = error;
  return tries === 1 ? error : new CatalogError(failure, `${message} (tried ${tries} times)`, details);
}

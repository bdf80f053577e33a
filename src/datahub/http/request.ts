/** Sends a request, including timeouts and retries. */

import { setMaxListeners } from "node:events";
import pRetry from "p-retry";
import { CatalogError } from "../../model/catalog-error.ts";
import { catalogError } from "./failure.ts";
import { maxAttempts } from "./traffic.ts";
import { type Connection, defaultTimeout, defaultRetryDelay } from "./connection.ts";

export interface RequestOptions {
  /** Aborts a read immediately. A write is not sent after the abort; a sent write is awaited, because its result matters. */
  readonly interrupted?: AbortSignal | undefined;
  /** Whether the request writes. A write is sent once, because it must not be repeated before the catalog is read again. */
  readonly isWrite?: boolean;
  /** Whether a failed request is worth a retry. If not, the caller sends a smaller one. */
  readonly isWorthRepeating?: ((error: CatalogError) => boolean) | undefined;
}

/** The maximum wait before a retry, in milliseconds, if the server requests none. */
const maxDelay = 8_000;

/**
 * Sends a request and reads its answer with `send`, whose signal is aborted after the connection's timeout and, for a read, by
 * `interrupted`. Makes up to five attempts at a read that may succeed later: after network errors, timeouts, 429, 502, 503 and 504.
 * Waits between attempts as long as the server requests, up to 60 s, or with exponential backoff. Does not retry while the server
 * is lost. Throws the reason of `interrupted`, or `CatalogError`.
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
  // Awaits a sent write. p-retry would throw the reason of the signal.
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
          connection.onRetry?.(`${error.message}; try ${tries + 1} of ${maxAttempts} follows`);
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
  // AbortSignal.any loses timeouts to the garbage collector (nodejs/node#57736).
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

/** Whether a retry may succeed. A server that never answered and refuses connections probably does not exist. */
function mayRepeat({ details, failure }: CatalogError, hasAnswered: boolean): boolean {
  if (details.isTransient !== true) return false;
  return failure !== "unreachable" || details.isUndone !== true || hasAnswered;
}

/** Adds the number of attempts to a failure. */
function withTries(error: CatalogError, tries: number): CatalogError {
  const { failure, message, details } = error;
  return tries === 1 ? error : new CatalogError(failure, `${message} (tried ${tries} times)`, details);
}

import { setMaxListeners } from "node:events";
import pRetry from "p-retry";
import { CatalogError } from "../../model/catalog-error.ts";
import { type Connection, defaultRetryDelay, defaultTimeout } from "../connection.ts";
import { catalogError } from "./failure.ts";
import { maxTries } from "./traffic.ts";

/** How a request is sent. */
export interface RequestOptions {
  /** Ends a read at once. A write is not sent once it is aborted; one that was sent is awaited, because its result must be known. */
  readonly interrupted?: AbortSignal | undefined;
  /** Whether it writes: then it is sent once. It must not be sent again before the catalog was looked at again. */
  readonly isWrite?: boolean;
  /** Whether the same request is worth another try after a failure; where it is not, less is asked for. */
  readonly isWorthRepeating?: ((error: CatalogError) => boolean) | undefined;
}

/** The longest wait before another try, where the server asks for none. In milliseconds. */
const longestDelay = 8_000;

/**
 * Sends a request and reads its answer with `send`, which is handed the signal that ends it: after the connection's
 * time-out, and where it reads at once when `interrupted` is aborted. What reads, fails and may succeed is tried again, five
 * times in all: network errors, time-outs, 429, 502, 503, 504, after the wait that the server asks for, up to 60 s, or with
 * exponential back-off. Nothing is tried again while the server is lost. Throws the reason of `interrupted`, else
 * `CatalogError`.
 */
export async function request<T>(
  connection: Connection,
  send: (signal: AbortSignal) => Promise<T>,
  { interrupted, isWrite = false, isWorthRepeating = () => true }: RequestOptions = {},
): Promise<T> {
  const { traffic, retryDelay = defaultRetryDelay } = connection;
  let tries = 0;
  const again = (error: unknown): boolean => {
    if (!(error instanceof CatalogError) || tries >= maxTries || traffic.isLost()) return false;
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
  // What is under way is awaited, where p-retry would throw the reason of the signal.
  if (isWrite) return await attempt();
  try {
    return await pRetry(attempt, {
      retries: maxTries - 1,
      minTimeout: retryDelay,
      maxTimeout: longestDelay,
      randomize: true,
      ...(interrupted && { signal: interrupted }),
      onFailedAttempt: ({ error }) => {
        if (again(error)) connection.onRetry?.(`${error.message}; try ${tries + 1} of ${maxTries} follows`);
        else if (error instanceof CatalogError && !isWorthRepeating(error))
          connection.onRetry?.(`${error.message}; less is asked for at once`);
      },
      shouldRetry: ({ error }) => again(error),
      // The wait that the server asks for is all traffic's.
      shouldConsumeRetry: ({ error }) =>
        !(error instanceof CatalogError) || (error.details.retryAfter ?? 0) < retryDelay,
    });
  } catch (error) {
    interrupted?.throwIfAborted();
    if (tries >= maxTries) traffic.noteGivenUp();
    throw error instanceof CatalogError ? withTries(error, tries) : error;
  }
}

async function once<T>(
  { endpoint, token, traffic, timeout = defaultTimeout }: Connection,
  send: (signal: AbortSignal) => Promise<T>,
  interrupted: AbortSignal | undefined,
): Promise<T> {
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
    throw catalogError(error, endpoint, { timeout, token, hasAnswered: traffic.hasAnswered() });
  } finally {
    clearTimeout(timer);
    interrupted?.removeEventListener("abort", end);
  }
}

/** Whether a request may be sent again. A server that cannot be connected to and never answered is not there. */
function mayRepeat({ details, failure }: CatalogError, hasAnswered: boolean): boolean {
  if (details.isTransient !== true) return false;
  return failure !== "unreachable" || details.isUndone !== true || hasAnswered;
}

/** A failure with what was done about it. */
function withTries(error: CatalogError, tries: number): CatalogError {
  const { failure, message, details } = error;
  return tries === 1 ? error : new CatalogError(failure, `${message} (tried ${tries} times)`, details);
}

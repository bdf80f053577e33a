/** Defines a connection to one server, the default timeout, and the default retry delay. */

import type { Endpoint } from "../endpoint.ts";
import type { ReadMode } from "../../model/live.ts";
import type { Send } from "./send.ts";
import type { Traffic } from "./traffic.ts";

/** A connection to one server. */
export interface Connection {
  readonly endpoint: Endpoint;
  /** The access token for requests. The value changes when the token is renewed. */
  readonly token?: string | undefined;
  /** The timeout for a request, in milliseconds. */
  readonly timeout?: number | undefined;
  /** The wait before the first retry, in milliseconds. */
  readonly retryDelay?: number | undefined;
  /** Receives a message before each retry. */
  readonly onRetry?: ((text: string) => void) | undefined;
  /** Receives notes for users about how the catalog was read. */
  readonly onNote?: (text: string) => void;
  /** How to read assets. The default is GraphQL. */
  readonly reads?: ReadMode | undefined;
  /** Sends one request with the token. Callers are responsible for limits and retries. */
  readonly send: Send;
  /** Limits and counts all requests over this connection. */
  readonly traffic: Traffic;
  /** Closes idle connections to the server. Connections through a dispatcher close by themselves. */
  readonly close: () => void;
}

/**
 * The default timeout for a request, in milliseconds. DataHub's own timeout is 55 s (GraphQLController.java), so DataHub's error
 * arrives first.
 */
export const defaultTimeout = 60_000;

/** The wait before the first retry, in milliseconds. It doubles with each retry. */
export const defaultRetryDelay = 500;

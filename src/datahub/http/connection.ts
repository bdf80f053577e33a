/** Defines a connection to one server, and its default timeout and delays. */

import type { Endpoint } from "../endpoint.ts";
import type { ReadMode } from "../../model/live.ts";
import type { Send } from "./send.ts";
import type { Traffic } from "./traffic.ts";

/** A connection to one server. */
export interface Connection {
  readonly endpoint: Endpoint;
  /** The access token for requests. It changes when it is renewed. */
  readonly token?: string | undefined;
  /** The timeout for a request, in milliseconds. */
  readonly timeout?: number;
  /** The first wait before a retry, in milliseconds. */
  readonly retryDelay?: number;
  /** Receives a message before each retry. */
  readonly onRetry?: (text: string) => void;
  /** Receives notes for users about how a result was read. */
  readonly onNote?: (text: string) => void;
  /** How to read assets. The default is GraphQL. */
  readonly reads?: ReadMode | undefined;
  /** Sends one request with the token. Callers decide about limits and retries. */
  readonly send: Send;
  /** Limits and counts all requests over this connection. */
  readonly traffic: Traffic;
  /** Closes idle connections to the server. Connections through a dispatcher close by themselves. */
  readonly close: () => void;
}

/** Longer than the 55 s after which DataHub itself gives up (GraphQLController.java), so that DataHub's own error arrives. */
export const defaultTimeout = 60_000;

/** The first wait before a retry, in milliseconds. It doubles with each retry. */
export const defaultRetryDelay = 500;

import { type Endpoint, endpointOf } from "./endpoint.ts";

/** Where a DataHub is asked, and how. */
export interface Connection {
  readonly endpoint: Endpoint;
  /** The access token; without one requests carry none. */
  readonly token?: string | undefined;
  /** How long one request may take, in milliseconds. */
  readonly timeout?: number;
}

/** Above the 55 s after which DataHub itself gives up (GraphQLController.java), so that its own answer is seen. */
export const defaultTimeout = 60_000;

/** A signal that ends a request when it takes too long, or when `signal` is given. */
export function withTimeout(timeout: number, signal?: AbortSignal): AbortSignal {
  const late = AbortSignal.timeout(timeout);
  return signal ? AbortSignal.any([signal, late]) : late;
}

/** Why there is no connection. */
export type ConnectionFailure =
  | "no-server"
  | "implicit-server"
  | "unreadable-file"
  | "bad-address"
  | "bad-token";

/** No connection can be made of what was given or found. Nothing was sent. The message never holds the token. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly failure: ConnectionFailure;
  /** The file that names the server, where the failure is about one. */
  readonly file: string | undefined;

  constructor(failure: ConnectionFailure, message: string, file?: string) {
    super(message);
    this.failure = failure;
    this.file = file;
  }
}

/** The connection to an address. Sends nothing. Throws `ConnectionError` on an address or token that cannot be one. */
export function connectionTo(address: string, options: Omit<Connection, "endpoint"> = {}): Connection {
  const endpoint = endpointOf(address);
  if ("fault" in endpoint) throw new ConnectionError("bad-address", endpoint.fault);
  // The error that an HTTP client makes of such a token would repeat it.
  if (options.token !== undefined && !/^[\x21-\x7e]+$/.test(options.token)) {
    const message = "the token contains white space or invalid characters; check DATAHUB_GMS_TOKEN";
    throw new ConnectionError("bad-token", message);
  }
  return { ...options, endpoint };
}

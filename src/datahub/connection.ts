/** Creates connections to a DataHub server, with a token, a proxy and limits. */

import { CatalogError } from "../model/catalog-error.ts";
import { type Endpoint, endpointOf } from "./endpoint.ts";
import { limitBody } from "./http/answer-limits.ts";
import type { Dispatcher } from "./http/dispatcher.ts";
import { createPlainSend } from "./http/plain-send.ts";
import type { Outgoing, Send } from "./http/send.ts";
import { createTraffic } from "./http/traffic.ts";
import type { Connection } from "./http/connection.ts";

/** Options for a connection. */
export interface ConnectionOptions extends Omit<Connection, "endpoint" | "send" | "traffic" | "close"> {
  /** Sends the requests if there is a proxy or a client certificate. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Rereads the token after HTTP 401. Returns `undefined` if that fails. */
  readonly renewToken?: (() => string | undefined) | undefined;
  /** The maximum number of concurrent requests. */
  readonly concurrency?: number | undefined;
}

/** The reasons why a connection cannot be created. */
export type ConnectionFailure =
  | "no-server"
  | "implicit-server"
  | "unreadable-file"
  | "bad-address"
  | "bad-token";

/**
 * The error for a connection that cannot be created. It is thrown before any request is sent. The message never contains the
 * token.
 */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly failure: ConnectionFailure;
  /** The file that causes the failure, if any. */
  readonly file: string | undefined;

  constructor(failure: ConnectionFailure, message: string, file?: string) {
    super(message);
    this.failure = failure;
    this.file = file;
  }
}

/**
 * Creates a connection to a server URL, without sending a request. Throws `ConnectionError` if the URL or the token is invalid.
 */
export function connectionTo(
  address: string,
  { concurrency, dispatcher, renewToken, ...options }: ConnectionOptions = {},
): Connection {
  const endpoint = endpointOf(address);
  if ("fault" in endpoint) throw new ConnectionError("bad-address", endpoint.fault);
  requireToken(options.token);
  const { send: way, close } = dispatcher
    ? { send: throughProxy(sendOver({ dispatcher, endpoint }), dispatcher, endpoint), close: () => {} }
    : createPlainSend(endpoint.address);
  let { token } = options;
  const renewed = (): string | undefined => {
    const next = renewToken?.();
    if (next === undefined || next === token) return undefined;
    requireToken(next);
    token = next;
    return next;
  };
  const send: Send = async (to, outgoing) => {
    if (token === undefined) return await way(to, outgoing);
    const received = await way(to, withToken(outgoing, token));
    // After HTTP 401, even a write can be repeated, because the server did not carry it out.
    const next = received.status === 401 ? renewed() : undefined;
    return next === undefined ? received : await way(to, withToken(outgoing, next));
  };
  return {
    ...options,
    get token() {
      return token;
    },
    endpoint,
    send,
    close,
    traffic: createTraffic(concurrency),
  };
}

// Checks the token before any request, because an HTTP client's error about an invalid token would contain the token.
function requireToken(token: string | undefined): void {
  if (token === undefined || /^[\x21-\x7e]+$/.test(token)) return;
  const message = `the token contains white space or invalid characters; check ${tokenVariables}`;
  throw new ConnectionError("bad-token", message);
}

const tokenVariables = "DATAHUB_GMS_TOKEN or DATAHUB_GMS_TOKEN_FILE";

function withToken(outgoing: Outgoing, token: string): Outgoing {
  return { ...outgoing, headers: { ...outgoing.headers, authorization: `Bearer ${token}` } };
}

function sendOver(way: Route): Send {
  const fetching = fetchOver(way);
  return (address, { body, ...outgoing }) =>
    fetching(address, {
      ...outgoing,
      redirect: "manual",
      ...(body !== undefined && { method: "POST", body }),
    });
}

/** Wraps `send`. If a proxy refuses a request, the error identifies the proxy. */
function throughProxy(send: Send, { proxyOf }: Dispatcher, { address }: Endpoint): Send {
  return async (to, outgoing) => {
    const refused = (status: number): CatalogError => {
      const proxy = `the proxy ${proxyOf?.(to) ?? ""}`;
      const message =
        status === 407
          ? `${proxy} requires a valid user name and password (HTTP 407); set them in its URL: http://USER:PASSWORD@HOST:PORT`
          : `${proxy} refused to connect to ${address} (HTTP ${status}); allow the connection in the proxy, or add the host to NO_PROXY`;
      return new CatalogError("unreachable", message, { status, isUndone: true });
    };
    try {
      const received = await send(to, outgoing);
      if (received.status === 407 && proxyOf?.(to) !== undefined) throw refused(407);
      return received;
    } catch (error) {
      const status = refusalOf(error);
      throw status === undefined ? error : refused(status);
    }
  };
}

/**
 * Returns the HTTP status with which a proxy refused a request, if the error contains it (undici, proxy-agent.js and
 * fetch/index.js).
 */
function refusalOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if (/^proxy authentication required\b/i.test(error.message)) return 407;
  const status = /^Proxy response \((\d+)\)/.exec(error.message)?.[1];
  return status === undefined ? refusalOf(error.cause) : Number(status);
}

/** How `fetch` sends requests, and the server URL for error messages. */
interface Route {
  readonly dispatcher?: Dispatcher | undefined;
  readonly endpoint: { readonly address: string };
}

/**
 * Creates a `fetch` function that sends requests through a dispatcher, if there is one. `limitBody` limits the size of responses.
 */
export function fetchOver({ dispatcher, endpoint }: Route): typeof fetch {
  // Node.js bundles a different undici version with different types, but its `fetch` accepts a newer dispatcher.
  const own = dispatcher && ({ dispatcher } as unknown as RequestInit);
  return async (input, init) => limitBody(await fetch(input, { ...init, ...own }), endpoint.address);
}

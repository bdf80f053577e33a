import { CatalogError } from "../model/catalog-error.ts";
import type { Reads } from "../model/live.ts";
import { type Endpoint, endpointOf } from "./endpoint.ts";
import { limitBody } from "./http/answered.ts";
import type { Dispatcher } from "./http/dispatcher.ts";
import { createPlainSend } from "./http/plain-send.ts";
import type { Outgoing, Send } from "./http/send.ts";
import { createTraffic, type Traffic } from "./http/traffic.ts";

/** Where a DataHub is asked, and how. */
export interface Connection {
  readonly endpoint: Endpoint;
  /** The access token that requests carry now; without one they carry none. */
  readonly token?: string | undefined;
  /** How long one request may take, in milliseconds. */
  readonly timeout?: number;
  /** The first wait before a request is sent again, in milliseconds. */
  readonly retryDelay?: number;
  /** Receives a message when a request fails and is tried again. */
  readonly onRetry?: (text: string) => void;
  /** Receives what whoever reads the result should know of the way it was read. */
  readonly onNote?: (text: string) => void;
  /** How assets are read; by GraphQL where it is not said. */
  readonly reads?: Reads | undefined;
  /** Sends one request to the endpoint, with the token, and leaves to others when and how often. */
  readonly send: Send;
  /** All its requests. */
  readonly traffic: Traffic;
  /** Ends what is kept open to the server. A proxy's is ended by itself. */
  readonly close: () => void;
}

/** What can be chosen of a connection. */
export interface ConnectionOptions extends Omit<Connection, "endpoint" | "send" | "traffic" | "close"> {
  /** What sends its requests, where there is a proxy or a client certificate. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Reads the token again after HTTP 401; `undefined` where it cannot be read. */
  readonly renewToken?: (() => string | undefined) | undefined;
  /** The most requests at once. */
  readonly concurrency?: number | undefined;
}

/** Above the 55 s after which DataHub itself gives up (GraphQLController.java), so that its own answer is seen. */
export const defaultTimeout = 60_000;

/** Doubled with each try. In milliseconds. */
export const defaultRetryDelay = 500;

/** Why no connection is possible. */
export type ConnectionFailure =
  | "no-server"
  | "implicit-server"
  | "unreadable-file"
  | "bad-address"
  | "bad-token";

/** No connection is possible. Nothing was sent. The message never contains the token. */
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
    // It was not carried out, so it may be sent again, whatever it is.
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

// The error that an HTTP client makes of such a token would repeat it.
function requireToken(token: string | undefined): void {
  if (token === undefined || /^[\x21-\x7e]+$/.test(token)) return;
  const message = `the token contains white space or invalid characters; check ${tokenVariables}`;
  throw new ConnectionError("bad-token", message);
}

/** The variables of the environment that the token comes from. */
const tokenVariables = "DATAHUB_GMS_TOKEN or DATAHUB_GMS_TOKEN_FILE";

function withToken(outgoing: Outgoing, token: string): Outgoing {
  return { ...outgoing, headers: { ...outgoing.headers, authorization: `Bearer ${token}` } };
}

function sendOver(way: Way): Send {
  const fetching = fetchOver(way);
  return (address, { body, ...outgoing }) =>
    fetching(address, {
      ...outgoing,
      redirect: "manual",
      ...(body !== undefined && { method: "POST", body }),
    });
}

/** The same where a proxy may refuse to pass requests on: then the failure names it. */
function throughProxy(send: Send, { proxyOf }: Dispatcher, { address }: Endpoint): Send {
  return async (to, outgoing) => {
    const refused = (status: number): CatalogError => {
      const proxy = `the proxy ${proxyOf?.(to) ?? ""}`;
      const message =
        status === 407
          ? `${proxy} wants a user name and a password (HTTP 407), or other ones; put them into its address: http://USER:PASSWORD@HOST:PORT`
          : `${proxy} does not connect to ${address} (HTTP ${status}); let it, or name the host in NO_PROXY`;
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

/** The status with which a proxy refused a request, by what `fetch` wraps (undici, proxy-agent.js and fetch/index.js). */
function refusalOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if (/^proxy authentication required\b/i.test(error.message)) return 407;
  const status = /^Proxy response \((\d+)\)/.exec(error.message)?.[1];
  return status === undefined ? refusalOf(error.cause) : Number(status);
}

/** What sends requests, and what failures call the server. */
interface Way extends Pick<ConnectionOptions, "dispatcher"> {
  readonly endpoint: Pick<Endpoint, "address">;
}

/** Sends requests by Node's `fetch`. Of an answer no more is read than `bounded` lets through. */
export function fetchOver({ dispatcher, endpoint }: Way): typeof fetch {
  // The types of Node's own version of undici are not those of the newer one, which its fetch takes all the same.
  const own = dispatcher && ({ dispatcher } as unknown as RequestInit);
  return async (input, init) => limitBody(await fetch(input, { ...init, ...own }), endpoint.address);
}

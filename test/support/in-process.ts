import { EventEmitter } from "node:events";
import http, { IncomingMessage, type RequestOptions, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { RequestRouter } from "../../src/local-catalog/http/router.ts";

// The catalogs of tests run in the process of the product that they test. A third of the processor time of a plan or an
// apply was that of the sockets and streams between the two.

/** What answers requests without a socket, by its host and port. */
const served = new Map<string, RequestRouter>();

const { request: requestOverSocket } = http;

Object.assign(http, {
  // With a callback it is no request of the product.
  request: (url: URL, options: Options, answered?: (answer: IncomingMessage) => void) => {
    const route = answered ? undefined : served.get(url.host);
    return route ? new SentRequest(route, url, options) : requestOverSocket(url, options, answered);
  },
});

/**
 * Has requests to an address, which the product sends in this process, answered without a socket, until the returned function is
 * called. All others come to the server at the address: those of other processes, of `fetch`, and of what imports `request` by name.
 */
export function answerInProcess(address: string, route: RequestRouter): () => void {
  const { host } = new URL(address);
  served.set(host, route);
  return () => void served.delete(host);
}

interface Options extends RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

/** As much of a `ClientRequest` as the product uses. */
class SentRequest extends EventEmitter {
  readonly #send: (body: string | undefined) => void;
  #isSettled = false;

  constructor(route: RequestRouter, { host, pathname, search }: URL, options: Options) {
    super();
    const { method, headers, signal } = options;
    signal?.addEventListener("abort", () => this.#settle("error", signal.reason));
    this.#send = (body) => {
      if (signal?.aborted) {
        this.#settle("error", signal.reason);
        return;
      }
      const known = { method, url: pathname + search, headers: { ...headers, host }, complete: true };
      const incoming = Object.assign(new IncomingMessage(noSocket), known);
      const response = new KeptResponse((message) => this.#settle("response", message));
      route(incoming, response as unknown as ServerResponse).catch((error: unknown) => {
        this.#settle("error", error);
      });
      if (body !== undefined) incoming.push(Buffer.from(body));
      incoming.push(null);
    };
  }

  /** There is one answer or one error, whatever comes later: nobody would listen to it. */
  #settle(event: "response" | "error", what: unknown): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.emit(event, what);
  }

  /** Timers and what the system reports come between two requests, as with a socket. */
  end(body?: string): void {
    setImmediate(this.#send, body);
  }
}

const noSocket = new Socket();

/** As much of the answer as the product reads. */
type Message = Pick<IncomingMessage, "statusCode" | "headers"> & Iterable<Buffer>;

/** As much of a `ServerResponse` as the local catalog uses. */
class KeptResponse extends EventEmitter {
  statusCode = 200;
  headersSent = false;
  writableEnded = false;
  readonly #headers: Record<string, string> = { date: new Date().toUTCString() };
  readonly #chunks: Buffer[] = [];
  readonly #answered: (message: Message) => void;

  constructor(answered: (message: Message) => void) {
    super();
    this.#answered = answered;
  }

  setHeader(name: string, value: unknown): void {
    this.#headers[name.toLowerCase()] = String(value);
  }

  writeHead(
    status: number,
    ...rest: readonly (string | Readonly<Record<string, unknown>> | undefined)[]
  ): this {
    this.statusCode = status;
    this.headersSent = true;
    for (const [name, value] of Object.entries(rest.at(-1) ?? {})) this.setHeader(name, value);
    return this;
  }

  write(chunk: string | Uint8Array): boolean {
    this.#chunks.push(Buffer.from(chunk));
    return true;
  }

  end(chunk?: string | Uint8Array | null): this {
    if (chunk) this.write(chunk);
    [this.headersSent, this.writableEnded] = [true, true];
    const chunks = this.#chunks;
    this.#answered({
      statusCode: this.statusCode,
      headers: this.#headers,
      [Symbol.iterator]: () => chunks.values(),
    });
    this.emit("finish");
    this.emit("close");
    return this;
  }
}

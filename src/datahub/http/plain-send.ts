/** Sends requests with the `http` module in Node.js, over persistent connections and without a proxy. */

import http, { type Agent, type IncomingMessage } from "node:http";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { errorCode } from "../../model/text/error-text.ts";
import { truncatedAnswer, maxBytes, tooLarge } from "./answer-limits.ts";
import type { Outgoing, Received, Send } from "./send.ts";

/**
 * The idle time, in milliseconds, after which connections are checked before the next request. Servers close idle connections
 * after a few seconds.
 */
const minIdle = 1000;

/**
 * Creates a sender that does not use `fetch`. Loading `fetch` takes 12 MB of memory, and handling its streams takes twice as long
 * as sending the request. Responses are limited to `maxBytes`. Error messages contain `address`. `close` closes the connections.
 */
export function createPlainSend(address: string): { readonly send: Send; readonly close: () => void } {
  let transport: Promise<Transport> | undefined;
  let lastUsed = Date.now();
  const ask = async (url: URL, { headers, body, signal }: Outgoing): Promise<Received> => {
    const { library, agent } = await (transport ??= transportFor(url.protocol));
    if (Date.now() - lastUsed > minIdle) await seeEndedConnections();
    lastUsed = Date.now();
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = {
        agent,
        method: body === undefined ? "GET" : "POST",
        headers: { "accept-encoding": "gzip, deflate", ...headers },
        signal,
      };
      library.request(url, options).once("response", resolve).once("error", reject).end(body);
    });
    const received = await receivedOf(message, address);
    lastUsed = Date.now();
    return received;
  };
  const send: Send = async (to, outgoing) => {
    try {
      return await ask(new URL(to), outgoing);
    } catch (error) {
      outgoing.signal?.throwIfAborted();
      throw error;
    }
  };
  return { send, close: () => void transport?.then(({ agent }) => agent.destroy()) };
}

/**
 * Gives Node.js time to notice which connections the server closed while this process was busy. A request over a closed
 * connection would fail, and the result of a write would be unknown.
 */
async function seeEndedConnections(): Promise<void> {
  // The first turn of the event loop may run before Node.js polls the network.
  await setImmediate();
  await setImmediate();
}

interface Transport {
  readonly library: Pick<typeof http, "request">;
  readonly agent: Agent;
}

// Loads TLS only if needed, because TLS takes 3 MB of memory.
async function transportFor(protocol: string): Promise<Transport> {
  const library = protocol === "https:" ? (await import("node:https")).default : http;
  return { library, agent: new library.Agent({ keepAlive: true }) };
}

async function receivedOf(message: IncomingMessage, address: string): Promise<Received> {
  const text = new TextDecoder().decode(await bytesOf(message, address));
  const { statusCode: status = 0, headers } = message;
  const get = (name: string): string | null => {
    const value = headers[name.toLowerCase()];
    return typeof value === "string" ? value : null;
  };
  return { ok: status >= 200 && status < 300, status, headers: { get }, text: async () => text };
}

const decoders = new Map([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

async function bytesOf(message: IncomingMessage, address: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) throw tooLarge(address);
    }
  } catch (error) {
    throw errorCode(error) === "ECONNRESET" ? truncatedAnswer(address) : error;
  }
  const sent = Buffer.concat(chunks, length);
  const decode = decoders.get(message.headers["content-encoding"]?.trim().toLowerCase() ?? "");
  if (!decode || length === 0) return sent;
  try {
    return await decode(sent, { maxOutputLength: maxBytes });
  } catch (error) {
    const code = errorCode(error);
    if (code === "Z_BUF_ERROR") throw truncatedAnswer(address);
    throw code === "ERR_BUFFER_TOO_LARGE" ? tooLarge(address) : error;
  }
}

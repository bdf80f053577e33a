import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { errorCode } from "../../../text/error-text.ts";
import { mostBytes, tooLarge } from "./answered.ts";

/** What is used of an answer. */
type PlainResponse = Pick<Response, "ok" | "status" | "headers" | "text">;

/**
 * Sends requests as `fetch` does, over connections that are kept, without proxies and without following redirects. The
 * streams of `fetch` take twice as long as the sending: GraphQL is sent with this. Of an answer no more is read
 * than `bounded` lets through. `address` is what failures call the server.
 */
export function createPlainFetch(address: string): typeof fetch {
  const ways = {
    http: { library: http, agent: new http.Agent({ keepAlive: true }) },
    https: { library: https, agent: new https.Agent({ keepAlive: true }) },
  };
  const ask = async (url: URL, init: RequestInit): Promise<PlainResponse> => {
    const { library, agent } = url.protocol === "https:" ? ways.https : ways.http;
    const { method = "GET", body, signal } = init;
    const headers = Object.fromEntries(new Headers(init.headers));
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { agent, method, headers: { "accept-encoding": "gzip, deflate", ...headers } };
      const sent = library.request(url, { ...options, ...(signal && { signal }) });
      sent.once("response", resolve).once("error", reject);
      sent.end(typeof body === "string" ? body : undefined);
    });
    return await answerOf(message, address);
  };
  return async (input, init = {}) => {
    try {
      // It has all that the client library looks at.
      return (await ask(new URL(input instanceof Request ? input.url : input), init)) as Response;
    } catch (error) {
      init.signal?.throwIfAborted();
      throw error;
    }
  };
}

async function answerOf(message: IncomingMessage, address: string): Promise<PlainResponse> {
  const text = new TextDecoder().decode(await bytesOf(message, address));
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    if (typeof value === "string") headers.set(name, value);
  }
  const { statusCode: status = 0 } = message;
  return { ok: status >= 200 && status < 300, status, headers, text: async () => text };
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
  for await (const chunk of message as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > mostBytes) throw tooLarge(address);
  }
  const sent = Buffer.concat(chunks, length);
  const decode = decoders.get(message.headers["content-encoding"]?.trim().toLowerCase() ?? "");
  if (!decode || length === 0) return sent;
  try {
    return await decode(sent, { maxOutputLength: mostBytes });
  } catch (error) {
    throw errorCode(error) === "ERR_BUFFER_TOO_LARGE" ? tooLarge(address) : error;
  }
}

/** Reads request bodies up to a maximum size, and recreates requests whose body has already been read. */

import { IncomingMessage } from "node:http";

/** Maximum size of a request body in bytes. */
export const maxBodyBytes = 64 * 1024 * 1024;

/** Reads a request's body. Stops reading and returns `undefined` if the body is larger than `maxBodyBytes`. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  const body = request.iterator({ destroyOnReturn: false });
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Recreates a request whose body has already been read, so that a handler can read the body again. */
export function replayRequest(request: IncomingMessage, body: Buffer): IncomingMessage {
  const { method, url, headers, httpVersion, complete } = request;
  const known = { method, url, headers, httpVersion, complete };
  const again = Object.assign(new IncomingMessage(request.socket), known);
  again.push(body);
  again.push(null);
  return again;
}

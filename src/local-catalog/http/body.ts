/** Reads the bodies of requests, up to a maximum size. */

import { IncomingMessage } from "node:http";

/** Maximum size of a body in bytes. */
export const maxBodyBytes = 64 * 1024 * 1024;

/** Reads the body of a request. If it is larger than `maxBytes`, it returns `undefined` and reads no further. */
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

/** Creates a request that can be read again from one that was read. */
export function replayRequest(request: IncomingMessage, body: Buffer): IncomingMessage {
  const { method, url, headers, httpVersion, complete } = request;
  const known = { method, url, headers, httpVersion, complete };
  const again = Object.assign(new IncomingMessage(request.socket), known);
  again.push(body);
  again.push(null);
  return again;
}

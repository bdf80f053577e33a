import { IncomingMessage } from "node:http";

/** The largest body that is read. */
export const maxBytes = 64 * 1024 * 1024;

/** Reads a request to its end; `undefined` where its body is larger than `maxBytes`, and then no further. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  const body = request.iterator({ destroyOnReturn: false });
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A request that was read, to be read again. */
export function replayed(request: IncomingMessage, body: Buffer): IncomingMessage {
  const { method, url, headers, httpVersion, complete } = request;
  const known = { method, url, headers, httpVersion, complete };
  const again = Object.assign(new IncomingMessage(request.socket), known);
  again.push(body);
  again.push(null);
  return again;
}

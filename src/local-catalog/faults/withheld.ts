import type { ServerResponse } from "node:http";

/**
 * Has a request answered, and keeps the answer back. Resolves with its body when it is complete; status and headers are
 * set in the response and not sent.
 */
export async function withheld(response: ServerResponse, handle: () => Promise<void>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown): void => {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  response.writeHead = (status: number, ...rest: readonly unknown[]) => {
    response.statusCode = status;
    for (const [name, value] of Object.entries(rest.at(-1) ?? {})) response.setHeader(name, value);
    return response;
  };
  response.write = (chunk: unknown) => {
    keep(chunk);
    return true;
  };
  const ended = new Promise<void>((resolve) => {
    response.end = (chunk?: unknown) => {
      keep(chunk);
      resolve();
      return response;
    };
  });
  try {
    await Promise.all([handle(), ended]);
  } finally {
    // What is left are the methods of its class.
    for (const name of ["writeHead", "write", "end"]) Reflect.deleteProperty(response, name);
  }
  return Buffer.concat(chunks);
}

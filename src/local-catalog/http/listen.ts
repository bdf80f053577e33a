/** Listens for HTTP requests, and shuts down after answering in-flight requests. */

import { createServer, type Server, type ServerResponse } from "node:http";
import { LocalCatalogError, messageOf } from "../errors.ts";
import { sendResponse } from "../rest/exchange.ts";
import type { RequestRouter } from "./router.ts";

/** A server that accepts HTTP requests. */
export interface ListeningServer {
  readonly port: number;
  /** Stops accepting requests. Resolves after in-flight requests have been answered. */
  close(): Promise<void>;
}

const host = "127.0.0.1";

/**
 * Listens for requests on the loopback address only. Port 0 selects a free port.
 * @throws LocalCatalogError when the port is in use or not allowed. The message includes the port.
 */
export async function listen(route: RequestRouter, port: number): Promise<ListeningServer> {
  const inFlight = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    inFlight.add(response);
    response.once("close", () => inFlight.delete(response));
    route(request, response).catch((error: unknown) => {
      if (response.headersSent) response.end();
      else sendResponse(response, { status: 500, body: { status: 500, message: messageOf(error) } });
    });
  });
  // Keeps idle connections open longer than Node's default of five seconds. If the server closed a connection while a client was
  // sending a request, the request would be lost.
  server.keepAliveTimeout = 75_000;
  await startListening(server, port);
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    close: () => closeServer(server, inFlight),
  };
}

function startListening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(portError(port, error)));
    server.listen(port, host, resolve);
  });
}

function portError(port: number, error: NodeJS.ErrnoException): LocalCatalogError {
  const reason = error.code === "EADDRINUSE" ? "is already in use" : `cannot be used (${error.message})`;
  return new LocalCatalogError(
    `Port ${port} ${reason}. Use --port to choose a different port, or --port 0 for a free one.`,
  );
}

// Time limit for a shutdown. It is long enough to answer any request, but short enough that a disconnected client causes little
// delay.
const closeTimeoutMs = 5_000;

function closeServer(server: Server, inFlight: ReadonlySet<ServerResponse>): Promise<void> {
  return new Promise((resolve) => {
    const forceClose = setTimeout(() => server.closeAllConnections(), closeTimeoutMs);
    server.close(() => {
      clearTimeout(forceClose);
      resolve();
    });
    // With keep-alive, the connection would stay open after the response, and the server would not close.
    for (const response of inFlight) response.shouldKeepAlive = false;
  });
}

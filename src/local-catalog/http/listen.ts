import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { LocalCatalogError } from "../errors.ts";
import { answer } from "../rest/exchange.ts";
import type { RequestRouter } from "./router.ts";

/** A server that listens. */
export interface ListeningServer {
  readonly port: number;
  /** Takes no more requests, and ends when those in flight are answered. */
  close(): Promise<void>;
}

const host = "127.0.0.1";

/**
 * Listens on the loopback address only; port 0 takes a free one.
 * @throws LocalCatalogError when the port is taken or not allowed, naming it.
 */
export async function listen(route: RequestRouter, port: number): Promise<ListeningServer> {
  const inFlight = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    inFlight.add(response);
    response.once("close", () => inFlight.delete(response));
    route(request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      if (response.headersSent) response.end();
      else answer(response, { status: 500, body: { status: 500, message } });
    });
  });
  // Clients keep their connections for longer than Node's five seconds, and a request sent just as the server
  // hangs up is lost.
  server.keepAliveTimeout = 75_000;
  await listening(server, port);
  return {
    port: (server.address() as AddressInfo).port,
    close: () => closed(server, inFlight),
  };
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(portError(port, error)));
    server.listen(port, host, resolve);
  });
}

function portError(port: number, error: NodeJS.ErrnoException): LocalCatalogError {
  const reason = error.code === "EADDRINUSE" ? "is already taken" : `cannot be used (${error.message})`;
  return new LocalCatalogError(`Port ${port} ${reason}. Give another with --port, or 0 for a free one.`);
}

// Long enough for any request that is still being worked on, short enough for one whose client has gone silent.
const closeTimeoutMs = 5_000;

function closed(server: Server, inFlight: ReadonlySet<ServerResponse>): Promise<void> {
  return new Promise((resolve) => {
    const forceClose = setTimeout(() => server.closeAllConnections(), closeTimeoutMs);
    server.close(() => {
      clearTimeout(forceClose);
      resolve();
    });
    // Without this a connection stays open after its answer, and the server with it.
    for (const response of inFlight) response.shouldKeepAlive = false;
  });
}

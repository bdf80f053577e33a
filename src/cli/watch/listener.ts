/** Serves a watch's health, readiness and metrics over HTTP. */

import { createServer, type Server, type ServerResponse } from "node:http";
import { errorCode, errorMessage } from "../../model/text/error-text.ts";
import { RunError } from "../errors.ts";

/** The address to listen on. */
export interface Address {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
}

/** The state of a watch, as reported over HTTP. */
interface WatchStatus {
  readonly isReady: () => boolean;
  readonly isHealthy: () => boolean;
  readonly metrics: () => string;
}

interface Listener {
  readonly url: string;
  close(): void;
}

/** The maximum number of connections. Without a limit, clients could use up the file descriptors that the rounds need. */
const maxConnections = 64;
const limits = { requestTimeout: 5_000, headersTimeout: 5_000, connectionsCheckingInterval: 1_000 };

/**
 * Serves `/healthz`, `/readyz` and `/metrics`, with at most 64 connections and a timeout of 5 s for each request. Throws
 * `RunError` if it cannot listen on the address.
 */
export async function listenAt({ host, port }: Address, status: WatchStatus): Promise<Listener> {
  const server = createServer(limits, (request, response) => {
    response.setHeader("content-type", "text/plain; version=0.0.4; charset=utf-8");
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (isRead) answer(request.url ?? "", status, response);
    else response.writeHead(405, { allow: "GET, HEAD" }).end("use GET\n");
  });
  server.maxConnections = maxConnections;
  // This timeout also closes connections whose client does not read the response.
  server.setTimeout(limits.requestTimeout);
  await listening(server, { host, port });
  const address = server.address();
  const taken = typeof address === "object" && address ? address.port : port;
  return {
    url: `http://${nameOf({ host, port: taken })}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(url: string, status: WatchStatus, response: ServerResponse): void {
  const { isReady, isHealthy, metrics } = status;
  const path = url.replace(/\?.*$/, "");
  if (path === "/healthz" && isHealthy()) response.end("ok\n");
  else if (path === "/healthz") response.writeHead(503).end("the server rejected the token in two rounds\n");
  else if (path === "/metrics") response.end(metrics());
  else if (path !== "/readyz") response.writeHead(404).end("not found: /healthz, /readyz, /metrics\n");
  else if (isReady()) response.end("ready\n");
  else response.writeHead(503).end("not ready: no successful round within two intervals\n");
}

function listening(server: Server, address: Address): Promise<void> {
  return new Promise((listens, failed) => {
    server.once("error", (error) => failed(refusal(address, error)));
    server.listen(address.port, address.host, listens);
  });
}

function refusal(address: Address, error: Error): RunError {
  const why = errorCode(error) === "EADDRINUSE" ? "the address is in use" : errorMessage(error);
  return new RunError(
    `cannot listen on ${nameOf(address)}: ${why}; choose a different address with --listen, or use --no-listen`,
    "cannot-listen",
  );
}

function nameOf({ host, port }: Address): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

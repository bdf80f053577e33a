import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A GraphQL request that the stub got. */
export interface StubRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A server on loopback that answers GraphQL as told. */
export interface StubServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a server that says it is a DataHub, and answers GraphQL by `answer`; what that returns is sent as JSON. */
export async function startStub(
  answer: (request: StubRequest, response: ServerResponse) => unknown,
): Promise<StubServer> {
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      void (async () => {
        if (incoming.url === "/config") {
          outgoing.end('{"noCode":"true"}');
          return;
        }
        const body = await answer(
          JSON.parse(Buffer.concat(chunks).toString("utf8")) as StubRequest,
          outgoing,
        );
        if (outgoing.writableEnded || outgoing.destroyed) return;
        outgoing.setHeader("content-type", "application/json");
        outgoing.end(JSON.stringify(body));
      })();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

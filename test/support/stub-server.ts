import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that the stub got: its body, and what it says as GraphQL. */
export interface StubRequest {
  readonly text: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Where a request came to, and a way to have another server answer it. */
interface StubIncoming {
  readonly url: string;
  /** `answered` happens before the answer is passed back. */
  passTo(target: string, response: ServerResponse, answered?: () => Promise<unknown>): Promise<void>;
}

/** A server on loopback that answers as told. */
export interface StubServer {
  readonly url: string;
  close(): Promise<void>;
}

export type StubAnswer = (request: StubRequest, response: ServerResponse, incoming: StubIncoming) => unknown;

/** What a server says of itself whose version is not known. */
const usualConfig = { noCode: "true" };

/** Starts a server that says it is a DataHub, and answers all else by `answer`; what that returns is sent as JSON. */
export async function startStub(answer: StubAnswer, config: object = usualConfig): Promise<StubServer> {
  const server = createServer((incoming, outgoing) => {
    const received: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => received.push(chunk));
    incoming.on("end", () => {
      if (incoming.url === "/config") outgoing.end(JSON.stringify(config));
      else void respond(answer, incoming, Buffer.concat(received), outgoing);
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

async function respond(
  answer: StubAnswer,
  incoming: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
): Promise<void> {
  const { url = "" } = incoming;
  const text = body.toString("utf8");
  const { query = "", variables = {} } = text === "" ? {} : (JSON.parse(text) as Partial<StubRequest>);
  const passTo: StubIncoming["passTo"] = (target, response, answered) =>
    forward(incoming, body, target, response, answered);
  const answered = await answer({ text, query, variables }, outgoing, { url, passTo });
  if (outgoing.headersSent || outgoing.destroyed) return;
  outgoing.setHeader("content-type", "application/json");
  outgoing.end(JSON.stringify(answered));
}

/** Has another server answer a request, and waits until it has. `answered` happens before the answer is passed back. */
export function forward(
  { method = "GET", url = "", headers }: IncomingMessage,
  body: Buffer,
  target: string,
  response: ServerResponse,
  answered?: () => Promise<unknown>,
): Promise<void> {
  return new Promise((done) => {
    const own = { ...headers, host: new URL(target).host };
    const passBack = async (answer: IncomingMessage): Promise<void> => {
      await answered?.();
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response).on("finish", () => done());
    };
    const onward = httpRequest(new URL(url, target), { method, headers: own }, (answer) => {
      void passBack(answer);
    });
    onward.on("error", () => {
      response.destroy();
      done();
    });
    onward.end(body);
  });
}

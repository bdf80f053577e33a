import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { forward } from "./stub-server.ts";

/** A request that passed the recorder. `body` is the parsed JSON, where there was one. */
export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

/** A server that passes everything on to another one and remembers it. */
export interface Recorder {
  readonly url: string;
  readonly requests: readonly Recorded[];
  close(): Promise<void>;
}

/** Starts a recorder in front of `target`. */
export async function startRecorder(target: string): Promise<Recorder> {
  const requests: Recorded[] = [];
  const server = createServer((incoming, outgoing) => {
    void pass(incoming, outgoing, target, requests);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  target: string,
  requests: Recorded[],
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const { method = "", url: path = "", headers } = incoming;
  requests.push({ method, path, authorization: headers.authorization, body: parsed(body.toString("utf8")) });
  await forward(incoming, body, target, outgoing);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text === "" ? undefined : text;
  }
}

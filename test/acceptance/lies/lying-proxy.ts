import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "../../../src/model/json.ts";
import type { Lie } from "./lie.ts";

/** A server in front of another one that lies in one operation. */
export interface LyingProxy {
  readonly address: string;
  /** How often it has lied. */
  told(): number;
  close(): void;
}

/** Starts a server that passes everything on to a catalog, but for what a lie deals with. */
export async function startLyingProxy(catalog: string, lie: Lie): Promise<LyingProxy> {
  let told = 0;
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const text = Buffer.concat(await incoming.toArray()).toString("utf8");
    const { method = "GET", url = "" } = incoming;
    const body = text === "" ? undefined : (JSON.parse(text) as Json);
    const dealing = lie.deal({ method, url, body });
    if (!dealing) return await passOn(catalog, incoming, text, outgoing);
    told += 1;
    const isUnsent = method !== "GET" && dealing.forward === undefined;
    const sent = dealing.forward === undefined ? "" : JSON.stringify(dealing.forward);
    const { status, text: answered } = isUnsent
      ? { status: 200, text: "" }
      : await answerOf(catalog, incoming, sent);
    const message = status === 200 ? JSON.stringify(dealing.answer(parsed(answered))) : answered;
    outgoing.writeHead(status, { "content-type": "application/json" }).end(message);
  };
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((started) => server.listen(0, "127.0.0.1", started));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    told: () => told,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function passOn(
  catalog: string,
  incoming: IncomingMessage,
  body: string,
  outgoing: ServerResponse,
): Promise<void> {
  const { status, text } = await answerOf(catalog, incoming, body);
  outgoing.writeHead(status, { "content-type": "application/json" }).end(text);
}

async function answerOf(
  catalog: string,
  { method = "GET", url = "", headers }: IncomingMessage,
  body: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    /^(?:authorization|content-type|accept|x-.*)$/.test(name) && typeof value === "string"
      ? [[name, value]]
      : [],
  );
  const response = await fetch(catalog + url, {
    method,
    headers: kept,
    ...(method !== "GET" && method !== "HEAD" && { body }),
  });
  return { status: response.status, text: await response.text() };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { forward } from "./stub-server.ts";

/** When an apply is interrupted: at which of its requests, before the catalog gets it or once it has answered. */
export interface Point {
  readonly request: number;
  readonly isAnswered: boolean;
}

/** What happens at a point. Answers whether there is still somebody who waits for the answer. */
type Interrupt = () => Promise<boolean>;

/** Starts a server that passes everything on to a catalog, until the test ends, and interrupts at a point. */
export async function startInterruptingProxy(
  target: string,
  point: Point,
  interrupt: Interrupt,
): Promise<string> {
  let requests = 0;
  const server = createServer((incoming, outgoing) => {
    const received: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => received.push(chunk));
    incoming.on("end", () => {
      const body = Buffer.concat(received);
      const isPoint = requests === point.request;
      requests += 1;
      if (isPoint && !point.isAnswered) void passUnlessOver(incoming, body, target, outgoing, interrupt);
      else void forward(incoming, body, target, outgoing, isPoint ? interrupt : undefined);
    });
  });
  await new Promise<void>((started) => server.listen(0, "127.0.0.1", started));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function passUnlessOver(
  incoming: IncomingMessage,
  body: Buffer,
  target: string,
  outgoing: ServerResponse,
  interrupt: Interrupt,
): Promise<void> {
  if (await interrupt()) await forward(incoming, body, target, outgoing);
  else outgoing.destroy();
}

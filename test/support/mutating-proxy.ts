import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Mutation } from "../storms/mutations.ts";

/** Which answer is mutated: that of request number `place`; with `isSticky` also when the same is asked again. */
export interface Target {
  readonly place: number;
  readonly isSticky: boolean;
  readonly mutate: Mutation;
}

/** A server in front of a catalog. */
export interface MutatingProxy {
  readonly url: string;
  /** Mutates from now on; without a target it passes on what it gets. Tells nothing more of the requests before. */
  aim(target?: Target): void;
  /** How many writes were passed on since then, and whether an answer was mutated. */
  seen(): { readonly writes: number; readonly requests: number; readonly isMutated: boolean };
}

/** Starts a server that passes everything on to a catalog, until the test ends, and mutates an answer. */
export async function startMutatingProxy(catalog: string): Promise<MutatingProxy> {
  let target: Target | undefined;
  let [requests, writes, isMutated] = [0, 0, false];
  let mutated: string | undefined;
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await incoming.toArray());
    const { method = "GET", url = "", headers } = incoming;
    const asked = `${url} ${body.toString("utf8")}`;
    const isHit = target && (requests === target.place || (target.isSticky && asked === mutated));
    if (isHit) mutated = asked;
    requests += 1;
    if (/ingestProposal|"mutation /.test(asked)) writes += 1;
    const answer = await fetch(new URL(url, catalog), {
      method,
      headers: {
        "content-type": headers["content-type"] ?? "",
        ...(headers.accept && { accept: headers.accept }),
      },
      ...(method === "GET" ? {} : { body }),
    });
    const raw = {
      status: answer.status,
      type: answer.headers.get("content-type") ?? "",
      body: await answer.text(),
    };
    if (isHit) isMutated = true;
    const told = isHit && target ? target.mutate(raw) : raw;
    if (!told) return void outgoing.destroy();
    outgoing
      .writeHead(told.status, { "content-type": told.type })
      .end(told.status === 204 ? undefined : told.body);
  };
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((started) => server.listen(0, "127.0.0.1", started));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    aim: (next) => {
      target = next;
      mutated = undefined;
      [requests, writes, isMutated] = [0, 0, false];
    },
    seen: () => ({ requests, writes, isMutated }),
  };
}

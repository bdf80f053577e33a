import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { createPlainSend } from "../../../src/datahub/http/plain-send.ts";

async function serving(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const { send: ask } = createPlainSend("the server");

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
  ["identity", (text: string) => Buffer.from(text)],
])("an answer compressed with %s is the text that it was", async (coding, compress) => {
  const url = await serving((request, response) => {
    response.writeHead(200, { "content-encoding": coding, asked: request.headers["accept-encoding"] });
    response.end(compress("Grüße"));
  });

  const response = await ask(url, { body: "{}" });

  expect(await response.text()).toBe("Grüße");
  expect(response.headers.get("asked")).toContain("gzip");
});

test("many requests share the connections that are kept", async () => {
  const connections = new Set<unknown>();
  const url = await serving((request, response) => {
    connections.add(request.socket);
    request.resume().on("end", () => response.end("{}"));
  });

  for (let index = 0; index < 20; index += 1) await ask(url, { body: "{}" });

  expect(connections.size).toBe(1);
});

test("the first requests share them, too, however many are sent at once", async () => {
  const { send: own } = createPlainSend("the server");
  const connections = new Set<unknown>();
  const url = await serving((request, response) => {
    connections.add(request.socket);
    request.resume().on("end", () => response.end("{}"));
  });

  await Promise.all(Array.from({ length: 5 }, () => own(url, { body: "{}" })));
  const first = connections.size;
  await Promise.all(Array.from({ length: 5 }, () => own(url, { body: "{}" })));

  expect(first).toBe(5);
  expect(connections.size).toBe(first);
});

test("those that are kept end when they are closed", async () => {
  const own = createPlainSend("the server");
  let ended: Promise<unknown> | undefined;
  const url = await serving((request, response) => {
    ended ??= once(request.socket, "close");
    request.resume().on("end", () => response.end("{}"));
  });
  await own.send(url, {});

  own.close();

  await ended;
  expect(ended).toBeDefined();
});

const member = gzipSync(Buffer.alloc(1024 * 1024));

test("a small answer that is much larger when it is unpacked is not read", async () => {
  // A file of gzip may have several members.
  const packed = Buffer.concat(Array.from({ length: 65 }, () => member));
  const url = await serving((_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" });
    response.end(packed);
  });

  await expect(ask(url, {})).rejects.toThrow("the server sent a response of more than 64 MB");
});

test("an answer that is cut off is an error, and so is one that is broken", async () => {
  const url = await serving((request, response) => {
    if (request.url === "/broken") {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.end("no gzip");
      return;
    }
    response.writeHead(200, { "content-length": 100 });
    response.write("half", () => response.destroy());
  });

  await expect(ask(url, {})).rejects.toMatchObject({
    failure: "answer",
    details: { mayBeTooLarge: true },
  });
  await expect(ask(`${url}broken`, {})).rejects.toMatchObject({ code: "Z_DATA_ERROR" });
});

test("a redirect is an answer and is not followed", async () => {
  const url = await serving((_, response) => response.writeHead(302, { location: "/other" }).end());

  const { status, ok } = await ask(url, {});

  expect([status, ok]).toEqual([302, false]);
});

test.each(["before the answer", "in the middle of it"])(
  "the signal ends it %s, with its reason",
  async (when) => {
    const stop = new AbortController();
    const url = await serving((_, response) => {
      if (when !== "before the answer") response.writeHead(200, { "content-length": 100 }).write("half");
      setImmediate(() => stop.abort(new Error("enough")));
    });

    await expect(ask(url, { signal: stop.signal })).rejects.toThrow("enough");
  },
);

test("a connection that the server ended while the process was busy is not used again", async () => {
  const ended = new Int32Array(new SharedArrayBuffer(4));
  const server = new Worker(
    `const { parentPort, workerData } = require("node:worker_threads");
    const sockets = new Set();
    const server = require("node:http").createServer((_, response) => response.end("{}"));
    server.on("connection", (socket) => sockets.add(socket));
    server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
    parentPort.on("message", () => {
      for (const socket of sockets) {
        socket.on("close", () => {
          Atomics.store(workerData, 0, 1);
          Atomics.notify(workerData, 0);
        });
        socket.destroy();
      }
    });`,
    { eval: true, workerData: ended },
  );
  onTestFinished(async () => void (await server.terminate()));
  const [port] = (await once(server, "message")) as [number];
  const url = `http://127.0.0.1:${port}/`;
  const { send, close } = createPlainSend("the server");
  onTestFinished(close);
  await (await send(url, { body: "{}" })).text();

  // As a plan is when it compares very much.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is a thread, and no window
  server.postMessage("end");
  Atomics.wait(ended, 0, 0);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2000 });
  onTestFinished(() => void vi.useRealTimers());

  expect((await send(url, { body: "{}" })).status).toBe(200);
});

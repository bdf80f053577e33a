import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { execute } from "../../../src/sync/write/execute.ts";
import { after, allTrue, failingFirst, nameOf, operation, stub, writerFor } from "./stubbed.ts";

const failures: readonly (readonly [string, (response: ServerResponse) => void])[] = [
  ["answers 503", (response) => response.writeHead(503).end("{}")],
  ["answers 502", (response) => response.writeHead(502).end("{}")],
  ["breaks the connection", (response) => response.destroy()],
  [
    "cuts its answer",
    (response) => response.writeHead(200, { "content-length": 99 }).write('{"data"') && response.destroy(),
  ],
  [
    "answers half of a JSON text",
    (response) => response.writeHead(200, { "content-type": "application/json" }).end('{"data":'),
  ],
  ["does not answer in time", () => {}],
];

test.each(failures)(
  "where a server %s, what it may have carried out is sent again after all else, and what depends on it after that",
  async (_, fail) => {
    const { url, requests } = await failingFirst(1, fail);
    const operations = [
      operation("1", "a"),
      operation("2", "b"),
      after(operation("3", "c"), "1"),
      after(operation("4", "d"), "2"),
    ];

    const { outcomes } = await execute(writerFor(url, { timeout: 200, concurrency: 1 }), operations, {
      batch: 1,
    });

    expect(outcomes.map(({ status }) => status)).toEqual(operations.map(() => "applied"));
    expect(requests).toEqual(["a", "b", "d", "a", "c"]);
  },
);

test("what fails again and again has failed after five rounds, and what depends on it is skipped", async () => {
  const { url, requests } = await failingFirst(99, (response) => response.destroy());

  const { outcomes } = await execute(writerFor(url), [operation("1", "a"), after(operation("2", "b"), "1")]);

  expect(outcomes).toMatchObject([
    { status: "failed", error: expect.stringMatching(/cannot connect.*; could not determine whether/) },
    { status: "skipped", because: expect.stringContaining("which failed") },
  ]);
  expect(requests).toEqual(["a", "a", "a", "a", "a"]);
});

test("an interruption while something is in doubt ends the run, and the report says that nobody knows", async () => {
  const interruption = new AbortController();
  const url = await stub((_, response) => {
    interruption.abort();
    response.destroy();
    return undefined;
  });

  const { outcomes } = await execute(writerFor(url), [operation("1", "a"), after(operation("2", "b"), "1")], {
    signal: interruption.signal,
  });

  expect(outcomes).toMatchObject([
    {
      status: "failed",
      error: expect.stringContaining("could not determine whether the server executed the operation"),
    },
    { status: "skipped", because: "interrupted" },
  ]);
});

test("an alias that the server was too busy for is sent again, and the others are not", async () => {
  const requests: string[] = [];
  const url = await stub((request) => {
    requests.push(Object.values(request.variables).map(nameOf).join());
    const answer = allTrue(request);
    if (requests.length > 1) return answer;
    return {
      data: { o0: true, o1: null },
      errors: [{ message: "deadlock", path: ["o1"], extensions: { code: 503 } }],
    };
  });

  const { outcomes } = await execute(writerFor(url), [operation("1", "a"), operation("2", "b")]);

  expect(outcomes.map(({ status }) => status)).toEqual(["applied", "applied"]);
  expect(requests).toEqual(["a,b", "b"]);
});

test.each<readonly [string, (response: ServerResponse) => object | undefined]>([
  ["that is too large for the server", (response) => void response.writeHead(413).end()],
  [
    "that is too complex for the server",
    () => ({ data: null, errors: [{ message: "maximum query complexity exceeded" }] }),
  ],
])("a request %s is sent in halves", async (_, refuse) => {
  const sizes: number[] = [];
  const url = await stub((request, response) => {
    const size = Object.keys(request.variables).length;
    sizes.push(size);
    return size > 2 ? refuse(response) : allTrue(request);
  });
  const operations = ["a", "b", "c", "d", "e"].map((name) => operation(name, name));

  const { outcomes } = await execute(writerFor(url), operations);

  expect(outcomes.map(({ status }) => status)).toEqual(operations.map(() => "applied"));
  expect(sizes).toEqual([5, 3, 2, 1, 2]);
});

test("what is tried again, and why, is told", async () => {
  const told: string[] = [];
  const { url } = await failingFirst(1, (response) => response.writeHead(503).end("{}"));

  await execute(writerFor(url, { onRetry: (text) => told.push(text) }), [operation("1", "a")]);

  expect(told).toEqual([expect.stringMatching(/^Retrying 1 operation: .* responded with HTTP 503$/)]);
});
test("a write that waits when the run is interrupted is not sent", async () => {
  const interruption = new AbortController();
  const requests: string[] = [];
  const url = await stub((request, response) => {
    requests.push(Object.values(request.variables).map(nameOf).join());
    if (requests.length > 1) return allTrue(request);
    setTimeout(() => interruption.abort(new Error("stop")), 5);
    response.writeHead(429, { "retry-after": "60" }).end("{}");
    return undefined;
  });

  const { outcomes } = await execute(
    writerFor(url, { concurrency: 1 }),
    [operation("1", "a"), operation("2", "b")],
    { batch: 1, signal: interruption.signal },
  );

  expect(requests).toEqual(["a"]);
  expect(outcomes).toMatchObject([{ status: "failed" }, { status: "skipped", because: "interrupted" }]);
});

test.each([
  ["in the pause before it is looked at again", 0],
  ["while another is sent again", 1],
])("what is in doubt is not called skipped when the run is interrupted %s", async (_, later) => {
  const interruption = new AbortController();
  let requests = 0;
  const url = await stub((request, response) => {
    requests += 1;
    if (requests <= 2) response.destroy();
    if (requests === 2 && later === 0) setTimeout(() => interruption.abort(), 5);
    if (requests === 3) interruption.abort();
    return requests <= 2 ? undefined : allTrue(request);
  });

  const { outcomes } = await execute(
    writerFor(url, { concurrency: 1, retryDelay: 20 }),
    [operation("1", "a"), operation("2", "b"), after(operation("3", "c"), "2")],
    { batch: 1, signal: interruption.signal },
  );

  const inDoubt = { status: "failed", error: expect.stringContaining("could not determine whether") };
  expect(outcomes).toMatchObject([
    later === 0 ? inDoubt : { status: "applied" },
    inDoubt,
    { status: "skipped", because: "interrupted" },
  ]);
});

test("the second half of a request that was too large waits while the first may still be carried out", async () => {
  let [underWay, most, isFirst] = [0, 0, true];
  const url = await stub(async (request, response) => {
    const size = Object.keys(request.variables).length;
    if (size > 2) return void response.writeHead(413).end();
    underWay += 1;
    most = Math.max(most, underWay);
    const isSlow = isFirst;
    isFirst = false;
    await wait(isSlow ? 300 : 1);
    underWay -= 1;
    return allTrue(request);
  });
  const own = ["1", "2", "3", "4"].map((id) => operation(id, "a"));

  const { outcomes } = await execute(writerFor(url, { timeout: 150, retryDelay: 200 }), own);

  expect(outcomes.map(({ status }) => status)).toEqual(own.map(() => "applied"));
  expect(most).toBe(1);
});

test("a server that answers nothing is not asked once for each operation that waits for the same lock", async () => {
  let requests = 0;
  const url = await stub(() => {
    requests += 1;
    return new Promise(() => {});
  });
  const own = Array.from({ length: 40 }, (_, index) => operation(`${index}`, "a"));

  const { outcomes } = await execute(writerFor(url, { timeout: 20 }), own, { batch: 1 });

  expect(outcomes.every(({ status }) => status !== "applied")).toBe(true);
  expect(requests).toBeLessThanOrEqual(5);
});

test("a write that is always refused for a while is sent five times", async () => {
  const { url, requests } = await failingFirst(99, (response) => response.writeHead(429).end("{}"));
  await execute(writerFor(url), [operation("1", "a")]);
  expect(requests).toHaveLength(5);
});

/** Requests that are never answered. */
const silence = (): Promise<never> => new Promise(() => {});

test("where no request is answered in time, no more are sent than one request is tried", async () => {
  let requests = 0;
  const url = await stub(() => {
    requests += 1;
    return silence();
  });
  const names = Array.from({ length: 40 }, (_, index) => `${index}`);
  const operations = names.map((name) => operation(name, name));

  const { outcomes } = await execute(writerFor(url, { timeout: 200, concurrency: 1 }), operations, {
    batch: 1,
  });

  expect(outcomes.map(({ operation: { id } }) => id)).toEqual(names);
  expect(outcomes.some(({ status }) => status === "applied")).toBe(false);
  expect(requests).toBe(5);
});

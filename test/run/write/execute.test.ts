import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { createWriter, type Writer } from "../../../src/datahub/client.ts";
import { type ConnectionOptions, connectionTo } from "../../../src/datahub/connection.ts";
import { execute } from "../../../src/run/write/execute.ts";
import type { Operation } from "../../../src/model/operation.ts";
import { datasetNamed } from "../../support/states.ts";
import { startStub, type StubRequest } from "../../support/stub-server.ts";
import { meetingOf } from "../../support/meeting.ts";

function operation(id: string, dataset: string): Operation {
  const entityUrn = { name: "entityUrn", type: "String!", value: datasetNamed(dataset) };
  return {
    id,
    request: { type: "mutation", field: "unsetDomain", args: [entityUrn] },
    locks: [datasetNamed(dataset)],
    after: [],
    changes: [],
  };
}

function writerFor(url: string, options: ConnectionOptions = {}): Writer {
  return createWriter(connectionTo(url, { token: "t0ken", timeout: 600_000, retryDelay: 1, ...options }));
}

async function stub(answer: Parameters<typeof startStub>[0]): Promise<string> {
  const server = await startStub(answer);
  onTestFinished(() => server.close());
  return server.url;
}

function allTrue({ variables }: StubRequest): object {
  return { data: Object.fromEntries(Object.keys(variables).map((name) => [name.split("_")[0], true])) };
}

test("each alias has its own outcome, in the order of the operations", async () => {
  const url = await stub(() => ({
    data: { o0: true, o1: null, o2: false },
    errors: [{ message: "Tag does not exist.", path: ["o1"], extensions: { code: 400 } }],
  }));
  const { outcomes } = await execute(
    writerFor(url),
    ["a", "b", "c"].map((name) => operation(name, name)),
  );
  expect(outcomes.map(({ status, operation: { id } }) => [id, status])).toEqual([
    ["a", "applied"],
    ["b", "failed"],
    ["c", "failed"],
  ]);
  expect(outcomes[1]).toMatchObject({ error: "Tag does not exist." });
});

test("an error that belongs to no alias fails all that were not confirmed", async () => {
  const url = await stub(() => ({ data: null, errors: [{ message: "maximum query complexity exceeded" }] }));
  const { outcomes } = await execute(writerFor(url), [operation("1", "a")]);
  expect(outcomes).toMatchObject([{ status: "failed", error: "maximum query complexity exceeded" }]);
});

test("after a request that failed as a whole nothing more is sent for its entity until the others are done", async () => {
  const sent: string[] = [];
  const url = await stub((request, response) => {
    sent.push(...new Set(Object.values(request.variables).map((each) => String(each).split(",")[1] ?? "")));
    if (!JSON.stringify(request.variables).includes(",a,")) return allTrue(request);
    response.writeHead(500).end("boom");
    return undefined;
  });
  const own = ["1", "2", "3"].map((id) => operation(id, "a"));
  const { outcomes } = await execute(writerFor(url), [...own, operation("4", "b")], { batch: 2 });
  expect(outcomes.map(({ status }) => status)).toEqual(["failed", "failed", "failed", "applied"]);
  expect(sent).toEqual(["a", "b", "a"]);
});

/** Answers that each alias was carried out, but for those about a dataset that is failing. */
function failing(...names: readonly string[]): (request: StubRequest) => object {
  return ({ variables }) => {
    const entries = Object.entries(variables).map(([name, value]): [string, boolean] => {
      return [name.split("_")[0] ?? "", !names.some((id) => String(value).includes(`,${id},`))];
    });
    return { data: Object.fromEntries(entries) };
  };
}

function after(own: Operation, ...before: readonly string[]): Operation {
  return { ...own, after: before };
}

test("what comes after a failed operation is skipped and names it, and so is what comes after that", async () => {
  const url = await stub(failing("a"));
  const operations = [
    operation("a", "a"),
    operation("b", "b"),
    after(operation("c", "c"), "a", "b"),
    after(operation("d", "d"), "b"),
    after(operation("e", "e"), "c"),
  ];

  const { outcomes } = await execute(writerFor(url), operations);

  expect(outcomes.map(({ status }) => status)).toEqual([
    "failed",
    "applied",
    "skipped",
    "applied",
    "skipped",
  ]);
  const because = `it depends on a change of ${datasetNamed("a")}, which failed`;
  expect(outcomes[2]).toMatchObject({ because });
  expect(outcomes[4]).toMatchObject({ because });
});

test("an operation is sent when those before it have been answered, in a request of its own", async () => {
  const seen: number[] = [];
  const url = await stub((request) => {
    seen.push(Object.keys(request.variables).length);
    return allTrue(request);
  });
  const operations = [
    operation("a", "a"),
    after(operation("b", "a"), "a"),
    operation("c", "c"),
    after(operation("d", "d"), "b"),
  ];

  const { outcomes } = await execute(writerFor(url), operations);

  expect(outcomes.map(({ status }) => status)).toEqual(operations.map(() => "applied"));
  expect(seen).toEqual([2, 1, 1]);
});

test("a deletion is held back by what was not applied before it, and says so", async () => {
  const url = await stub(failing("a"));
  const deletion = (id: string): Operation => {
    const urn = datasetNamed(id);
    return {
      ...operation(id, id),
      changes: [{ action: "delete", shape: "entity", kind: "Domain", urn, fingerprint: "" }],
    };
  };
  const below = after(deletion("x"), "a", "b");

  const { outcomes } = await execute(writerFor(url), [
    operation("a", "a"),
    operation("b", "b"),
    below,
    after(deletion("y"), "x"),
  ]);

  expect(outcomes.map(({ status }) => status)).toEqual(["failed", "applied", "skipped", "skipped"]);
  const because = `deletions run only after all other changes, and a change of ${datasetNamed("a")} was not applied`;
  expect(outcomes[2]).toMatchObject({ because });
  expect(outcomes[3]).toMatchObject({ because });
});

test("a refused token stops the run, and each operation still has an outcome", async () => {
  let requests = 0;
  const url = await stub((_, response) => {
    requests += 1;
    response.writeHead(401).end();
  });
  const operations = Array.from({ length: 6 }, (_, index) => operation(`${index}`, `d${index}`));
  const { outcomes } = await execute(writerFor(url, { concurrency: 1 }), operations, { batch: 1 });
  expect(outcomes.map(({ status }) => status)).toEqual([
    "failed",
    ...Array.from({ length: 5 }, () => "skipped"),
  ]);
  expect(requests).toBe(1);
  expect(JSON.stringify(outcomes)).not.toContain("t0ken");
});

test("an interruption lets what is in flight end and sends nothing new", async () => {
  const interruption = new AbortController();
  const url = await stub(async (request) => {
    interruption.abort();
    await wait(20);
    return allTrue(request);
  });
  const operations = [operation("1", "a"), operation("2", "b"), operation("3", "c")];
  const { outcomes } = await execute(writerFor(url, { concurrency: 1 }), operations, {
    batch: 1,
    signal: interruption.signal,
  });
  expect(outcomes.map(({ status }) => status)).toEqual(["applied", "skipped", "skipped"]);
});

test("a request that times out fails its operations with the time it waited", async () => {
  const url = await stub(() => new Promise(() => {}));
  const { outcomes } = await execute(writerFor(url, { timeout: 50 }), [operation("1", "a")]);
  expect(outcomes).toMatchObject([{ status: "failed", error: expect.stringContaining("0.05 s") }]);
});

test("never two writes are in flight for one entity, never more than allowed in all, one outcome per operation", async () => {
  let inFlight: string[] = [];
  let most = 0;
  const twice: string[] = [];
  const url = await stub(async (request) => {
    const urns = [...new Set(Object.values(request.variables).map(String))];
    twice.push(...inFlight.filter((urn) => urns.includes(urn)));
    inFlight = [...inFlight, ...urns];
    most = Math.max(most, inFlight.length);
    await wait(1);
    inFlight = inFlight.filter((urn) => !urns.includes(urn));
    return urns.some((urn) => urn.includes("bad"))
      ? { data: null, errors: [{ message: "no" }] }
      : allTrue(request);
  });
  const names = fc.array(fc.constantFrom("a", "b", "c", "d", "bad"), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(names, async (datasets) => {
      // Each comes after the one two places before: what was written in one step is written again in another.
      const operations = datasets.map((name, index) => {
        return after(operation(`${index}`, name), ...(index < 2 ? [] : [`${index - 2}`]));
      });
      const { outcomes } = await execute(writerFor(url, { concurrency: 3 }), operations, { batch: 1 });
      expect(outcomes.map((outcome) => outcome.operation)).toEqual(operations);
    }),
    { numRuns: Number(process.env["HTTP_LAW_RUNS"] ?? 3) },
  );
  expect(twice).toEqual([]);
  expect(most).toBeLessThanOrEqual(3);
});

test("as many writes are in flight as allowed", async () => {
  const three = meetingOf(3);
  const url = await stub(async (request) => {
    await three();
    return allTrue(request);
  });
  const operations = ["a", "b", "c", "d", "e", "f"].map((name) => operation(name, name));
  const { outcomes } = await execute(writerFor(url, { concurrency: 3 }), operations, { batch: 1 });
  expect(outcomes.map(({ status }) => status)).toEqual(operations.map(() => "applied"));
});

/** A server that carries out nothing at first, and then all; `requests` tells what was asked of it. */
async function failingFirst(times: number, fail: (response: ServerResponse) => void) {
  const requests: string[] = [];
  let left = times;
  const url = await stub((request, response) => {
    requests.push(Object.values(request.variables).map(nameOf).join());
    if (left === 0) return allTrue(request);
    left -= 1;
    fail(response);
    return undefined;
  });
  return { url, requests };
}

function nameOf(dataset: unknown): string {
  return String(dataset).split(",")[1] ?? "";
}

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
    { status: "failed", error: expect.stringMatching(/cannot connect.*; it is not known whether/) },
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
    { status: "failed", error: expect.stringContaining("it is not known whether it was carried out") },
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

  expect(told).toEqual([expect.stringMatching(/^Retrying 1 operation: .* answered HTTP 503$/)]);
});

/** A client in which the sending of a mutation about one dataset has a bug. */
function withBug(url: string, name: string): Writer {
  const writer = writerFor(url);
  return {
    ...writer,
    mutate: (document, variables) => {
      if (JSON.stringify(variables).includes(`,${name},`)) throw new RangeError("a bug");
      return writer.mutate(document, variables);
    },
  };
}

test("a bug in the sending of one request is a failed outcome, and all else has its own", async () => {
  const url = await stub(allTrue);
  const operations = [operation("1", "a"), after(operation("2", "a"), "1"), operation("3", "b")];

  const { outcomes } = await execute(withBug(url, "a"), operations, { batch: 1 });

  expect(outcomes.map(({ status }) => status)).toEqual(["failed", "skipped", "applied"]);
  expect(outcomes[0]).toMatchObject({
    error: expect.stringMatching(/^a bug in datahub-gitops: a bug; it is not known/),
  });
});

test("a bug in the reading before a write is a failed outcome", async () => {
  const url = await stub(allTrue);
  const writer: Writer = {
    ...writerFor(url),
    query: () => {
      throw new RangeError("a bug");
    },
  };
  const change = { action: "update", kind: "Dataset", urn: datasetNamed("a"), fingerprint: "" } as const;
  const domain = {
    ...change,
    shape: "scalar",
    facet: "domain",
    before: "urn:li:domain:x",
    after: null,
  } as const;

  const { outcomes } = await execute(writer, [{ ...operation("1", "a"), changes: [domain] }]);

  expect(outcomes).toMatchObject([{ status: "failed", error: expect.stringMatching(/^not sent: .*a bug$/) }]);
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

  const inDoubt = { status: "failed", error: expect.stringContaining("it is not known whether") };
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

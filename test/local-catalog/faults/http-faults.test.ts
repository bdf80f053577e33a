import { expect, test } from "vitest";
import type { Fault } from "../../../src/local-catalog/faults/settings.ts";
import { call, change } from "../rest.ts";
import { catalogWith, orders, pii } from "../support.ts";
import { addingTags, faultyCatalog, type FaultyCatalog } from "./support.ts";

const request = { method: "POST", body: JSON.stringify({ query: addingTags([pii]) }) };

/** Adds a tag, and returns the answer as it comes, without its body. */
function post({ url }: FaultyCatalog, more: RequestInit = {}): Promise<Response> {
  return fetch(`${url}/api/graphql`, { ...request, ...more });
}

const moments = [
  ["before", "nothing is stored", []],
  ["after", "the tag is stored", [pii]],
] as const;

for (const [when, effect, stored] of moments) {
  test.each([
    [429, { retry_after: 7 }, "7"],
    [429, {}, null],
    [502, {}, null],
    [503, { retry_after: 30 }, "30"],
  ] as const)(
    `%s %j ${when} the write is what the client gets, and ${effect}`,
    async (status, more, retryAfter) => {
      const catalog = await faultyCatalog([{ fault: "status", status, ...more, when, rate: 1 }]);
      const response = await post(catalog);
      expect([response.status, response.headers.get("retry-after")]).toEqual([status, retryAfter]);
      expect(await response.json()).toEqual({ status, error: expect.stringMatching(/\w/) });
      expect(catalog.tags()).toEqual(stored);
    },
  );

  test(`reset ${when} the write ends the connection without an answer, and ${effect}`, async () => {
    const catalog = await faultyCatalog([{ fault: "reset", when, rate: 1 }]);
    await expect(post(catalog)).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
    expect(catalog.tags()).toEqual(stored);
  });

  test(`hang ${when} the write answers nothing until the client gives up, and ${effect}`, async () => {
    const catalog = await faultyCatalog([{ fault: "hang", when, rate: 1 }]);
    const client = new AbortController();
    const answered = post(catalog, { signal: client.signal }).then(
      () => "answered",
      (error: Error) => error.name,
    );
    await catalog.untilInjected(1);
    expect(catalog.tags()).toEqual(stored);
    client.abort();
    expect(await answered).toBe("AbortError");
  });
}

test("a catalog that closes ends the requests that hang", async () => {
  const catalog = await faultyCatalog([{ fault: "hang", rate: 1 }]);
  const answered = post(catalog).then(
    () => "answered",
    () => "ended",
  );
  await catalog.untilInjected(1);
  await catalog.close();
  expect(await answered).toBe("ended");
});

test.each(["/api/graphql", "/openapi/v3/entity/generic/batchGet"])(
  "a truncated body of %s has status 200 and cannot be read",
  async (path) => {
    const catalog = await faultyCatalog([{ fault: "truncated_body", rate: 1 }]);
    const body = path === "/api/graphql" ? request.body : JSON.stringify([{ urn: orders }]);
    const response = await fetch(catalog.url + path, { method: "POST", body });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow("terminated");
    expect(catalog.tags()).toEqual(path === "/api/graphql" ? [pii] : []);
  },
);

test("an empty body is not truncated", async () => {
  const catalog = await faultyCatalog([{ fault: "truncated_body", rate: 1 }]);
  const { status } = await call(catalog, "HEAD", `/openapi/v3/entity/dataset/${encodeURIComponent(orders)}`);
  expect(status).toBe(204);
  expect((await catalog.report()).faults).toMatchObject([{ injected: 0 }]);
});

test("latency delays a request before it is carried out, and no other request", async () => {
  const latency = { fault: "latency", milliseconds: 600_000, rate: 1, only: ["writes"] } as const;
  const catalog = await faultyCatalog([latency]);
  const client = new AbortController();
  const delayed = post(catalog, { signal: client.signal }).catch((error: Error) => error.name);
  await catalog.untilInjected(1);
  expect(await catalog.send("{ me { corpUser { urn } } }")).toMatchObject({ status: 200 });
  expect(catalog.tags()).toEqual([]);
  client.abort();
  expect(await delayed).toBe("AbortError");
});

test("a request with latency is answered in the end", async () => {
  const catalog = await faultyCatalog([{ fault: "latency", milliseconds: 1, rate: 1 }]);
  expect(await catalog.addTags(pii)).toMatchObject({ status: 200, data: { m0: true } });
  expect(catalog.tags()).toEqual([pii]);
});

test("a delayed request is carried out also if its client has given up", async () => {
  const catalog = await faultyCatalog([{ fault: "latency", milliseconds: 100, rate: 1 }]);
  const client = new AbortController();
  const delayed = post(catalog, { signal: client.signal }).catch((error: Error) => error.name);
  await catalog.untilInjected(1);
  client.abort();
  await delayed;
  while ((await catalog.report()).writes.mutations < 1);
  expect(catalog.tags()).toEqual([pii]);
});

test("of two faults that end a request the first one in the file counts, and those before the write come first", async () => {
  const catalog = await faultyCatalog([
    { fault: "status", status: 503, when: "after", rate: 1 },
    { fault: "status", status: 429, rate: 1 },
    { fault: "reset", rate: 1 },
  ]);
  expect((await post(catalog)).status).toBe(429);
  expect((await catalog.report()).faults.map(({ injected }) => injected)).toEqual([0, 1, 0]);
});

const refusing = (...only: readonly string[]): Fault => ({ fault: "status", status: 503, rate: 1, only });
const reading = JSON.stringify({
  query: `query Looking { dataset(urn: ${JSON.stringify(orders)}) { urn } }`,
});
const proposal = JSON.stringify({ proposal: change(orders, "status", { removed: false }) });
const requests = [
  ["POST", "/api/graphql", request.body],
  ["POST", "/api/graphql", reading],
  ["POST", "/aspects?action=ingestProposal", proposal],
  ["GET", `/aspects/${encodeURIComponent(orders)}?aspect=status&version=0`, undefined],
  ["POST", "/openapi/v3/entity/dataset/batchGet", JSON.stringify([{ urn: orders }])],
  ["GET", "/config", undefined],
] as const;

test.each([
  [["reads"], [200, 503, 200, 503, 503, 503]],
  [["writes"], [503, 200, 503, 200, 200, 200]],
  [["addTags"], [503, 200, 200, 200, 200, 200]],
  [
    ["Tagging", "dataset"],
    [503, 503, 200, 200, 200, 200],
  ],
  [["/aspects?action="], [200, 200, 503, 200, 200, 200]],
  [
    ["/aspects", "Looking"],
    [200, 503, 503, 503, 200, 200],
  ],
  [["/api/graphql"], [503, 503, 200, 200, 200, 200]],
] as const)("only: %j touches these requests and no others", async (only, expected) => {
  const catalog = await faultyCatalog([refusing(...only)]);
  const statuses: number[] = [];
  for (const [method, path, body] of requests)
    statuses.push((await fetch(catalog.url + path, { method, ...(body && { body }) })).status);
  expect(statuses).toEqual(expected);
});

test("/health and /faults have no faults", async () => {
  const { url } = await faultyCatalog([{ fault: "reset", rate: 1 }], { requests_per_second: 1 });
  for (const path of ["/health", "/faults", "/api/gms/health", "/api/gms/faults"])
    expect((await fetch(url + path)).status).toBe(200);
});

test("the counts need the token, and without faults there are none", async () => {
  const secured = await catalogWith([], { auth: true, faults: {} });
  expect((await fetch(`${secured.url}/faults`)).status).toBe(401);
  const plain = await catalogWith();
  expect((await fetch(`${plain.url}/faults`)).status).toBe(404);
});

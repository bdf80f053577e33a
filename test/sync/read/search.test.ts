import type { ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { createReader, type Reader } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import { CatalogError } from "../../../src/model/catalog-error.ts";
import { type Search, search, searchAll, searchDocument } from "../../../src/sync/read/search.ts";
import { startStub, type StubRequest } from "../../support/stub-server.ts";

const tags: Search = { type: "TAG", anyOf: [[{ field: "name", values: ["PII"] }]] };

interface Stubbed {
  readonly found: readonly (readonly string[])[];
  readonly requests: readonly StubRequest[];
}

async function stubbed(
  number: number,
  answer: (request: StubRequest, response: ServerResponse) => unknown,
): Promise<Stubbed> {
  const requests: StubRequest[] = [];
  const server = await startStub((request, response) => {
    requests.push(request);
    return answer(request, response);
  });
  onTestFinished(() => server.close());
  const reader = createReader(connectionTo(server.url, { retryDelay: 1 }));
  return {
    found: await search(
      reader,
      Array.from({ length: number }, () => tags),
    ),
    requests,
  };
}

const found = (...urns: readonly unknown[]): object => ({
  searchResults: urns.map((urn) => ({ entity: { urn } })),
});

test("a request holds at most ten searches, and none is sent for none", async () => {
  const many = await stubbed(21, () => ({ data: { s0: found("urn:li:tag:a"), s9: found("urn:li:tag:b") } }));
  expect(many.requests.map(({ variables }) => Object.keys(variables).length)).toEqual([10, 10, 1]);
  expect(many.found.map((urns) => urns.length).join("")).toBe("100000000110000000011");
  expect(await stubbed(0, () => ({}))).toEqual({ found: [], requests: [] });
});

test("a search asks for one type, and for few results without what is costly", async () => {
  const { requests } = await stubbed(1, () => ({ data: { s0: null } }));
  expect(requests[0]?.variables["i0"]).toEqual({
    types: ["TAG"],
    query: "*",
    start: 0,
    count: 50,
    orFilters: [{ and: [{ field: "name", values: ["PII"] }] }],
    searchFlags: { skipHighlighting: true, skipAggregates: true },
  });
});

test.each<readonly [string, unknown]>([
  ["fails as a whole", { errors: [{ message: "no" }], data: null }],
  ["fails in one place", { errors: [{ message: "no", path: ["s0"] }], data: { s0: null } }],
  ["is no answer", { data: { s0: { searchResults: "none" } } }],
  ["holds no URNs", { data: { s0: { searchResults: [null, {}, { entity: { urn: 7 } }] } } }],
])("what cannot be searched is not found: the answer %s", async (_, answer) => {
  expect((await stubbed(1, () => answer)).found).toEqual([[]]);
});

test("a server that breaks off finds nothing", async () => {
  const { found: nothing } = await stubbed(1, (_, response) => response.destroy());
  expect(nothing).toEqual([[]]);
});

test("each search is a field of the request, by its own variable", () => {
  expect(searchDocument(2)).toBe(
    "query Search($i0: SearchAcrossEntitiesInput!, $i1: SearchAcrossEntitiesInput!) { " +
      "s0: searchAcrossEntities(input: $i0) { total searchResults { entity { urn } } } " +
      "s1: searchAcrossEntities(input: $i1) { total searchResults { entity { urn } } } }",
  );
});

test("only what the catalog fails at is found to be nothing", async () => {
  const failing = (error: Error): Reader => {
    const query = async (): Promise<never> => {
      throw error;
    };
    return { concurrency: 1, query } as unknown as Reader;
  };
  expect(await search(failing(new CatalogError("answer", "no")), [tags])).toEqual([[]]);
  await expect(search(failing(new Error("interrupted")), [tags])).rejects.toThrow("interrupted");
});

test("a signal ends it", async () => {
  const server = await startStub(() => ({ data: {} }));
  onTestFinished(() => server.close());
  const signal = AbortSignal.abort(new Error("stopped"));
  const searching = search(createReader(connectionTo(server.url)), [tags], { signal });
  await expect(searching).rejects.toThrow("stopped");
});

test("a search of no type asks for all types", async () => {
  const requests: StubRequest[] = [];
  const server = await startStub((request) => {
    requests.push(request);
    return { data: {} };
  });
  onTestFinished(() => server.close());
  await search(createReader(connectionTo(server.url)), [{ anyOf: [] }]);
  expect(requests[0]?.variables["i0"]).toMatchObject({ types: [], orFilters: [] });
});

/** What a search finds that decides something. */
async function decided(answer: unknown): ReturnType<typeof searchAll> {
  const server = await startStub(() => answer);
  onTestFinished(() => server.close());
  return searchAll(createReader(connectionTo(server.url, { retryDelay: 1 })), [tags]);
}

test("a search that decides something says what it found, and how much there is", async () => {
  const answer = { data: { s0: { total: 7, ...found("urn:li:tag:a") } } };
  expect(await decided(answer)).toEqual([{ urns: ["urn:li:tag:a"], total: 7 }]);
});

test.each<readonly [string, unknown, string]>([
  ["has an error", { errors: [{ message: "no", path: ["s0"] }], data: { s0: { total: 0 } } }, "no"],
  ["has no result", { data: {} }, "the server's response does not contain its result"],
  ["has no total", { data: { s0: found() } }, "the server's response does not contain its result"],
])("a search that decides something fails where its answer %s", async (_, answer, reason) => {
  await expect(decided(answer)).rejects.toMatchObject({
    failure: "answer",
    message: `a search failed: ${reason}`,
  });
});

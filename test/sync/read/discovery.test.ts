import { expect, test } from "vitest";
import type { Answer, Reader } from "../../../src/datahub/client.ts";
import { kindOf } from "../../../src/kinds/index.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { countOf, type Discovery, discover } from "../../../src/sync/read/discover.ts";
import { urn } from "../../support/states.ts";

const [a, b] = [urn("urn:li:tag:a"), urn("urn:li:tag:b")];
const byName = { field: "name", values: ["a"] };
const byPlatform = { field: "platform", values: ["b"] };

const page = (urns: readonly string[], more: JsonObject = {}): JsonObject => ({
  nextScrollId: null,
  total: 2,
  searchResults: urns.map((each) => ({ entity: { urn: each } })),
  ...more,
});
const answer = (found: unknown, ...errors: readonly string[]): Answer => ({
  data: { scrollAcrossEntities: found } as JsonObject,
  errors: errors.map((message) => ({ message })),
});

interface Answering {
  readonly reader: Reader;
  readonly inputs: unknown[];
}

/** A reader that is answered in turn, and what it asked. */
function answering(...answers: readonly Answer[]): Answering {
  const inputs: unknown[] = [];
  const query: Reader["query"] = async (_, { input }) => {
    inputs.push(input);
    return await Promise.resolve(answers[inputs.length - 1] ?? answer(page([])));
  };
  return { reader: { concurrency: 1, query } as unknown as Reader, inputs };
}

/** The URNs page by page. */
async function pagesOf(
  { reader }: Answering,
  more: Partial<Discovery> = {},
): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  for await (const { urns } of discover(reader, { kind: kindOf("Tag"), ...more })) pages.push(urns);
  return pages;
}

const asked = {
  types: ["TAG"],
  query: "*",
  count: 1000,
  searchFlags: {
    skipCache: true,
    skipHighlighting: true,
    skipAggregates: true,
    includeSoftDeleted: true,
    includeHiddenLifecycleStages: true,
  },
  sortInput: { sortCriteria: [{ field: "urn", sortOrder: "ASCENDING" }] },
};

test("all of a kind are asked for by URN, also removed and hidden ones, without what is costly", async () => {
  const server = answering(answer(page([a], { nextScrollId: "1" })), answer(page([b])));
  expect(await pagesOf(server)).toEqual([[a], [b]]);
  expect(server.inputs).toStrictEqual([asked, { ...asked, scrollId: "1" }]);
});

test.each<readonly [string, Discovery["anyOf"] & object, object]>([
  ["no list", [], {}],
  ["an empty list", [[]], {}],
  ["an empty list beside another one", [[byName], []], {}],
  [
    "lists of filters",
    [[byName, byPlatform], [byPlatform]],
    { orFilters: [{ and: [byName, byPlatform] }, { and: [byPlatform] }] },
  ],
])("the index is asked by %s only for what that says", async (_, anyOf, expected) => {
  const server = answering();
  await pagesOf(server, { anyOf });
  expect(server.inputs).toStrictEqual([{ ...asked, ...expected }]);
});

test("pages without anything new are not told", async () => {
  const server = answering(
    answer(page([], { nextScrollId: "1" })),
    answer(page([a], { nextScrollId: "2" })),
    answer(page([a])),
  );
  expect(await pagesOf(server)).toEqual([[a]]);
});

test.each([null, undefined, ""])("a page that names %j as the next one is the last", async (nextScrollId) => {
  const server = answering(answer({ ...page([a]), nextScrollId }));
  expect(await pagesOf(server)).toEqual([[a]]);
  expect(server.inputs).toHaveLength(1);
});

test.each<readonly [string, unknown, string]>([
  ["no page", undefined, "the server's response does not contain the page"],
  ["text in place of a page", "none", "the server's response does not contain the page"],
  ["a page without results", { total: 0 }, "it has no results"],
  ["a result without a URN", page([a, "b"]), "a result has no URN"],
  ["a next page that has no id", page([a], { nextScrollId: 7 }), "the id of the next page is invalid"],
])("an answer with %s is an error", async (_, found, reason) => {
  await expect(pagesOf(answering(answer(found)))).rejects.toMatchObject({
    failure: "answer",
    message: `could not read a page of the list of tags: ${reason}`,
  });
});

test("an answer with an error is one, whatever page it has", async () => {
  const server = answering(answer(page([a]), "busy", "later"));
  await expect(pagesOf(server)).rejects.toThrow("could not read a page of the list of tags: busy");
});

test("a server that refuses the order of a scroll that has begun is not asked for the rest in another one", async () => {
  const server = answering(answer(page([a], { nextScrollId: "1" })), answer(null, "unknown sortInput"));
  await expect(pagesOf(server)).rejects.toThrow("unknown sortInput");
  expect(server.inputs).toHaveLength(2);
});

test("entities of several kinds are counted by a page of one each, and where there is no total by that", async () => {
  const server = answering(answer(page([a], { total: 7 })), answer(page([b], { total: null })));
  const count = await countOf(server.reader, [
    { kind: kindOf("Tag"), anyOf: [[byName]] },
    { kind: kindOf("Domain") },
  ]);
  expect(count).toBe(8);
  expect(server.inputs).toStrictEqual([
    { ...asked, count: 1, orFilters: [{ and: [byName] }] },
    { ...asked, count: 1, types: ["DOMAIN"] },
  ]);
});

import { expect, onTestFinished, test, vi } from "vitest";
import { type Answer, createReader, type Reader } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import { discover } from "../../../src/sync/read/discover.ts";
import { kindOf } from "../../../src/kinds/index.ts";
import { startTestCatalog } from "../../support/catalog.ts";
import { startStub } from "../../support/stub-server.ts";

interface ServedPage {
  readonly urns: readonly string[];
  readonly total?: number;
  readonly next?: string | null;
}

/** What discovery finds where the server answers these pages: URNs, requests, and its error. */
async function discovered(
  pageAt: (page: number) => ServedPage,
): Promise<{ readonly urns: readonly string[]; readonly pages: number; readonly error?: string }> {
  let pages = 0;
  const server = await startStub(() => {
    const { urns, total = 3, next = null } = pageAt(pages);
    pages += 1;
    const searchResults = urns.map((urn) => ({ entity: { urn } }));
    return { data: { scrollAcrossEntities: { nextScrollId: next, total, searchResults } } };
  });
  onTestFinished(() => server.close());
  const found: string[] = [];
  try {
    const reader = createReader(connectionTo(server.url));
    for await (const { urns } of discover(reader, { kind: kindOf("Tag") })) found.push(...urns);
  } catch (error) {
    return { urns: found, pages, error: (error as Error).message };
  }
  return { urns: found, pages };
}

const tag = (id: number | string): string => `urn:li:tag:${id}`;

test("an empty page is not the end", async () => {
  const pages: readonly ServedPage[] = [
    { urns: [tag("a")], next: "1" },
    { urns: [], next: "2" },
    { urns: [tag("b")] },
  ];
  expect(await discovered((page) => pages[page] ?? { urns: [] })).toEqual({
    urns: [tag("a"), tag("b")],
    pages: 3,
  });
});

test("an entity that pages repeat is found once", async () => {
  const pages: readonly ServedPage[] = [
    { urns: [tag("a"), tag("a"), tag("b")], next: "1" },
    { urns: [tag("b")], next: "2" },
    { urns: [tag("b"), tag("c")] },
  ];
  expect(await discovered((page) => pages[page] ?? { urns: [] })).toEqual({
    urns: [tag("a"), tag("b"), tag("c")],
    pages: 3,
  });
});

test.each([
  ["the same entities", (page: number) => ({ urns: [tag("a")], next: `${page}` })],
  ["nothing", (page: number) => ({ urns: [], next: `${page}` })],
  ["other entities", (page: number) => ({ urns: [tag(page)], next: `${page}` })],
  [
    "the same of 10,000 entities",
    (page: number) => ({ urns: Array<string>(1000).fill(tag("a")), next: `${page}`, total: 10_000 }),
  ],
])("a server that always names a new page with %s is left", async (_, pageAt) => {
  const { pages, error } = await discovered(pageAt);
  expect(error).toMatch(
    /could not read a page of the list of tags: the server reports only \d+ entities in total, but lists a further page after 1\d\d pages/,
  );
  expect(pages).toBeLessThan(130);
});

test("a page that was read before is no next page", async () => {
  const { pages, error } = await discovered((page) => ({ urns: [tag(page)], next: `${page % 2}` }));
  expect(error).toContain("it points to a page that was already read");
  expect(pages).toBe(3);
});

test("all is found where the index counts no further than 10,000", async () => {
  const size = 100;
  const last = 120;
  const urnsOf = (page: number): readonly string[] =>
    Array.from({ length: size }, (_, index) => tag(page * size + index));
  const { urns, error } = await discovered((page) => ({
    urns: urnsOf(page),
    total: 10_000,
    next: page < last ? `${page}` : null,
  }));
  expect([new Set(urns).size, error]).toEqual([size * (last + 1), undefined]);
});

test("nothing is missed while others write", async () => {
  const { url } = await startTestCatalog({
    faults: { seed: 1, faults: [{ fault: "unstable_scroll", rate: 1 }] },
  });
  const reader = createReader(connectionTo(url));
  for (const id of ["a", "b", "c"]) {
    const query = `mutation { createTag(input: { id: "${id}", name: "${id}" }) }`;
    await fetch(`${url}/api/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
  }
  const found: string[] = [];
  for await (const { urns } of discover(reader, { kind: kindOf("Tag") })) found.push(...urns);
  expect(found).toEqual([tag("a"), tag("b"), tag("c")]);
});

/** What graphql-java answers to an input field that the release does not have (InputMapDefinesTooManyFieldsException.java). */
const unknownField = (name: string): object => ({
  data: null,
  errors: [
    {
      message: `The variables input contains a field name '${name}' that is not defined for input object type 'ScrollAcrossEntitiesInput' `,
      extensions: { classification: "ValidationError" },
    },
  ],
});

test("a server that cannot sort a scroll is asked without that, once for each", async () => {
  const asked: unknown[] = [];
  const server = await startStub(({ variables }) => {
    const input = variables["input"] as Readonly<Record<string, unknown>>;
    asked.push([input["scrollId"], input["sortInput"] !== undefined]);
    if (input["sortInput"] !== undefined) return unknownField("sortInput");
    const next = input["scrollId"] === undefined ? "1" : null;
    const searchResults = [{ entity: { urn: tag(next ?? "2") } }];
    return { data: { scrollAcrossEntities: { nextScrollId: next, total: 2, searchResults } } };
  });
  onTestFinished(() => server.close());
  const reader = createReader(connectionTo(server.url));
  const found: string[] = [];
  for await (const { urns } of discover(reader, { kind: kindOf("Tag") })) found.push(...urns);
  expect(found).toEqual([tag("1"), tag("2")]);
  expect(asked).toEqual([
    [undefined, true],
    [undefined, false],
    ["1", false],
  ]);
});

test("another error of a sorted scroll is none that a scroll without it hides", async () => {
  let pages = 0;
  const server = await startStub(() => {
    pages += 1;
    return unknownField("searchFlags");
  });
  onTestFinished(() => server.close());
  const reader = createReader(connectionTo(server.url));
  await expect(discover(reader, { kind: kindOf("Tag") }).next()).rejects.toThrow("searchFlags");
  expect(pages).toBe(1);
});

test("what an older server does not know is known of all kinds that are asked for at once", async () => {
  const waiting: (() => void)[] = [];
  const late = (): Promise<void> => new Promise((resolve) => void waiting.push(resolve));
  const answerDomains = async (): Promise<void> => {
    waiting.shift()?.();
    await vi.waitUntil(() => waiting.length > 0);
  };
  const refused = (field: string): Answer => ({ data: null, errors: [{ message: `unknown ${field}` }] });
  const reader: Pick<Reader, "concurrency" | "query"> = {
    concurrency: 8,
    query: async (_, { input }) => {
      const { types, scrollId, sortInput, searchFlags } = input as Readonly<Record<string, unknown>>;
      const isOfDomains = JSON.stringify(types).includes("DOMAIN");
      if (isOfDomains) await late();
      if (sortInput !== undefined) return refused("sortInput");
      if (JSON.stringify(searchFlags).includes("Hidden")) return refused("includeHiddenLifecycleStages");
      const isFirst = scrollId === undefined;
      const nextScrollId = isFirst ? "1" : null;
      const searchResults = [{ entity: { urn: tag(`${isOfDomains ? "d" : "t"}${isFirst ? 1 : 2}`) } }];
      return { data: { scrollAcrossEntities: { nextScrollId, total: 2, searchResults } }, errors: [] };
    },
  };
  const [tags, domains] = [kindOf("Tag"), kindOf("Domain")].map((kind) =>
    discover(reader as Reader, { kind }),
  );
  void domains?.next();
  await tags?.next();
  // Its first refusal comes late, and its next request is under way.
  await answerDomains();

  expect((await tags?.next())?.value).toMatchObject({ urns: [tag("t2")] });
});

import { expect, test } from "vitest";
import type { Reader } from "../../../src/datahub/client.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { Deletable } from "../../../src/model/live.ts";
import type { KindName } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { belowDocument, deletableIn, readReferring } from "../../../src/sync/read/outgoing-references.ts";
import { urn } from "../../support/states.ts";

const [pii, sales] = [urn("urn:li:tag:pii"), urn("urn:li:domain:sales")];
const aspects = ["tagKey", "tagProperties", "nativeGroupMembership"].map((aspectName) => ({
  aspectName,
  payload: "{}",
}));

interface Read {
  readonly found: Deletable | string;
  /** From where on each query asked. */
  readonly asked: readonly string[];
}

/** Reads what refers to one entity, of which a server answers these relationships. */
async function read(
  relationshipsAt: (start: number, query: string) => Json,
  [kind, of]: readonly [KindName, Urn] = ["Tag", pii],
): Promise<Read> {
  const asked: string[] = [];
  const query = async (document: string, { start }: JsonObject): Promise<object> => {
    const name = /^query (\w+)/.exec(document)?.[1] ?? "";
    asked.push(`${name} ${Number(start)}`);
    const relationships = relationshipsAt(Number(start), name);
    return await Promise.resolve({ data: { entities: [{ urn: of, aspects, relationships }] }, errors: [] });
  };
  const reader = { concurrency: 1, query } as unknown as Reader;
  const answer = (await readReferring(reader, [{ kind, urn: of }])).get(of) ?? "nothing";
  return { asked, found: typeof answer === "string" ? answer : deletableIn(answer, kind) };
}

function edges(first: number, number: number, type = "TaggedWith"): readonly JsonObject[] {
  return Array.from({ length: number }, (_, index) => ({
    type,
    entity: { urn: `urn:li:dashboard:(looker,${first + index})` },
  }));
}

const numberOf = ({ found }: Read): unknown => (typeof found === "string" ? found : found.referring.length);

test.each<readonly [string, (start: number) => Json, readonly number[], number]>([
  ["nothing", () => ({ total: 0, relationships: [] }), [0], 0],
  ["fewer than there are, and then no more", () => ({ total: 7, relationships: [] }), [0], 0],
  [
    "a full page with all",
    (start) => ({ total: 500, relationships: start > 0 ? [] : edges(0, 500) }),
    [0, 500],
    500,
  ],
  ["the same page again and again", () => ({ total: 1000, relationships: edges(0, 2) }), [0, 2], 2],
  [
    "some a second time",
    (start) => ({ total: 5, relationships: start > 0 ? edges(1, 2) : edges(0, 3) }),
    [0, 3],
    3,
  ],
])("from a server that answers %s each reference is there once", async (_, at, starts, expected) => {
  const answer = await read(at);
  expect([answer.asked, numberOf(answer)]).toEqual([
    starts.map((start) => `ReadReferring ${start}`),
    expected,
  ]);
});

test("of more references than the index counts those to a tag are not known", async () => {
  expect(await read(() => ({ total: 9999, relationships: edges(0, 3) }))).toEqual({
    asked: ["ReadReferring 0"],
    found: { aspects: { tagProperties: {} }, referring: [], assignments: undefined },
  });
});

test.each([
  [6000, ["ReadBelow 0", "ReadBelow 6000"]],
  [9999, ["ReadBelow 0"]],
])("what is below a domain is read as far as the index goes, in pages of %i", async (size, pages) => {
  const at = (start: number, query: string): Json =>
    query === "ReadBelow"
      ? { total: 20_000, relationships: edges(start, size, "IsPartOf") }
      : { total: 9999, relationships: [] };
  const answer = await read(at, ["Domain", sales]);
  expect(answer.asked).toEqual(["ReadReferring 0", ...pages]);
  expect(numberOf(answer)).toBe(size * pages.length);
});

const kept = ({ found }: Read): unknown => (typeof found === "string" ? found : found.referring);

test("an entity counts once for each way in which it refers to another, on whichever pages", async () => {
  const [tagged, also] = [edges(0, 1), edges(0, 1, "AlsoTaggedWith")];
  const at = (start: number): Json => ({ total: 2, relationships: start > 0 ? also : tagged });
  const of = "urn:li:dashboard:(looker,0)";
  expect(kept(await read(at))).toEqual([
    { type: "TaggedWith", urn: of },
    { type: "AlsoTaggedWith", urn: of },
  ]);
});

test("what refers to a tag counts also where it is not said what, or how", async () => {
  const unnamed = { type: "TaggedWith", entity: null };
  const at = (start: number): Json => ({
    total: 4,
    relationships: start > 0 ? [unnamed, unnamed] : [unnamed, { entity: { urn: sales } }],
  });
  const tagged = { type: "TaggedWith", urn: undefined };
  expect(kept(await read(at))).toEqual([tagged, { type: "", urn: sales }, tagged, tagged]);
});

test("where nothing was answered of what refers to an entity there is nothing", () => {
  expect(deletableIn({ urn: pii, aspects: [] }, "Tag")).toEqual({
    aspects: {},
    referring: [],
    assignments: 0,
  });
});

test("of more references than the index counts the response contains none", async () => {
  const relationships = { total: 12_000, relationships: edges(0, 3) };
  const query = async (): Promise<object> =>
    await Promise.resolve({ data: { entities: [{ urn: pii, aspects, relationships }] }, errors: [] });
  const reader = { concurrency: 1, query } as unknown as Reader;
  expect((await readReferring(reader, [{ kind: "Tag", urn: pii }])).get(pii)).toMatchObject({
    relationships: { total: 9999, relationships: [] },
  });
});

test("an answer without a list of what refers to it is not one", async () => {
  const { found } = await read(() => ({ total: 3, relationships: null }));
  expect(found).toBe("the server's response does not contain the entities that refer to it");
});

test("what is below is asked of the kinds that form trees", () => {
  expect([...belowDocument.matchAll(/\.\.\. on (\w+)/g)].map(([, name]) => name)).toEqual([
    "Domain",
    "GlossaryNode",
    "GlossaryTerm",
  ]);
});

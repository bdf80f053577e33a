import { expect, onTestFinished, test } from "vitest";
import { type Answer, createReader, type Reader } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import { CatalogError } from "../../../src/model/catalog-error.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { type Question, questionOf } from "../../../src/sync/read/question.ts";
import { type ExtraAnswer, readAnswers, type ReadOptions } from "../../../src/sync/read/read-batches.ts";
import { urn } from "../../support/states.ts";
import { startStub } from "../../support/stub-server.ts";

const [a, b, c] = ["a", "b", "c"].map((id) => urn(`urn:li:tag:${id}`)) as [Urn, Urn, Urn];
const document = "query ReadTags($urns: [String!]!) { entities(urns: $urns) { urn } }";
const stored = { aspectsOf: () => ["status"] };
const entitiesOf = (urns: readonly unknown[]): JsonObject[] => urns.map((of) => ({ urn: String(of) }));

interface Read {
  /** The readings that came together: the error of each, or whether it is known. */
  readonly taken: readonly (readonly unknown[])[];
  readonly beside: readonly (ExtraAnswer | undefined)[];
  /** The entities that each request asked for, with those beside them. */
  readonly asked: readonly (readonly unknown[])[];
  readonly progress: readonly (readonly [number, number])[];
}

/** What is read where each request is answered so. */
async function read(
  answer: (urns: readonly unknown[], asked: number) => Answer,
  questions: readonly Question[],
  more: Partial<Reader> & ReadOptions = {},
): Promise<Read> {
  const [asked, taken, beside, progress]: [
    unknown[][],
    unknown[][],
    (ExtraAnswer | undefined)[],
    [number, number][],
  ] = [[], [], [], []];
  const query: Reader["query"] = async (_, variables) => {
    const [urns = [], others = []] = [variables["urns"], variables["beside"]];
    asked.push([urns, others].flat());
    return answer([urns].flat(), asked.length);
  };
  const { batch, ...over } = more;
  const reader: Reader = { concurrency: 1, query, stored: { read: async () => new Map() }, ...over };
  const onProgress = (known: number, total: number): unknown => progress.push([known, total]);
  await readAnswers(reader, questions, { batch, onProgress }, (readings, others) => {
    taken.push([...readings].map(([of, { entity, error }]) => [of, error ?? entity !== undefined]));
    beside.push(others);
  });
  return { taken, beside, asked, progress };
}

const good = (urns: readonly unknown[]): Answer => ({ data: { entities: entitiesOf(urns) }, errors: [] });

test("entities are asked for in batches, and progress is told of each", async () => {
  const { asked, progress } = await read(good, [questionOf([a, b, c], document)], { batch: 2 });
  expect(asked).toEqual([[a, b], [c]]);
  expect(progress).toEqual([
    [2, 3],
    [3, 3],
  ]);
});

test("what is not known from what is stored is asked for by the query, in batches of its own", async () => {
  const answer = new Map([a, c].map((of) => [of, { status: { value: {} } }]));
  const questions = [questionOf([a, b, c], document, stored)];
  const known = await read(good, questions, {
    batch: 1,
    reads: "openapi",
    stored: { read: async () => answer },
  });
  expect(known.taken).toEqual([[[a, true]], [[c, true]], [[b, true]]]);
  expect(known.asked).toEqual([[b]]);
  expect(known.progress).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
});

test("where what is stored says nothing, nothing is handed over before the query is answered", async () => {
  const { taken, progress } = await read(good, [questionOf([a, b], document, stored)], { reads: "openapi" });
  expect(taken).toEqual([
    [
      [a, true],
      [b, true],
    ],
  ]);
  expect(progress).toEqual([[2, 2]]);
});

test("an entity whose error passes is asked for again by itself, three times at most", async () => {
  const busy =
    (times: number) =>
    (urns: readonly unknown[], number: number): Answer => {
      const error = { message: "busy", path: ["entities", urns.indexOf(b)], code: 503 };
      return { ...good(urns), errors: number <= times ? [error] : [] };
    };
  const passing = await read(busy(2), [questionOf([a, b], document)]);
  expect([passing.asked, passing.taken]).toEqual([
    [[a, b], [b], [b]],
    [[[a, true]], [[b, true]]],
  ]);
  const lasting = await read(busy(9), [questionOf([a, b], document)]);
  expect([lasting.asked.length, lasting.taken]).toEqual([3, [[[a, true]], [[b, "busy"]]]]);
});

test("a request that is too large for the server is halved, and of one entity it is an error", async () => {
  const asked: unknown[] = [];
  const limitTo = async (most: number): Promise<readonly Urn[]> => {
    const server = await startStub(({ variables }, response) => {
      const urns = variables["urns"] as readonly string[];
      asked.push(urns);
      if (urns.length > most) return void response.writeHead(413).end();
      return good(urns);
    });
    onTestFinished(() => server.close());
    const found: Urn[] = [];
    const reader = createReader(connectionTo(server.url, { retryDelay: 1 }));
    await readAnswers(reader, [questionOf([a, b, c], document)], {}, (readings) => {
      found.push(...readings.keys());
    });
    return found;
  };
  expect(await limitTo(1)).toEqual([a, b, c]);
  expect(asked).toEqual([[a, b, c], [a, b], [a], [b], [c]]);
  await expect(limitTo(0)).rejects.toThrow("413");
});

/** A question with columns beside some of its entities. */
function withBeside(...columns: readonly string[]): Question {
  const alone = questionOf([a, b], document);
  const requestFor: Question["requestFor"] = (urns) =>
    columns.length > 0 ? { document, variables: { urns, beside: columns } } : alone.requestFor(urns);
  return { ...alone, requestFor, alone };
}

const failed: Answer = { data: null, errors: [{ message: "no" }] };

test("what is answered beside is handed over with the entities, and what is not answered of it is not there", async () => {
  const answer = (urns: readonly unknown[]): Answer => ({
    data: { entities: entitiesOf(urns), beside: [{ urn: "x" }, null] },
    errors: [],
  });
  const { beside } = await read(answer, [withBeside("x", "y")]);
  expect(beside.map((each) => each && [...each])).toEqual([
    [
      ["x", { urn: "x" }],
      ["y", undefined],
    ],
  ]);
});

test.each<readonly [string, JsonObject, Answer["errors"], unknown]>([
  ["entity", { beside: [] }, [{ message: "no", path: ["entities", 1] }], "no"],
  ["column", { beside: [{ urn: "x" }] }, [{ message: "no", path: ["beside", 0] }], true],
  ["list of columns", { beside: null }, [{ message: "no", path: ["beside"] }], true],
])("an error of one %s beside the others is its own", async (_, more, errors, ofB) => {
  const answer = (urns: readonly unknown[]): Answer => ({
    data: { entities: entitiesOf(urns), ...more },
    errors,
  });
  const { taken, beside } = await read(answer, [withBeside("x")]);
  expect(taken).toEqual([
    [
      [a, true],
      [b, ofB],
    ],
  ]);
  expect(beside.map((each) => each !== undefined)).toEqual([ofB === "no"]);
});

test("a request that fails is asked again without what is beside, where something is", async () => {
  const answer = (urns: readonly unknown[], number: number): Answer => (number < 2 ? failed : good(urns));
  const { asked, taken } = await read(answer, [withBeside("x")]);
  expect(asked).toEqual([
    [a, b, "x"],
    [a, b],
  ]);
  expect(taken).toHaveLength(1);
  const { asked: halved } = await read(answer, [withBeside()]);
  expect(halved).toEqual([[a, b], [a], [b]]);
});

test("what fails in another way than by its size is asked for once", async () => {
  let asked = 0;
  for (const error of [new CatalogError("http", "no", { status: 401 }), new TypeError("no")]) {
    const query: Reader["query"] = async () => {
      asked += 1;
      throw error;
    };
    const reader: Reader = { concurrency: 1, query, stored: { read: async () => new Map() } };
    await expect(readAnswers(reader, [questionOf([a, b], document)], {}, () => {})).rejects.toThrow(error);
  }
  expect(asked).toBe(2);
});

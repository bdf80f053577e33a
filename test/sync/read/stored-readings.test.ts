import { expect, test } from "vitest";
import type { Reader } from "../../../src/datahub/client.ts";
import { kindOf } from "../../../src/kinds/index.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { type Question, questionOf, type StoredQuestion } from "../../../src/sync/read/question.ts";
import { isReadAsStored, storedReadings, storedValues } from "../../../src/sync/read/stored-readings.ts";
import { urn } from "../../support/states.ts";

const [pii, gold, alice] = [urn("urn:li:tag:pii"), urn("urn:li:tag:gold"), urn("urn:li:corpuser:alice")];

type Stored = Awaited<ReturnType<Reader["stored"]["read"]>>;

/** A reader by OpenAPI that gives these answers, one after the other, and what it was asked. */
function answering(...answers: readonly Stored[]): { readonly reader: Reader; readonly asked: unknown[] } {
  const left = [...answers];
  const asked: unknown[] = [];
  const answer: Reader["stored"]["read"] = async (entityType, wanted, _, options) => {
    asked.push([entityType, wanted, options]);
    return left.shift() ?? new Map();
  };
  const query: Reader["query"] = async () => ({ data: null, errors: [] });
  return { reader: { concurrency: 1, reads: "openapi", query, stored: { read: answer } }, asked };
}

const properties: StoredQuestion = { aspectsOf: () => ["status", "tagProperties", "status"] };

function asking(stored: StoredQuestion, ...urns: readonly Urn[]): Question {
  return questionOf(urns, "query ReadTags { a }", stored);
}

async function read(stored: StoredQuestion, answer: Stored, ...urns: readonly Urn[]): Promise<unknown> {
  const found = await storedReadings(answering(answer).reader, asking(stored, ...urns), undefined);
  return Object.fromEntries([...found].map(([of, { entity }]) => [of, entity]));
}

test("entities of each type are asked for by themselves, each aspect once, without metadata", async () => {
  const { reader, asked } = answering();
  await storedReadings(reader, asking(properties, pii, alice, gold), undefined);
  const wanted = (...urns: readonly Urn[]): unknown =>
    urns.map((of) => ({ urn: of, aspects: ["status", "tagProperties"] }));
  expect(asked).toEqual([
    ["tag", wanted(pii, gold), { withMetadata: false, onForbidden: expect.any(Function) }],
    ["corpuser", wanted(alice), { withMetadata: false, onForbidden: expect.any(Function) }],
  ]);
});

test("an entity has the values of its aspects", async () => {
  const answer = new Map([
    [pii, { status: { value: { removed: true } }, tagProperties: { value: { name: "PII" } } }],
    [gold, { tagProperties: { value: { name: "Gold" } } }],
  ]);
  expect(await read(properties, answer, pii, gold)).toEqual({
    [pii]: {
      urn: pii,
      __typename: kindOf("Tag").typename,
      exists: true,
      status: { removed: true },
      aspects: { status: { removed: true }, tagProperties: { name: "PII" } },
    },
    [gold]: {
      urn: gold,
      __typename: kindOf("Tag").typename,
      exists: true,
      status: null,
      aspects: { tagProperties: { name: "Gold" } },
    },
  });
});

test("an entity of no kind has no type", async () => {
  const column = urn("urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:x,a,PROD),id)");
  const answer = new Map([[column, { status: { value: {} } }]]);
  expect(await read(properties, answer, column)).toMatchObject({ [column]: { __typename: null } });
});

test.each<readonly [string, JsonObject | undefined]>([
  ["nothing is answered", undefined],
  ["nothing is stored that was asked for", { ownership: { value: {} } }],
  ["an aspect is malformed", { status: { value: {} }, tagProperties: { value: "PII" } }],
  ["an aspect is in no envelope", { status: { value: {} }, tagProperties: "PII" }],
])("an entity of which %s is not known from what is stored", async (_, envelopes) => {
  expect(await read(properties, new Map(envelopes && [[pii, envelopes]]), pii, gold)).toEqual({});
});

test("an entity that need not exist has nothing where nothing is stored of it", async () => {
  expect(await read({ ...properties, isComplete: true }, new Map(), pii)).toMatchObject({
    [pii]: { urn: pii, status: null, aspects: {} },
  });
});

test("an aspect that is stored as null is none", async () => {
  const answer = new Map([[pii, { status: { value: {} }, tagProperties: null }]]);
  expect(await read(properties, answer, pii)).toMatchObject({ [pii]: { aspects: { status: {} } } });
});

test("only what is known from what is stored is asked for so, and only where that is how assets are read", () => {
  const { reader } = answering();
  expect(isReadAsStored(reader, asking(properties, pii))).toBe(true);
  expect(isReadAsStored(reader, questionOf([pii], "query ReadTags { a }"))).toBe(false);
  expect(isReadAsStored({ ...reader, reads: "graphql" }, asking(properties, pii))).toBe(false);
});

test.each<readonly [string, readonly Stored[], boolean]>([
  ["refuses once", ["refused"], true],
  ["refuses twice", ["refused", "refused"], false],
  ["answers between refusals", ["refused", new Map(), "refused"], true],
  ["does not know the request once", ["unknown"], true],
  ["does not know the request twice", ["unknown", "unknown"], false],
  ["is busy each time", ["busy", "busy", "busy"], true],
])("a server that %s is asked by OpenAPI again: %3$s", async (_, answers, isAsked) => {
  const { reader } = answering(...answers);
  const question = asking(properties, pii);
  for (let n = 0; n < answers.length; n += 1) await storedReadings(reader, question, undefined);
  expect(isReadAsStored(reader, question)).toBe(isAsked);
});

test("the values of aspects are taken out of their envelopes, without what is malformed", () => {
  expect(storedValues({ a: { value: { x: 1 } }, b: { value: [] }, c: null, d: "text" })).toEqual({
    a: { x: 1 },
  });
  expect(storedValues(undefined)).toEqual({});
});

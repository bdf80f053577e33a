import { expect, test } from "vitest";
import { notViewable } from "../../../src/model/restricted.ts";
import type { Answer } from "../../../src/datahub/client.ts";
import { kindOf } from "../../../src/kinds/index.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import { answeredEntity, type Reading, readingsIn, unreadable } from "../../../src/sync/read/readings.ts";
import { urn } from "../../support/states.ts";

const [pii, gold, admin] = [urn("urn:li:tag:pii"), urn("urn:li:tag:gold"), urn("urn:li:ownershipType:admin")];
const [onPii, onGold] = [
  { urn: pii, name: "pii" },
  { urn: gold, name: "gold" },
];

/** What an answer says of three entities, of which two are asked for by `entities`; a reading without anything is left out. */
function readings(data: JsonObject | null, ...errors: Answer["errors"]): unknown {
  const found = readingsIn({ data, errors }, [pii, gold, admin], { urns: [pii, gold] });
  return (
    found &&
    Object.fromEntries([...found].map(([of, each]) => [of, JSON.parse(JSON.stringify(each)) as unknown]))
  );
}

test("each entity has what was answered of it, in whatever order, and the value of its alias", () => {
  expect(readings({ e0: true, e2: false, entities: [onGold, onPii] })).toEqual({
    [pii]: { entity: onPii, alias: true },
    [gold]: { entity: onGold },
    [admin]: { alias: false },
  });
});

test.each<readonly [string, readonly (string | number)[], readonly Json[], string]>([
  ["its alias", ["e2"], [onPii, onGold], admin],
  ["its alias of several digits", ["e02", "x"], [onPii, onGold], admin],
  ["its place", ["entities", 1], [onPii, null], gold],
  ["its place, with a field", ["entities", 1, "name"], [onPii, onGold], gold],
  ["its place in an answer of another order", ["entities", 1], [onGold, onPii], pii],
  ["its place, where another entity stands", ["entities", 0], [{ urn: admin.replace("admin", "x") }], pii],
  ["its place, where no URN stands", ["entities", 0], [{ urn: 7 }, onGold], pii],
])("an error at %s is that of one entity", (_, path, entities, of) => {
  const found = readings({ entities }, { message: "no", path });
  expect(found).toMatchObject({ [of]: { error: "no" } });
  expect(JSON.stringify(found).match(/"error"/g)).toHaveLength(1);
});

test.each<readonly [string, readonly (string | number)[] | undefined]>([
  ["nowhere", undefined],
  ["another field", ["other", 1]],
  ["a field that only looks like an alias", ["me1"]],
  ["an alias with more behind it", ["e1x"]],
  ["all entities", ["entities"]],
  ["an entity by name", ["entities", "1"]],
  ["a place that was not asked for", ["entities", 9]],
  ["an alias that was not asked for", ["e3"]],
])("an answer with an error at %s says nothing of any entity", (_, path) => {
  expect(readings({ entities: [onPii, onGold] }, { message: "no", ...(path && { path }) })).toBeUndefined();
});

test.each<readonly [string, JsonObject | null]>([
  ["data", null],
  ["entities", {}],
  ["a list of entities", { entities: "none" }],
])("an answer without %s says nothing of any entity", (_, data) => {
  expect(readings(data)).toBeUndefined();
});

test("an error at a place is that of no entity where none were asked for by place", () => {
  const answer = { data: { entities: [null] }, errors: [{ message: "no", path: ["entities", 0] }] };
  expect(readingsIn(answer, [pii], {})).toBeUndefined();
  expect(readingsIn(answer, [pii], { urns: "all" })).toBeUndefined();
  expect(readingsIn({ ...answer, data: null }, [pii], { urns: [7] })).toBeUndefined();
});

test("an entity that was answered twice and differently is not known", () => {
  expect(readings({ entities: [onPii, onGold, { urn: pii, name: "PII" }] })).toMatchObject({
    [pii]: { error: "the server returned it twice, with different values" },
    [gold]: { entity: onGold },
  });
});

test.each([
  [500, true],
  [503, true],
  [403, undefined],
  [undefined, undefined],
])("an error with the code %s may pass: %s", (code, isPassing) => {
  const error = { message: "no", path: ["e1"], ...(code !== undefined && { code }) };
  const found = readingsIn({ data: { entities: [] }, errors: [error] }, [pii, gold], {});
  expect(found?.get(gold)).toEqual({ error: "no", ...(isPassing && { isPassing }) });
  expect(found?.get(pii)).toEqual({});
});

test("where an answer says nothing of any entity its first error is that of each", () => {
  const [busy, other] = [{ message: "busy", code: 503 }, { message: "other" }];
  expect(unreadable({ data: null, errors: [busy, other] }, [pii, gold])).toEqual(
    new Map([pii, gold].map((of) => [of, { error: "busy", isPassing: true }])),
  );
  expect(unreadable({ data: null, errors: [] }, [pii])).toEqual(
    new Map([[pii, { error: "the server did not return it" }]]),
  );
});

const reading: Reading = { entity: { __typename: "Tag" }, alias: undefined, error: undefined };

test.each<readonly [string, Partial<Reading>, unknown, object]>([
  ["there", {}, true, { entity: { __typename: "Tag" } }],
  ["absent", {}, false, { entity: { __typename: "Tag" } }],
  ["with an error", { error: "busy" }, true, { fault: "busy" }],
  ["missing", { entity: undefined }, true, { fault: "the server's response does not contain this entity" }],
  ["restricted", { entity: { __typename: "Restricted" } }, undefined, { fault: notViewable }],
  ["silent", {}, null, { fault: "the server's response does not show whether it exists" }],
  [
    "of another type",
    { entity: { __typename: "Domain" } },
    true,
    { fault: "the server returned an entity of a different type" },
  ],
])("an entity that is answered as %s is known, or it is said why not", (_, more, exists, expected) => {
  expect(answeredEntity({ ...reading, ...more }, { kind: kindOf("Tag"), exists })).toEqual(expected);
});

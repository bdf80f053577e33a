import { expect, onTestFinished, test } from "vitest";
import type { AspectStore } from "../../../src/local-catalog/store/aspect-store.ts";
import { openSqlite } from "../../../src/local-catalog/store/sqlite/connection.ts";
import { aspectStoreIn } from "../../../src/local-catalog/store/sqlite/open-store.ts";

const urn = "urn:li:tag:pii";
const audit = { actor: "urn:li:corpuser:a", time: 1, systemMetadata: { runId: "r" } };

function store(): AspectStore {
  const opened = aspectStoreIn(openSqlite(":memory:"), () => "id-1");
  onTestFinished(() => opened.close());
  return opened;
}

test("a new value is version 0, previous ones are in the history, and systemMetadata counts the writes", () => {
  const opened = store();
  for (const n of [1, 2, 3])
    opened.put(urn, "status", { n }, { ...audit, time: n, systemMetadata: { runId: `r${n}` } });
  expect(opened.latest(urn, "status")).toEqual({
    value: { n: 3 },
    systemMetadata: {
      runId: "r3",
      version: "3",
      aspectCreated: { time: 1, actor: audit.actor },
      aspectModified: { time: 3, actor: audit.actor },
    },
    created: { time: 3, actor: audit.actor },
  });
  expect([0, 1, 2, 3].map((version) => opened.valueAt(urn, "status", version))).toEqual([
    { n: 3 },
    { n: 1 },
    { n: 2 },
    undefined,
  ]);
});

test("an equal value changes nothing, whatever the order of its keys", () => {
  const opened = store();
  expect(opened.put(urn, "status", { a: 1, b: [{ c: 2, d: 3 }] }, audit)).toBe(true);
  expect(opened.put(urn, "status", { b: [{ d: 3, c: 2 }], a: 1 }, { ...audit, time: 9 })).toBe(false);
  expect(opened.put(urn, "status", { a: 1, b: [{ c: 3, d: 2 }] }, audit)).toBe(true);
  expect(opened.latest(urn, "status")?.systemMetadata.version).toBe("2");
});

test("many values are found in one call, without missing ones", () => {
  const opened = store();
  const found: unknown[] = [];
  opened.put(urn, "status", { n: 1 }, audit);
  opened.put(urn, "tagProperties", { n: 2 }, audit);
  opened.put('urn:li:tag:"quoted" \\ ü', "status", { n: 3 }, audit);
  const urns = [urn, "urn:li:tag:x", 'urn:li:tag:"quoted" \\ ü'];
  opened.eachLatest(urns, ["status"], (...values) => found.push(values));
  expect(found).toHaveLength(2);
  expect(found).toEqual(
    expect.arrayContaining([
      [urn, "status", { n: 1 }],
      ['urn:li:tag:"quoted" \\ ü', "status", { n: 3 }],
    ]),
  );
});

test("values under a prefix are those of URNs that start with it", () => {
  const opened = store();
  const found: string[] = [];
  for (const name of ["(a", "(a,b)", "(a,c)", "(a-b)", "(b,c)"]) opened.put(name, "globalTags", {}, audit);
  opened.put("(a,d)", "status", {}, audit);
  opened.eachLatestUnder("(a,", "globalTags", (name) => found.push(name));
  expect(found).toEqual(["(a,b)", "(a,c)"]);
});

test("a transaction that fails is rolled back", () => {
  const opened = store();
  const failing = () =>
    opened.transaction(() => {
      opened.put(urn, "status", { n: 1 }, audit);
      throw new Error("no");
    });
  expect(failing).toThrow("no");
  expect(opened.has(urn, "status")).toBe(false);
  expect(opened.aspectNames(urn)).toEqual([]);
});

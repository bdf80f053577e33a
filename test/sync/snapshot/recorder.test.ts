import { expect, test } from "vitest";
import type { Answer, Reader } from "../../../src/datahub/client.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { featureFlagDocuments } from "../../../src/sync/read/capabilities.ts";
import { readNames } from "../../../src/sync/read/names.ts";
import { readExistence } from "../../../src/sync/read/existence.ts";
import { createRecorder } from "../../../src/sync/snapshot/recorder.ts";
import { snapshotReader } from "../../../src/sync/snapshot/snapshot-reader.ts";
import { urn } from "../../support/states.ts";

const [pii, broken] = [urn("urn:li:tag:pii"), urn("urn:li:tag:broken")];

/** A reader that gives these answers, one after the other. */
function answering(...answers: readonly Answer[]): Reader {
  const left = [...answers];
  const query: Reader["query"] = async () => left.shift() ?? { data: null, errors: [] };
  return { concurrency: 1, query, stored: { read: async () => "unknown" } };
}

/** What a snapshot answers of what was recorded. */
async function replayed(reader: Reader): Promise<unknown> {
  const recorder = createRecorder(reader);
  const read = await readExistence(recorder.reader, [pii, broken]);
  const header = {
    formatVersion: "2",
    tool: "t",
    createdAt: "",
    target: "",
    definitions: [],
  } as const;
  const snapshot = snapshotReader({ ...header, ...recorder.recorded() });
  expect(await readExistence(snapshot, [pii, broken])).toEqual(read);
  expect(await readNames(snapshot, [pii])).toEqual(new Map());
  return Object.fromEntries(read);
}

const there = (of: string) => ({ urn: of, aspects: [] });

test("an error that passes is replaced by the answer that follows", async () => {
  const error = { message: "busy", path: ["e1"], code: 503 };
  const found = await replayed(
    answering(
      { data: { e0: true, e1: null, entities: [there(pii), null] }, errors: [error] },
      { data: { e0: true, entities: [there(broken)] }, errors: [] },
    ),
  );
  expect(found).toEqual({ [pii]: { status: "present" }, [broken]: { status: "present" } });
});

test("of a request that fails as a whole the error of each entity is recorded", async () => {
  const failed = { data: null, errors: [{ message: "a bad URN" }] };
  const found = await replayed(
    answering(failed, { data: { e0: true, entities: [there(pii)] }, errors: [] }, failed),
  );
  expect(found).toEqual({
    [pii]: { status: "present" },
    [broken]: { status: "unreadable", error: "a bad URN" },
  });
});

const page = (...urns: readonly string[]) => ({
  data: { scrollAcrossEntities: { searchResults: urns.map((of) => ({ entity: { urn: of } })) } },
  errors: [],
});

test("what an index names is recorded by what it was asked, all pages of it, and once where it is asked again", async () => {
  const recorder = createRecorder(
    answering(page(pii), page(broken), page(pii), { data: { scrollAcrossEntities: null }, errors: [] }),
  );
  const ask = async (input: JsonObject): Promise<unknown> =>
    await recorder.reader.query("query Discover { a }", { input });
  await ask({ types: ["TAG"], count: 1 });
  await ask({ types: ["TAG"], count: 1, scrollId: "1" });
  const filter = { field: "platform", values: ["a"] };
  await ask({ types: ["DOMAIN"], orFilters: [{ and: [filter] }, {}] });
  await ask({ types: ["GROUP"] });
  expect(recorder.recorded()).toEqual({
    found: [
      { type: "DOMAIN", anyOf: [[filter], []], urns: [pii] },
      { type: "TAG", anyOf: [], urns: [pii, broken] },
    ],
    entities: {},
  });
});

test("an index that is asked from the beginning again is recorded from there", async () => {
  const recorder = createRecorder(answering(page(pii), page(pii, broken)));
  for (let n = 0; n < 2; n += 1) await recorder.reader.query("query Discover { a }", { input: {} });
  expect(recorder.recorded().found).toEqual([{ type: "", anyOf: [], urns: [pii, broken] }]);
});

test("entries and their answers are recorded in order, and of stored aspects the value and who wrote it", async () => {
  const value = { tags: [] };
  const envelope = { value, auditStamp: { actor: "a" }, version: 3 };
  const stored = new Map([
    [pii as string, { globalTags: envelope, none: null }],
    ["no URN", {}],
  ]);
  const recorder = createRecorder({ ...answering(), stored: { read: async () => stored } });
  recorder.note(pii, "ReadNames", { entity: null });
  recorder.note(pii, "ReadAssets", { error: "busy" });
  recorder.note(broken, "ReadNames", { exists: true });
  expect(await recorder.reader.stored.read("tag", [])).toBe(stored);
  expect(JSON.stringify(recorder.recorded())).toBe(
    JSON.stringify({
      entities: {
        [broken]: { answers: { ReadNames: { exists: true } } },
        [pii]: {
          answers: { ReadAssets: { error: "busy" }, ReadNames: { entity: null } },
          stored: { globalTags: { value, auditStamp: { actor: "a" } } },
        },
      },
    }),
  );
});

test("a server that cannot answer stored aspects records none", async () => {
  const recorder = createRecorder(answering());
  expect(await recorder.reader.stored.read("tag", [])).toBe("unknown");
  expect(recorder.recorded()).toEqual({ entities: {} });
});

test("what a server answers of its settings is recorded by the document that asks", async () => {
  const [document = ""] = featureFlagDocuments;
  const recorder = createRecorder(answering({ data: { appConfig: null }, errors: [] }));
  await recorder.reader.query(document, {});
  await recorder.reader.query("query Other { a }", {});
  expect(recorder.recorded()).toEqual({ settings: { [document]: { appConfig: null } }, entities: {} });
});

test("one entity is recorded from the field of its query, with the error of it", async () => {
  const group = urn("urn:li:corpGroup:a");
  const recorder = createRecorder(
    answering(
      { data: { corpGroup: { a: 1 } }, errors: [] },
      { data: null, errors: [{ message: "busy" }, { message: "too" }] },
    ),
  );
  for (const start of [0, 100])
    await recorder.reader.query("query ReadMembers($urn: String!) { a }", { urn: group, start });
  expect(recorder.entries.get(group)).toEqual({
    answers: { ReadMembers: { entity: { a: 1 } }, "ReadMembers 100": { entity: null, error: "busy" } },
  });
});

test("of several entities each is recorded with its answer or its error, and with whether it exists only where that is asked", async () => {
  const error = { message: "busy", path: ["entities", 1] };
  const recorder = createRecorder(
    answering(
      { data: { entities: [there(pii), null] }, errors: [error] },
      { data: { e0: true, e1: null, entities: [there(pii), null] }, errors: [] },
      { data: null, errors: [error] },
    ),
  );
  const ask = async (name: string, variables: JsonObject): Promise<unknown> =>
    await recorder.reader.query(`query ${name} { a }`, variables);
  await ask("ReadNames", { urns: [pii, broken] });
  await ask("ReadExistence", { u0: pii, u1: broken, urns: [pii, broken] });
  await ask("ReadAssets", { urns: [pii, broken] });
  expect(recorder.recorded().entities).toEqual({
    [broken]: {
      answers: { ReadNames: { error: "busy" }, ReadExistence: { exists: null, entity: null } },
    },
    [pii]: {
      answers: { ReadNames: { entity: there(pii) }, ReadExistence: { exists: true, entity: there(pii) } },
    },
  });
});

import { expect, test } from "vitest";
import type { Answer, Reader } from "../../../src/datahub/client.ts";
import { readNames } from "../../../src/run/read/names.ts";
import { readExistence } from "../../../src/run/read/existence.ts";
import { createRecorder } from "../../../src/run/snapshot/recorder.ts";
import { snapshotReader } from "../../../src/run/snapshot/snapshot-reader.ts";
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

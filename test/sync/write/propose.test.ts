import { expect, onTestFinished, test } from "vitest";
import { missingAspect } from "../../../src/datahub/aspect-client.ts";
import { createWriter } from "../../../src/datahub/client.ts";
import { connectionTo } from "../../../src/datahub/connection.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { ListEdit, Proposal } from "../../../src/model/operation.ts";
import type { Provenance } from "../../../src/sync/write/apply-edits.ts";
import { isWritten, propose } from "../../../src/sync/write/propose.ts";
import { urn } from "../../support/states.ts";
import { startStub } from "../../support/stub-server.ts";

const alice = urn("urn:li:corpuser:alice");
const aspect = "corpUserEditableInfo";
const proposal: Proposal = { type: "proposal", urn: alice, aspect, initial: {}, set: { aboutMe: "new" } };

/** What a server answers: to the reading of that number, and to a write. */
interface Answers {
  readonly read?: (reading: number) => object;
  readonly write?: { readonly status: number; readonly message: string };
}

/** What went wrong with the proposal, and how often the server was read and written. */
async function proposed({ read = () => ({ aboutMe: "old" }), write }: Answers) {
  let [reads, writes] = [0, 0];
  const server = await startStub((request, response) => {
    if (request.text === "") {
      reads += 1;
      const { version = "3", actor, ...value } = read(reads) as Readonly<Record<string, unknown>>;
      const envelope = { value, systemMetadata: { version }, created: { actor } };
      return { urn: alice, aspects: { [aspect]: envelope } };
    }
    writes += 1;
    response.statusCode = write?.status ?? 200;
    return write ? { message: write.message } : { value: alice };
  });
  onTestFinished(() => server.close());
  const { aspects } = createWriter(connectionTo(server.url, { retryDelay: 1 }));
  return { error: await propose(aspects, proposal), reads, writes };
}

test("a proposal is read once and written once", async () => {
  expect(await proposed({})).toEqual({ error: undefined, reads: 1, writes: 1 });
});

test("nothing is written where the aspect has the value already", async () => {
  const found = await proposed({ read: () => ({ aboutMe: "new" }) });
  expect(found).toEqual({ error: undefined, reads: 1, writes: 0 });
});

const refusal = { status: 422, message: "Expected version 1, actual version 2" };

test.each([
  ["urn:li:corpuser:bob", "urn:li:corpuser:bob"],
  [undefined, "an unknown actor"],
])("an aspect that others change during each of four attempts is given up", async (actor, name) => {
  const read = (reading: number): object => ({ aboutMe: "old", version: `${reading}`, actor });
  expect(await proposed({ read, write: refusal })).toEqual({
    error: `other users or tools changed ${aspect} of ${alice} during each attempt, most recently ${name}: ${refusal.message}`,
    reads: 4,
    writes: 4,
  });
});

test("a write that is refused twice for the same version is not sent again", async () => {
  expect(await proposed({ write: refusal })).toEqual({ error: refusal.message, reads: 2, writes: 1 });
});

test("a write that is forbidden names the privilege that the token needs, and is not sent again", async () => {
  expect(await proposed({ write: { status: 403, message: "denied" } })).toEqual({
    error: `denied; the token needs the privilege MANAGE_USERS_AND_GROUPS ("Manage Users & Groups") on ${alice}`,
    reads: 1,
    writes: 1,
  });
});

test("where the aspect cannot be read, the failure says that nothing was written", async () => {
  const server = await startStub((_, response) => {
    response.statusCode = 400;
    return { message: "no" };
  });
  onTestFinished(() => server.close());
  const { aspects } = createWriter(connectionTo(server.url, { retryDelay: 1 }));
  await expect(propose(aspects, proposal)).rejects.toMatchObject({
    name: "CatalogError",
    details: { status: 400, isUndone: true },
  });
});

test("nothing is written where nothing is left of the proposal once the aspect is read", async () => {
  const written: string[] = [];
  const server = await startStub(({ text }) => {
    if (text !== "") written.push(text);
    return { urn: alice, aspects: { [aspect]: { value: { aboutMe: "old" } } } };
  });
  onTestFinished(() => server.close());
  const { aspects } = createWriter(connectionTo(server.url));
  expect(await propose(aspects, proposal, { narrow: () => undefined })).toBeUndefined();
  expect(written).toEqual([]);
});

test("nothing is written where members are removed from an aspect that is not there", async () => {
  const edits = [{ at: ["tags"], add: [], remove: [{ tag: "x" }] }];
  expect(await sentFor({ ...proposal, set: {}, edits }, undefined)).toEqual([]);
});

const provenance: Provenance = {
  actor: "urn:li:corpuser:ci",
  source: "urn:li:dataHubAction:x",
  detail: {},
  keeps: new Set(["Tag.attribution"]),
};
const tag: ListEdit = {
  at: ["tags"],
  add: [{ element: { tag: "x" } }],
  remove: [],
  attribution: "Tag.attribution",
  keys: { template: ["tag"], own: ["tag"] },
};

/** The proposals that are sent for one, where the aspect has this value. */
async function sentFor(
  asked: Proposal,
  value: object | undefined,
  by?: Provenance,
): Promise<readonly object[]> {
  const sent: object[] = [];
  const server = await startStub((request) => {
    if (request.text === "") {
      const envelope = { value, systemMetadata: { version: "3" } };
      return { urn: alice, aspects: value ? { [aspect]: envelope } : {} };
    }
    sent.push((JSON.parse(request.text) as { readonly proposal: object }).proposal);
    return { value: alice };
  });
  onTestFinished(() => server.close());
  const { aspects } = createWriter(connectionTo(server.url));
  expect(await propose(aspects, asked, { provenance: by })).toBeUndefined();
  return sent;
}

test.each<readonly [string, Provenance | undefined, string]>([
  ["completely, without provenance", undefined, "UPSERT"],
  ["as a patch, with provenance", provenance, "PATCH"],
])("tags are written %s, on the condition of the version that was read", async (_, by, changeType) => {
  const sent = await sentFor({ ...proposal, set: {}, edits: [tag] }, {}, by);
  expect(sent).toMatchObject([{ changeType, headers: { "If-Version-Match": "3" } }]);
});

test("a patch for any version has no condition, and attributes what it adds to now", async () => {
  const start = Date.now();
  const asked: Proposal = { ...proposal, set: {}, edits: [tag], isForAnyVersion: true };
  const [sent] = (await sentFor(asked, {}, provenance)) as readonly { readonly aspect: { value: string } }[];
  expect(sent).toMatchObject({ changeType: "PATCH" });
  expect(sent).not.toHaveProperty("headers");
  const { patch } = JSON.parse(sent?.aspect.value ?? "") as {
    readonly patch: readonly { value: JsonObject }[];
  };
  const { attribution } = patch[0]?.value ?? {};
  expect(attribution).toMatchObject({ actor: provenance.actor, source: provenance.source });
  expect((attribution as { readonly time: number }).time).toBeGreaterThanOrEqual(start);
});

test.each<readonly [string, object, Proposal, boolean]>([
  ["has the value", { aboutMe: "new", x: 1 }, proposal, true],
  ["has another value", { aboutMe: "old" }, proposal, false],
  ["lacks the value", {}, proposal, false],
  ["lacks what is removed", {}, { ...proposal, set: { aboutMe: null } }, true],
  ["has what is removed", { aboutMe: "old" }, { ...proposal, set: { aboutMe: null } }, false],
])("whether a proposal is written where the aspect %s", (_, value, asked, expected) => {
  expect(isWritten(asked, { ...missingAspect, value: value as Readonly<Record<string, string>> })).toBe(
    expected,
  );
});

test("a proposal of values is not written where there is no aspect, one that only removes members is", () => {
  expect(isWritten(proposal, missingAspect)).toBe(false);
  const edits = [{ at: ["skills"], add: [], remove: ["go"] }];
  expect(isWritten({ ...proposal, set: {}, edits }, missingAspect)).toBe(true);
});

test("an aspect of which an old version is read is read again until the new one is there, for some time", async () => {
  const write = { status: 422, message: "Expected version 3, actual version 4" };
  let isRead = false;
  const server = await startStub((request, response) => {
    if (request.text === "") {
      const envelope = { value: { aboutMe: "old" }, systemMetadata: { version: isRead ? "4" : "3" } };
      return { urn: alice, aspects: { [aspect]: envelope } };
    }
    response.statusCode = request.text.includes('"4"') ? 200 : write.status;
    return response.statusCode === 200 ? { value: alice } : { message: write.message };
  });
  onTestFinished(() => server.close());
  const { aspects } = createWriter(connectionTo(server.url, { retryDelay: 1 }));
  const looked: unknown[] = [];
  const looksUntil = (most: number) => ({
    next: async (urns: readonly unknown[]) => {
      looked.push(urns);
      isRead = looked.length >= most;
      return looked.length <= 4;
    },
  });
  expect(await propose(aspects, proposal, { looks: looksUntil(3) })).toBeUndefined();
  expect(looked).toEqual([[alice], [alice], [alice]]);
  [isRead, looked.length] = [false, 0];
  expect(await propose(aspects, proposal, { looks: looksUntil(9) })).toBe(write.message);
  expect(looked).toHaveLength(5);
});

import { expect, test } from "vitest";
import type { Reader } from "../../../src/datahub/client.ts";
import type { Change, FacetChange, Opponent } from "../../../src/model/change.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { readLastWriters } from "../../../src/sync/read/last-writers.ts";
import type { KindName } from "../../../src/model/state.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const orders = datasetNamed("orders");
const [pii, gold, sales] = [urn("urn:li:tag:pii"), urn("urn:li:tag:gold"), urn("urn:li:domain:sales")];
const actor = "urn:li:corpuser:alice";
const time = Date.UTC(2025, 0, 31);
const written = { actor, time: "2025-01-31T00:00:00.000Z" };
const agent = "urn:li:dataHubAction:tagger";
const systemMetadata = { runId: "nightly-1", pipelineName: "nightly" };

const fight = (value: string): object => ({ value, times: 3, last: "", until: "" });
function change(facet: string, more: object, kind: KindName = "Dataset"): FacetChange {
  const shape = "add" in more ? "set" : "scalar";
  return {
    action: "update",
    kind,
    urn: orders,
    shape,
    facet,
    fingerprint: "",
    ...more,
  } as FacetChange;
}
const held = change("tags", { add: [], remove: [], fights: [fight(pii)] });

/** A reader of a server that has stored this of orders, and the aspects that it was asked for. */
function storing(stored: JsonObject): { readonly reader: Reader; readonly asked: readonly unknown[] } {
  const asked: unknown[] = [];
  const read: Reader["stored"]["read"] = async (_, wanted) => {
    asked.push(...wanted);
    return await Promise.resolve(new Map([[orders, stored]]));
  };
  return { reader: { concurrency: 1, stored: { read } } as unknown as Reader, asked };
}

const tagged = (attribution: unknown, more: object = {}): JsonObject =>
  ({ globalTags: { value: { tags: [{ tag: pii, attribution }] }, ...more } }) as JsonObject;

async function writerOf(stored: JsonObject, at = held, of?: "opponent"): Promise<Opponent> {
  const last = await readLastWriters(storing(stored).reader, { changes: [at], unmanaged: [] });
  return last(at, pii, of);
}

test("of an opponent it is told by what it writes, too, of others only who wrote it", async () => {
  const stored = tagged({ actor, time, source: agent }, { systemMetadata });
  expect(await writerOf(stored, held, "opponent")).toEqual({
    ...written,
    agent,
    ingestionRun: "nightly-1",
    pipeline: "nightly",
  });
  expect(await writerOf(stored)).toEqual(written);
});

test("by what a value was written is only read where it is fought over", async () => {
  const stored = tagged({ actor, time, source: agent }, { systemMetadata });
  const taken = change("tags", { add: [], remove: [pii] });
  expect(await writerOf(stored, taken, "opponent")).toEqual(written);
});

test.each<readonly [string, JsonObject, object]>([
  ["DataHub's name of no run", { runId: "no-run-id-provided" }, {}],
  ["a run alone", { runId: "nightly-1" }, { ingestionRun: "nightly-1" }],
  ["a pipeline alone", { pipelineName: "nightly" }, { pipeline: "nightly" }],
  ["odd parts", { runId: 1, pipelineName: null }, {}],
])("an opponent whose aspect has %s has what that says", async (_, metadata, expected) => {
  const stored = tagged({ actor, time }, { systemMetadata: metadata });
  expect(await writerOf(stored, held, "opponent")).toEqual({ ...written, ...expected });
});

test.each<readonly [string, JsonObject]>([
  ["nothing", {}],
  ["no aspect", { globalTags: null }],
  ["a value of odd parts", { globalTags: { value: [], systemMetadata: [] } }],
  ["an attribution of odd parts", tagged("x")],
  ["an agent of odd parts", tagged({ source: 7 })],
])("of an opponent nothing is known where %s is stored", async (_, stored) => {
  expect(await writerOf(stored, held, "opponent")).toEqual({});
});

test("all values that are fought over are asked for, those that were added and those that were taken away", async () => {
  const values = { tags: [gold, pii].map((tag) => ({ tag, attribution: { actor, time, source: agent } })) };
  const { reader, asked } = storing({
    globalTags: { value: values },
    domains: { value: { domains: [sales] }, auditStamp: { actor, time }, systemMetadata },
  });
  const changes = [
    change("tags", { add: [], remove: [gold], fights: [fight(pii)] }),
    change("domain", { before: sales, after: null, fights: [fight(sales)] }),
  ];
  const last = await readLastWriters(reader, { changes, unmanaged: [] });
  expect(asked).toEqual([{ urn: orders, aspects: ["globalTags", "domains"] }]);
  const [tags, domain] = changes as [FacetChange, FacetChange];
  expect([gold, pii].map((tag) => last(tags, tag, "opponent"))).toEqual([
    { ...written, agent },
    { ...written, agent },
  ]);
  expect(last(domain, sales, "opponent")).toEqual({
    ...written,
    lastWriterOfAspect: true,
    ingestionRun: "nightly-1",
    pipeline: "nightly",
  });
});

test("what an opponent took away is asked for as well", async () => {
  const { reader, asked } = storing({});
  const empty = change("domain", { before: null, after: sales, fights: [fight(sales)] });
  await readLastWriters(reader, { changes: [empty], unmanaged: [] });
  expect(asked).toEqual([{ urn: orders, aspects: ["domains"] }]);
});

test("nothing is asked where nothing is taken away, or no aspect of the entity holds it", async () => {
  const { reader, asked } = storing({});
  const changes = [
    change("tags", { add: [pii], remove: [] }),
    change("domain", { before: null, after: sales }),
    change("members", { add: [], remove: [actor] }, "Group"),
    change("removed", { before: true, after: false }, "Group"),
  ];
  const entity = { action: "delete", shape: "entity", kind: "Tag", urn: pii, fingerprint: "" } as Change;
  const last = await readLastWriters(reader, { changes: [...changes, entity], unmanaged: [] });
  expect(asked).toEqual([]);
  expect(changes.map((each) => last(each, actor))).toEqual(changes.map(() => ({})));
});

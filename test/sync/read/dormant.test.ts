import { expect, test } from "vitest";
import type { Live } from "../../../src/model/live.ts";
import { type Entity, scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { dormantQueryFor, readDormant } from "../../../src/sync/read/dormant.ts";
import { datasetNamed, entityOf, liveOf, stateOf, urn } from "../../support/states.ts";
import type { MadeAspect } from "../../support/catalog.ts";
import { askingCatalog } from "./asking.ts";

const [pii, gold, sales] = [urn("urn:li:tag:pii"), urn("urn:li:tag:gold"), urn("urn:li:domain:sales")];
const [orders, clicks] = ["orders", "clicks"].map(datasetNamed) as [Urn, Urn];

const tagged = (of: Urn, ...tags: readonly Urn[]): Entity => entityOf("Dataset", of, { tags: setOf(tags) });
const removed = (of: Urn): readonly MadeAspect[] => [
  [of, "globalTags", { tags: [{ tag: pii }] }],
  [of, "domains", { domains: [sales] }],
  [of, "status", { removed: true }],
];
const nothing = liveOf(stateOf());
const dormant = (...of: readonly Urn[]): Live => ({
  ...nothing,
  missing: new Map(of.map((each) => [each, "soft-deleted"])),
});
const before = stateOf(tagged(orders, pii), tagged(clicks, pii));

test("manifests declare what they declare now, and nothing is known to be dropped without what was declared before", () => {
  const [state, references] = [stateOf(tagged(orders)), []];
  const none = { ruled: new Set(), unread: [] };
  expect(dormantQueryFor({ state, references }, {})).toEqual({ ...none, declared: [] });
  expect(dormantQueryFor({ state, references }, { base: before })).toEqual({
    ...none,
    declared: [{ now: state, before }],
  });
});

test("of soft-deleted assets that rules match those are read of which something is not declared any more", async () => {
  const { reader, asked } = await askingCatalog([...removed(orders), ...removed(clicks)]);
  const declared = [
    { now: stateOf(tagged(clicks, pii)), before },
    {
      now: stateOf(tagged(clicks, pii)),
      before: stateOf(entityOf("Dataset", orders, { domain: scalarOf(sales) })),
    },
  ];
  const known = stateOf(tagged(datasetNamed("known"), gold));
  const asking = { declared, ruled: new Set([orders, clicks]), unread: [clicks] };
  const found = await readDormant(reader, asking, { ...nothing, dormant: known }, {});
  expect(asked.map(([, ...urns]) => urns)).toEqual([[orders]]);
  expect([...found.dormant.keys()]).toEqual([...known.keys(), orders]);
  expect(found.dormant.get(orders)?.facets.get("tags")).toEqual(setOf([pii]));
  expect(found.dormant.get(orders)?.facets.get("domain")).toEqual(scalarOf(sales));
  expect(found.unread).toEqual([clicks]);
});

test("an asset that rules match and that was never declared before is not read", async () => {
  const { reader, asked } = await askingCatalog(removed(orders));
  const asking = { declared: [], ruled: new Set([orders]), unread: [] };
  expect(await readDormant(reader, asking, dormant(orders), {})).toEqual({ dormant: new Map(), unread: [] });
  expect(asked).toEqual([]);
});

test("an asset of which something is dropped, that is soft-deleted, and whose values are not known is not read", async () => {
  const { reader } = await askingCatalog([]);
  const declared = [{ now: stateOf(tagged(clicks, pii)), before }];
  const live = { ...dormant(orders, clicks), dormant: stateOf() };
  const asking = { declared, ruled: new Set<Urn>(), unread: [] };
  expect((await readDormant(reader, asking, live, {})).unread).toEqual([orders]);
  const known = { ...live, dormant: stateOf(tagged(orders, pii)) };
  expect((await readDormant(reader, asking, known, {})).unread).toEqual([]);
  const absent = new Map([[orders, "absent" as const]]);
  expect((await readDormant(reader, asking, { ...live, missing: absent }, {})).unread).toEqual([]);
});

test("an asset that rules match is not read where its values are malformed, or it fails", async () => {
  const malformed: MadeAspect = [clicks, "domains", { domains: [sales, sales] }];
  const world = [...removed(orders), ...removed(clicks), malformed];
  const { reader } = await askingCatalog(world, { ReadAssets: [orders] });
  const asking = { declared: [{ now: stateOf(), before }], ruled: new Set([orders, clicks]), unread: [] };
  const { unread } = await readDormant(reader, asking, nothing, {});
  expect(unread).toEqual([orders]);
});

import { expect, test } from "vitest";
import type { DeclaredReference } from "../../../src/model/reference.ts";
import { type Entity, scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { defaultPolicy, type Policy } from "../../../src/plan/base/policy.ts";
import { readCatalog } from "../../../src/sync/read/catalog.ts";
import type { ReadOptions } from "../../../src/sync/read/read-batches.ts";
import type { MadeAspect } from "../../support/catalog.ts";
import { datasetNamed, entityOf, memberships, stateOf, urn } from "../../support/states.ts";
import { askingCatalog } from "./asking.ts";
import type { Catalog } from "../../../src/plan/base/catalog.ts";

const [orders, clicks] = ["orders", "clicks"].map(datasetNamed) as [Urn, Urn];
const [pii, gold, old] = ["pii", "gold", "old"].map((id) => urn(`urn:li:tag:${id}`)) as [Urn, Urn, Urn];
const [retail, sales, web] = ["retail", "sales", "web"].map((id) => urn(`urn:li:domain:${id}`)) as [
  Urn,
  Urn,
  Urn,
];
const days = urn("urn:li:structuredProperty:days");
const [team, crew, alice] = [
  urn("urn:li:corpGroup:team"),
  urn("urn:li:corpGroup:crew"),
  urn("urn:li:corpuser:alice"),
];
const origin = { file: "catalog/a.yaml", line: 1, column: 1 };

const domain = (of: Urn, parentDomain?: Urn): MadeAspect => [
  of,
  "domainProperties",
  { name: "d", ...(parentDomain !== undefined && { parentDomain }) },
];
const version = "20260101000000";
const property = {
  version,
  qualifiedName: "days",
  valueType: "urn:li:dataType:datahub.string",
  entityTypes: [],
};
const world: readonly MadeAspect[] = [
  [orders, "globalTags", { tags: [{ tag: pii }] }],
  [clicks, "globalTags", { tags: [{ tag: old }] }],
  [old, "tagProperties", { name: "old" }],
  [gold, "tagProperties", { name: "gold" }],
  domain(retail, sales),
  domain(sales),
  domain(web, retail),
  [days, "propertyDefinition", property],
  [alice, "nativeGroupMembership", { nativeGroups: [team] }],
];

const dataset = (of: Urn, ...tags: readonly Urn[]): Entity => entityOf("Dataset", of, { tags: setOf(tags) });
const described = (kind: "Tag" | "Domain", of: Urn): Entity =>
  entityOf(kind, of, { description: scalarOf("d") });
const refers = (from: Urn, to: Urn, facet = "tags"): DeclaredReference => ({
  from,
  urn: to,
  entityType: to.split(":")[2] ?? "",
  facet,
  origin,
});

const state = stateOf(
  dataset(orders, pii),
  dataset(clicks, gold),
  described("Tag", pii),
  entityOf("Domain", retail, { parent_domain: scalarOf(sales) }),
  entityOf("Group", team, { members: setOf([alice]) }),
  entityOf("User", alice, { [memberships.inverse]: setOf([crew]) }),
);
const references = [
  refers(orders, pii),
  refers(orders, days, "structured_properties"),
  refers(clicks, gold),
  refers(pii, old),
  refers(alice, crew, memberships.inverse),
];
const desired = { state, references };
const base = stateOf(...state.values(), described("Tag", old), described("Domain", sales));

interface Ran extends Catalog {
  readonly asked: readonly (readonly [query: string, ...urns: readonly string[]])[];
}

async function read(
  policy: Partial<Policy>,
  failing: Readonly<Record<string, readonly Urn[]>> = {},
  options: ReadOptions = {},
): Promise<Ran> {
  const { reader, asked } = await askingCatalog(world, failing);
  return { asked, ...(await readCatalog(reader, desired, { ...defaultPolicy, ...policy }, options)) };
}

const keys = (map: Iterable<readonly [string, unknown]> = []): readonly string[] =>
  [...map].map(([key]) => key).toSorted();

/** What was found of what. */
function summary({ live, edges, existence, definitions }: Catalog): object {
  const found = { state: keys(live.state), missing: keys(live.missing), above: keys(live.above) };
  const [exists, groups] = [Object.fromEntries(existence), keys(edges.get("members")?.groupsOf)];
  return { ...found, exists, groups, inSync: live.inSync?.count, definitions: keys(definitions) };
}

const [present, absent] = [{ status: "present" }, { status: "absent" }];

test("all that a plan compares with is read, and assets that are in sync are only counted", async () => {
  const { live, ...beside } = await read({});
  expect(summary({ live, ...beside })).toEqual({
    state: [alice, clicks, retail].toSorted(),
    missing: [team, pii],
    above: [sales],
    exists: { [days]: present, [gold]: present, [old]: present, [crew]: absent },
    groups: [alice],
    inSync: 1,
    definitions: [days],
  });
  expect([live.deletable?.size ?? 0, live.below]).toEqual([0, undefined]);
});

test("what was declared before and is deleted is read with what refers to it and what is below it", async () => {
  const { live } = await read({ base, prune: new Set(["Tag", "Domain"]) });
  expect(keys(live.deletable)).toEqual([sales, old]);
  expect(live.deletable?.get(old)?.referring).toEqual([{ type: "TaggedWith", urn: clicks }]);
});

test("of a property that is deleted all is read, also what only its stored aspects have", async () => {
  const before = stateOf(entityOf("StructuredProperty", days, { description: scalarOf("d") }));
  const { live } = await read({ base: before, prune: new Set(["StructuredProperty"]) });
  expect(live.state.get(days)?.facets.get("version")).toEqual(scalarOf(version));
});

test("of a domain that is deleted what is below it and not declared is read", async () => {
  const before = stateOf(described("Domain", sales), described("Domain", retail));
  const { reader } = await askingCatalog(world);
  const policy = { ...defaultPolicy, base: before, prune: new Set(["Domain"]) };
  const { live } = await readCatalog(reader, { state: stateOf(), references: [] }, policy);
  expect(live.below).toEqual(new Map([[retail, [web]]]));
});

test("of a part only that is read, with what it refers to and what that refers to where it is not there", async () => {
  const { live, ...beside } = await read({ part: new Set([orders]) });
  expect(summary({ live, ...beside })).toEqual({
    state: [],
    missing: [pii],
    above: [],
    exists: { [days]: present, [old]: present },
    groups: [],
    inSync: 1,
    definitions: [days],
  });
  expect([orders, pii, clicks].map((of) => live.readUrns?.has(of))).toEqual([true, true, false]);
  const existence = beside.asked.filter(([name]) => name === "ReadExistence").flatMap(([, ...urns]) => urns);
  expect(existence).toEqual([old]);
});

test("edges belong to a part by either of their ends", async () => {
  expect((await read({ part: new Set([crew]) })).existence).toEqual(new Map([[crew, absent]]));
  expect((await read({ part: new Set([gold]) })).existence).toEqual(new Map());
});

test("what a part refers to and cannot be read is unreadable, what is in the part is so by itself", async () => {
  const { live, existence } = await read(
    { part: new Set([clicks, orders, retail]) },
    { ReadDefinitions: [pii, retail] },
  );
  expect(live.unreadable).toEqual(
    new Map([
      [retail, "no"],
      [pii, "no"],
    ]),
  );
  expect([existence.get(pii), existence.get(retail)]).toEqual([
    { status: "unreadable", error: "no" },
    undefined,
  ]);
});

test("a part in which something is deleted is read with everything", async () => {
  const { live } = await read({ base, part: new Set([old]), prune: new Set(["Tag"]) });
  expect(keys(live.deletable)).toEqual([old]);
  expect([keys(live.state), live.readUrns]).toEqual([
    [alice, clicks, orders, retail, sales, old].toSorted(),
    undefined,
  ]);
});

test.each([
  [1, [alice], [true, true, false]],
  [2, [], [false, true, false]],
])("shard %i is read by itself, with edges where it has the definitions", async (index, groups, looked) => {
  const part = new Set([retail, orders]);
  const { live, ...beside } = await read({ part, shard: { index, of: 2 } });
  expect(summary({ live, ...beside })).toMatchObject({ state: [retail], above: [sales], groups, inSync: 1 });
  expect([pii, orders, clicks].map((of) => live.readUrns?.has(of))).toEqual(looked);
  const exists = index === 1 ? { [days]: present, [old]: present, [crew]: absent } : { [days]: present };
  expect(summary({ live, ...beside })).toMatchObject({ exists, definitions: [days] });
});

test.each<readonly [string, Partial<Policy>]>([
  ["all", { base, prune: new Set(["Tag"]) }],
  ["a part", { part: new Set(state.keys()) }],
  ["a shard", { part: new Set(state.keys()), shard: { index: 1, of: 1 } }],
])("of %s no more is asked for at once than a batch has", async (_, policy) => {
  const { asked } = await read(policy, {}, { batch: 1 });
  expect(Math.max(...asked.map(([, ...urns]) => urns.length))).toBe(1);
});

test("where nothing at all could be read there is no catalog, but where one thing could, there is", async () => {
  const one = { part: new Set([retail]) };
  const message = "nothing could be read from the catalog: no";
  await expect(read(one, { ReadDefinitions: [retail] })).rejects.toThrow(message);
  await expect(read({ ...one, shard: { index: 1, of: 2 } }, { ReadDefinitions: [retail] })).rejects.toThrow(
    message,
  );
  const all = { ReadDefinitions: [retail, pii, team, alice], ReadAssets: [orders, clicks] };
  await expect(read({}, all)).rejects.toThrow(message);
  expect((await read({}, { ...all, ReadAssets: [clicks] })).live.inSync?.count).toBe(1);
  expect((await read({}, { ...all, ReadAssets: [orders] })).live.state.size).toBe(1);
  expect(
    (await read({ part: new Set([pii, retail]) }, { ReadDefinitions: [retail] })).live.missing.size,
  ).toBe(1);
});

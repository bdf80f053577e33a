import { expect, test } from "vitest";
import type { Live } from "../../../src/model/live.ts";
import type { DeclaredReference } from "../../../src/model/reference.ts";
import { type Entity, type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { withDependencies } from "../../../src/sync/read/dependencies.ts";
import { datasetNamed, entityOf, liveOf, memberships, stateOf, urn } from "../../support/states.ts";
import type { MadeAspect } from "../../support/catalog.ts";
import { askingCatalog } from "./asking.ts";

const orders = datasetNamed("orders");
const [pii, secret] = [urn("urn:li:tag:pii"), urn("urn:li:tag:secret")];
const [sales, retail] = [urn("urn:li:domain:sales"), urn("urn:li:domain:retail")];
const origin = { file: "catalog/a.yaml", line: 1, column: 1 };

const defined = (kind: "Tag" | "Domain", of: Urn): Entity =>
  entityOf(kind, of, { description: scalarOf("d") });
const refers = (from: Urn, to: Urn): DeclaredReference => ({
  from,
  urn: to,
  entityType: to.split(":")[2] ?? "",
  facet: "tags",
  origin,
});

const entities = stateOf(
  entityOf("Dataset", orders, {}),
  defined("Tag", pii),
  defined("Tag", secret),
  defined("Domain", sales),
  defined("Domain", retail),
);
const references = [refers(orders, sales), refers(sales, retail), refers(retail, pii), refers(pii, secret)];
const desired = { state: entities, references };

const there = (of: Urn): MadeAspect => [of, "domainProperties", { name: "d", description: "D." }];
const part = new Set([orders]);
const nothing = liveOf(stateOf());

function summary({ state, missing, unreadable }: Live): object {
  return {
    state: [...state.keys()],
    missing: Object.fromEntries(missing),
    unreadable: Object.fromEntries(unreadable),
  };
}

test("a part needs what it refers to, and where that is not there what that refers to", async () => {
  const { reader, asked } = await askingCatalog([there(retail)]);
  const needed = await withDependencies(reader, { desired, entities, part }, nothing, {});
  expect(summary(needed.live)).toEqual({ state: [retail], missing: { [sales]: "absent" }, unreadable: {} });
  expect([...needed.looked]).toEqual([orders, sales]);
  expect(asked.map(([, ...urns]) => urns)).toEqual([[sales], [retail]]);
});

test("what is removed is needed like what is not there, and what cannot be read ends the way", async () => {
  const world: readonly MadeAspect[] = [
    [pii, "tagProperties", { name: "d" }],
    [pii, "status", { removed: true }],
  ];
  const { reader } = await askingCatalog(world, { ReadDefinitions: [secret] });
  const sides = { desired, entities, part: new Set([retail]) };
  const needed = await withDependencies(reader, sides, nothing, {});
  expect(summary(needed.live)).toEqual({ state: [pii], missing: {}, unreadable: { [secret]: "no" } });
  expect([...needed.looked]).toEqual([retail, pii]);
});

test.each<readonly [string, Partial<Live>]>([
  ["there", { state: stateOf(defined("Domain", sales)) }],
  ["missing", { missing: new Map([[sales, "absent"]]) }],
  ["unreadable", { unreadable: new Map([[sales, "busy"]]) }],
])("what is known to be %s is not read again", async (_, known) => {
  const { reader, asked } = await askingCatalog([]);
  const needed = await withDependencies(reader, { desired, entities, part }, { ...nothing, ...known }, {});
  expect(asked).toEqual([]);
  expect(needed.live).toMatchObject(known);
  expect([...needed.looked]).toEqual([orders]);
});

test("assets, and what is referred to and not declared, are not read", async () => {
  const { reader, asked } = await askingCatalog([]);
  const others = [refers(orders, datasetNamed("other")), refers(orders, urn("urn:li:tag:undeclared"))];
  await withDependencies(
    reader,
    { desired: { state: entities, references: others }, entities, part },
    nothing,
    {},
  );
  expect(asked).toEqual([]);
});

test("a group needs the users that list it", async () => {
  const [team, alice, bob] = [
    urn("urn:li:corpGroup:team"),
    urn("urn:li:corpuser:alice"),
    urn("urn:li:corpuser:bob"),
  ];
  const listing = (...groups: readonly Urn[]): Record<string, FacetValue> => ({
    [memberships.inverse]: setOf(groups),
  });
  const state = stateOf(entityOf("User", alice, listing(team)), entityOf("User", bob, listing()));
  const { reader, asked } = await askingCatalog([[alice, "corpUserInfo", { active: true }]]);
  const sides = { desired: { state, references: [] }, entities: state, part: new Set([team]) };
  const { live } = await withDependencies(reader, sides, nothing, {});
  expect(asked.map(([, ...urns]) => urns)).toEqual([[alice]]);
  expect(summary(live)).toEqual({ state: [alice], missing: {}, unreadable: {} });
});

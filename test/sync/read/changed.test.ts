import { expect, test } from "vitest";
import type { Change, SetChange } from "../../../src/model/change.ts";
import type { Live } from "../../../src/model/live.ts";
import { scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { readChanged } from "../../../src/sync/read/changed.ts";
import type { MadeAspect } from "../../support/catalog.ts";
import { schemaWith } from "../../support/schema.ts";
import { datasetNamed, urn } from "../../support/states.ts";
import { askingCatalog } from "./asking.ts";

const [pii, sales, orders] = [urn("urn:li:tag:pii"), urn("urn:li:domain:sales"), datasetNamed("orders")];
const [team, crew] = [urn("urn:li:corpGroup:team"), urn("urn:li:corpGroup:crew")];
const [alice, bob, carol, dave] = ["alice", "bob", "carol", "dave"].map((id) =>
  urn(`urn:li:corpuser:${id}`),
) as [Urn, Urn, Urn, Urn];

const tagged = { tags: [{ tag: pii }] };
const info = { displayName: "g", admins: [], members: [], groups: [] };
const inTeam = { nativeGroups: [team] };
const world: readonly MadeAspect[] = [
  [pii, "tagProperties", { name: "pii" }],
  [orders, "globalTags", tagged],
  [orders, "domains", { domains: [sales] }],
  [orders, "schemaMetadata", schemaWith("id", "email")],
  [orders, "editableSchemaMetadata", { editableSchemaFieldInfo: [{ fieldPath: "id", globalTags: tagged }] }],
  [team, "corpGroupInfo", info],
  [crew, "corpGroupInfo", info],
  [alice, "nativeGroupMembership", inTeam],
  [bob, "groupMembership", { groups: [team] }],
  [carol, "corpUserInfo", { active: true }],
  [dave, "nativeGroupMembership", inTeam],
];

const change = (of: Urn, kind: string, more: object): Change =>
  ({ action: "update", kind, urn: of, fingerprint: "", ...more }) as Change;
const ofSet = (of: Urn, facet: string, more: object = {}): Change =>
  change(of, "Dataset", { shape: "set", facet, add: [], remove: [], ...more });
const ofMembers = (more: Partial<SetChange> = {}, of = team): Change =>
  change(of, "Group", { shape: "set", facet: "members", add: [carol], remove: [alice], ...more });

type Options = Parameters<typeof readChanged>[2];

/** What was read of the members, and of which users it was asked. */
async function membersOf(
  changes: readonly Change[],
  options: Options = {},
  failing: Readonly<Record<string, readonly Urn[]>> = {},
): Promise<object> {
  const { reader, asked } = await askingCatalog(world, failing);
  const { state, unreadable } = await readChanged(reader, changes, options);
  const members = [...state].map(([of, { facets }]) => [of, facets.get("members")]);
  const users = asked.flatMap(([name, ...urns]) => (name === "ReadMemberships" ? urns : []));
  return { members: Object.fromEntries(members), users, unreadable: Object.fromEntries(unreadable) };
}

/** The values of the facets of an entity. */
function facetsOf({ state }: Live, of: Urn, ...names: readonly string[]): object {
  const facets = state.get(of)?.facets;
  return Object.fromEntries(names.map((name) => [name, facets?.get(name)]));
}

test("the facets that change are read as they are now, of an asset no others", async () => {
  const { reader, asked } = await askingCatalog(world);
  const changes = [
    change(orders, "Dataset", { shape: "scalar", facet: "domain", before: null, after: sales }),
    ofSet(orders, "columns.tags", { path: ["id"] }),
    ofSet(orders, "columns.tags", { path: ["email"] }),
  ];
  const live = await readChanged(reader, changes);
  const columns = new Map([
    ["id", setOf([pii])],
    ["email", setOf([])],
  ]);
  expect(facetsOf(live, orders, "domain", "columns.tags", "tags")).toEqual({
    domain: scalarOf(sales),
    "columns.tags": { shape: "map", entries: columns },
  });
  expect(asked).toEqual([["ReadAssets", orders]]);
});

test("a value that the catalog does not have is one that is empty", async () => {
  const { reader } = await askingCatalog(world);
  const days = "urn:li:structuredProperty:days";
  const changes = ["days", "tiers"].map((id, index) => {
    const path = [`urn:li:structuredProperty:${id}`];
    const shape = index === 0 ? { shape: "scalar", before: null, after: "1" } : {};
    return ofSet(orders, "structured_properties", { path, ...shape });
  });
  expect(facetsOf(await readChanged(reader, changes), orders, "structured_properties")).toEqual({
    structured_properties: {
      shape: "map",
      entries: new Map<string, object>([
        [days, scalarOf(null)],
        ["urn:li:structuredProperty:tiers", setOf([])],
      ]),
    },
  });
});

test("other entities are read beside what changes", async () => {
  const { reader } = await askingCatalog(world);
  const live = await readChanged(reader, [ofSet(orders, "tags")], { beside: [pii, orders, sales] });
  expect([[...live.state.keys()].toSorted(), live.missing]).toEqual([
    [orders, pii],
    new Map([[sales, "absent"]]),
  ]);
  expect(facetsOf(live, orders, "tags")).toEqual({ tags: setOf([pii]) });
  expect([...(live.state.get(pii)?.facets.keys() ?? [])]).toContain("name");
});

test("before a deletion what refers to the entity is read, and after it not", async () => {
  const changes = [change(pii, "Tag", { action: "delete", shape: "entity" }), ofSet(orders, "tags")];
  const { reader } = await askingCatalog(world);
  const { deletable } = await readChanged(reader, changes, { isBefore: true });
  expect([...(deletable ?? [])].map(([of, { assignments }]) => [of, assignments])).toEqual([[pii, 2]]);
  expect((await readChanged(reader, changes)).deletable).toBeUndefined();
});

test("after a change of members those decide that it adds or takes away, and those that the plan saw stay", async () => {
  const covers = { elements: [dave], except: [] };
  expect(await membersOf([ofMembers()])).toEqual({
    members: { [team]: setOf([alice]) },
    users: [carol, alice],
    unreadable: {},
  });
  expect(await membersOf([ofMembers({ covers })])).toMatchObject({
    members: { [team]: setOf([dave, alice]) },
    users: [carol, alice],
  });
});

test("before a change of members those are read that the plan did not see", async () => {
  const before = { isBefore: true };
  const all = { members: { [team]: setOf([alice, bob, dave]) } };
  expect(await membersOf([ofMembers()], before)).toMatchObject(all);
  const covers = { elements: [dave], except: ["*bob"] };
  expect(await membersOf([ofMembers({ covers })], before)).toMatchObject({
    members: { [team]: setOf([alice, dave]) },
    users: [carol, alice],
  });
  expect(await membersOf([ofMembers({ covers: { elements: [dave], except: [] } })], before)).toMatchObject({
    ...all,
    users: [carol, alice, bob],
  });
});

test("before a change that leaves others alone, the members of the group are not looked for", async () => {
  const covers = { elements: [], except: ["*"] };
  const { reader, asked } = await askingCatalog(world);
  await readChanged(reader, [ofMembers({ covers }), ofMembers({ covers }, crew)], { isBefore: true });
  expect(asked.map(([name]) => name)).toEqual(["ReadDefinitions", "ReadMemberships"]);
});

test("of a group that was created just now nobody is a member, unless that is in doubt", async () => {
  const created = [ofMembers({ action: "create" })];
  const nobody = { members: { [team]: setOf([]) }, users: [] };
  expect(await membersOf(created, { isBefore: true })).toMatchObject(nobody);
  const all = { members: { [team]: setOf([alice, bob, dave]) } };
  expect(await membersOf(created, { isBefore: true, isInDoubt: true })).toMatchObject(all);
  expect(await membersOf(created)).toMatchObject({ members: { [team]: setOf([alice]) } });
});

test("a group is unreadable where one of the members is, and where the index fails nothing is lost", async () => {
  const failing = { ReadMemberships: [alice], ReadIndexedMembers: [team] };
  const changes = [ofMembers(), ofMembers({ remove: [] }, crew)];
  expect(await membersOf(changes, { isBefore: true }, failing)).toEqual({
    members: { [team]: setOf([]), [crew]: setOf([]) },
    users: [carol, alice],
    unreadable: { [team]: "no" },
  });
});

test("of a group that is not there, or whose members do not change, no members are read", async () => {
  const none = ofMembers({}, urn("urn:li:corpGroup:none"));
  const described = change(team, "Group", {
    shape: "scalar",
    facet: "description",
    before: null,
    after: "d",
  });
  const other = change(team, "Group", { shape: "set", facet: "owners", add: [], remove: [alice] });
  expect(await membersOf([none, described, other], { isBefore: true })).toEqual({
    members: { [team]: setOf([]) },
    users: [],
    unreadable: {},
  });
});

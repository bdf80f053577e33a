import { expect, test } from "vitest";
import type { Reader } from "../../../src/datahub/client.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { noMemberships } from "../../../src/model/membership.ts";
import { type Entity, scalarOf, setOf, type State } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  type MembershipOptions,
  membershipsDocument,
  readFromMembers,
  readGroupsOf,
  readMembersOf,
} from "../../../src/sync/read/memberships.ts";
import type { MadeAspect } from "../../support/catalog.ts";
import { entityOf, memberships, stateOf, urn } from "../../support/states.ts";
import { askingCatalog } from "./asking.ts";

const [team, crew, staff] = ["team", "crew", "staff"].map((id) => urn(`urn:li:corpGroup:${id}`)) as [
  Urn,
  Urn,
  Urn,
];
const [alice, bob, carol, dave] = ["alice", "bob", "carol", "dave"].map((id) =>
  urn(`urn:li:corpuser:${id}`),
) as [Urn, Urn, Urn, Urn];

const info = { displayName: "g", admins: [], members: [], groups: [] };
const world: readonly MadeAspect[] = [
  [team, "corpGroupInfo", info],
  [crew, "corpGroupInfo", info],
  [crew, "origin", { type: "EXTERNAL", externalType: "okta" }],
  [alice, "nativeGroupMembership", { nativeGroups: [staff] }],
  [bob, "groupMembership", { groups: [team] }],
];

const group = (of: Urn, ...members: readonly Urn[]): Entity =>
  entityOf("Group", of, { members: setOf(members) });
const user = (of: Urn, ...groups: readonly Urn[]): Entity =>
  entityOf("User", of, { [memberships.inverse]: setOf(groups) });
const described = (kind: "User" | "Group", of: Urn): Entity =>
  entityOf(kind, of, { description: scalarOf("d") });

/** What was asked of members and groups, and what was found. */
async function read(desired: State, options: MembershipOptions = {}): Promise<object> {
  const { reader, asked } = await askingCatalog(world);
  const { groupsOf, external, missing: gone } = await readFromMembers(reader, memberships, desired, options);
  const [members = [], groups = []] = asked
    .filter(([name]) => name === "ReadMemberships")
    .map(([, ...urns]) => urns.toSorted());
  const indexed = asked.filter(([name]) => name === "ReadMembers").length;
  return { members, groups, indexed, groupsOf, external, gone };
}

test("of members only the aspects with their groups are asked for, of groups where they come from", () => {
  const names = [...membershipsDocument(memberships).matchAll(/on (\w+) \{[^[]*\[([^\]]*)\]/g)];
  expect(names.map(([, type, aspects]) => [type, aspects])).toEqual([
    ["CorpUser", '"groupMembership","nativeGroupMembership"'],
    ["CorpGroup", '"origin"'],
  ]);
});

test("where nothing is declared of memberships nothing is asked for, whatever was declared before", async () => {
  const { reader, asked } = await askingCatalog(world);
  const desired = stateOf(described("Group", team), described("User", dave));
  const found = await readFromMembers(reader, memberships, desired, { before: stateOf(group(team, bob)) });
  expect(found).toEqual(noMemberships);
  expect(asked).toEqual([]);
});

test("of a group that lists its members these are read, all declared users, and whom the index names", async () => {
  const desired = stateOf(group(team, alice), described("User", dave));
  expect(await read(desired, { before: stateOf(group(team, carol)) })).toMatchObject({
    members: [alice, bob, carol, dave],
    groups: [team],
    indexed: 1,
    groupsOf: new Map<Urn, ReadonlySet<Urn>>([
      [alice, new Set([staff])],
      [carol, new Set()],
      [dave, new Set()],
      [bob, new Set([team])],
    ]),
  });
});

test("where only users list their groups these users are read, and the groups that they list or are in", async () => {
  const desired = stateOf(user(alice, crew), described("User", dave), described("Group", team));
  expect(await read(desired)).toEqual({
    members: [alice],
    groups: [crew, staff],
    indexed: 0,
    groupsOf: new Map([[alice, new Set([staff])]]),
    external: new Set([crew]),
    gone: new Set([staff]),
  });
});

test("whom a group listed before is read, also where now only users list it", async () => {
  const before = stateOf(group(team, bob), described("User", dave));
  const desired = stateOf(user(alice, team));
  expect(await read(desired, { before })).toMatchObject({ members: [alice, bob], indexed: 0 });
  const looked = new Set([alice]);
  expect(await read(desired, { before, looked })).toMatchObject({ members: [alice] });
});

test("of a part only its own users are read, and of its groups all who may be in them", async () => {
  const desired = stateOf(group(team, carol), described("Group", crew), user(alice, crew), user(dave, team));
  const readOf = (...looked: readonly Urn[]): Promise<object> => read(desired, { looked: new Set(looked) });
  expect(await readOf(alice)).toMatchObject({ members: [alice], groups: [crew, staff], indexed: 0 });
  expect(await readOf(dave)).toMatchObject({ members: [dave], groups: [team], indexed: 0 });
  const all = { members: [alice, bob, carol, dave], groups: [team], indexed: 1 };
  expect(await readOf(team)).toMatchObject(all);
  expect(await readOf(crew)).toMatchObject({ members: [alice, carol, dave], groups: [crew], indexed: 1 });
  expect(await readOf(carol)).toMatchObject({ members: [], groups: [], indexed: 0 });
});

/** A reader of a server that answers this, and from where on it was asked. */
function answering(
  dataAt: (start: number) => JsonObject,
  ...errors: readonly string[]
): { readonly reader: Reader; readonly starts: readonly unknown[] } {
  const starts: unknown[] = [];
  const query = async (_: string, { start }: JsonObject): Promise<object> => {
    starts.push(start);
    const data = await Promise.resolve(dataAt(Number(start)));
    return { data, errors: errors.map((message) => ({ message })) };
  };
  return { reader: { concurrency: 1, query } as unknown as Reader, starts };
}

test.each<readonly [string, JsonObject]>([
  ["nothing", {}],
  ["no group", { corpGroup: null }],
  ["a group alone", { corpGroup: {} }],
  ["a group without relationships", { corpGroup: { relationships: null } }],
  ["no list of relationships", { corpGroup: { relationships: { total: 1 } } }],
])("where the server answers %s it is not known whom the index names as members", async (_, data) => {
  const none = "the server's response does not contain its members";
  const ofNothing = answering(() => data);
  expect(await readMembersOf(ofNothing.reader, memberships, [team], {})).toEqual([[team, none]]);
  const withError = answering(() => data, "busy", "later");
  expect(await readMembersOf(withError.reader, memberships, [team], {})).toEqual([[team, "busy"]]);
});

test("whom the index names is asked for as far as the index goes", async () => {
  const { reader, starts } = answering((start) => {
    const edges = Array.from({ length: 500 }, (_, index) => ({
      entity: { urn: `urn:li:corpuser:u${start + index}` },
    }));
    return { corpGroup: { relationships: { total: 20_000, relationships: edges } } };
  });
  const [[, members] = []] = await readMembersOf(reader, memberships, [team], {});
  expect(members).toHaveLength(10_000);
  expect(starts).toEqual(Array.from({ length: 20 }, (_, index) => index * 500));
});

test("a user is in no group where the lists are not there, and of one that is not answered it is not known", async () => {
  const aspects = [{ aspectName: "nativeGroupMembership", payload: "{}" }];
  const { reader } = answering(() => ({ entities: [{ urn: alice, aspects }, null] }));
  expect(await readGroupsOf(reader, memberships, [alice, bob], {})).toEqual({
    groupsOf: new Map([[alice, new Set()]]),
    unreadable: new Map([[bob, "the server's response does not contain this entity"]]),
  });
});

import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { peopleReader, readPeople } from "../../../src/sync/policies/people.ts";
import { urn } from "../../support/states.ts";
import { askingCatalog } from "../read/asking.ts";

const [alice, bob, gone] = ["alice", "bob", "gone"].map((id) => urn(`urn:li:corpuser:${id}`)) as [
  Urn,
  Urn,
  Urn,
];
const unknown = urn("urn:li:ownershipType:x");
const team = urn("urn:li:corpGroup:team");

const world = [
  [alice, "corpUserInfo", { active: true }],
  [alice, "nativeGroupMembership", { nativeGroups: [team] }],
  [bob, "corpUserInfo", { active: false }],
  [team, "corpGroupInfo", { displayName: "team", admins: [], members: [], groups: [] }],
] as const;

test("users and groups are read by their kinds; who is not there is not active", async () => {
  const { reader, asked } = await askingCatalog(world);
  const people = await readPeople(reader, [alice, team, bob, gone, unknown], {});
  expect(people.get(alice)).toEqual({ isActive: true, groups: [team] });
  expect(people.get(bob)).toMatchObject({ isActive: false });
  expect(people.get(gone)).toMatchObject({ isActive: false });
  expect(people.get(team)).toMatchObject({ isActive: true });
  expect(asked).toEqual([
    ["ReadPeople", alice, bob, gone],
    ["ReadPeople", team],
  ]);
});

/** A reader whose first answer is changed. */
async function answering(change: (entity: JsonObject) => JsonObject) {
  const { reader } = await askingCatalog(world);
  const query: typeof reader.query = async (document, variables, signal) => {
    const answer = await reader.query(document, variables, signal);
    const entities = answer.data?.["entities"] as readonly JsonObject[];
    return { ...answer, data: { entities: entities.map(change) } };
  };
  return { ...reader, query };
}

test.each<readonly [string, JsonObject]>([
  ["has no aspects", { aspects: null }],
  ["is malformed", { aspects: [{ aspectName: "corpUserInfo", payload: "{" }] }],
])("a user of whom the answer %s is left out", async (_, more) => {
  const reader = await answering((entity) => ({ ...entity, ...more }));
  expect(await readPeople(reader, [alice], {})).toEqual(new Map());
});

test("each is read once", async () => {
  const { reader, asked } = await askingCatalog(world);
  const read = peopleReader(reader, {});
  await read([alice]);
  expect([...(await read([bob, alice])).keys()]).toEqual([alice, bob]);
  expect(asked.flatMap(([, ...urns]) => urns)).toEqual([alice, bob]);
});

import { isJsonObject, type JsonObject } from "../../../src/model/json.ts";
import { groupsOf } from "../assigned.ts";
import { expectSet, expectThat } from "../expect-equal.ts";
import { facetRow } from "../required.ts";
import type { Trial, Trying } from "../trial.ts";
import { listAt } from "../workspace.ts";

const ofGroup = facetRow({ name: "Group" }, "members");
const ofUser = facetRow({ name: "User" }, "groups");
const legacy = "ingestProposal groupMembership";

const members = `query FindMembers($urn: String!) {
  corpGroup(urn: $urn) { relationships(input: { types: ["IsMemberOfGroup", "IsMemberOfNativeGroup"], direction: INCOMING, start: 0, count: 10 }) { relationships { entity { urn } } } }
}`;

/** Users join and leave groups, declared from either side; a member whom nobody declares is found by the index. */
export const memberships: Trial = {
  name: "memberships",
  tries: [ofGroup, ofUser, "addGroupMembers", "removeGroupMembers", legacy, "query corpGroup"],
  run: async (trying) => {
    const { stored, urn } = trying;
    const [team, club] = [urn("corpGroup", "team"), urn("corpGroup", "club")];
    const [ann, bob, eve] = [urn("corpuser", "ann"), urn("corpuser", "bob"), urn("corpuser", "eve")];
    await trying.check("query corpGroup", async () => {
      await stored.propose(urn("corpGroup", "empty"), "corpGroupInfo", {
        admins: [],
        members: [],
        groups: [],
      });
      const { corpGroup } = await stored.graphql(members, { urn: urn("corpGroup", "empty") });
      expectThat("a group without members is answered", isJsonObject(corpGroup));
    });
    const declared = documentsFor(trying, ["ann", "bob"], ["club"]);
    trying.declare({ "all.yaml": declared });
    const joined = await trying.apply();
    const ofTeam = async (): Promise<void> => {
      expectSet("groups of a declared member", await groupsOf(stored, bob), [team]);
      expectSet("groups of another", await groupsOf(stored, ann), [team]);
    };
    const ofEve = async (): Promise<void> =>
      expectSet("declared groups", await groupsOf(stored, eve), [club]);
    await trying.check(ofGroup, ofTeam, joined);
    await trying.check(ofUser, ofEve, joined);
    await trying.operation("addGroupMembers", joined, async () => {
      await ofTeam();
      await ofEve();
    });
    trying.goOn(joined);

    await findUndeclared(trying);
    // As ingestion from an identity provider writes it.
    await stored.propose(bob, "groupMembership", { groups: [team] });
    trying.declare({ "all.yaml": documentsFor(trying, ["ann"], []) });
    const left = await trying.apply();
    const hasLeft = async (): Promise<void> => {
      expectSet("groups of one who left", await groupsOf(stored, bob), []);
      expectSet("groups of one who stays", await groupsOf(stored, ann), [team]);
    };
    await trying.operation("removeGroupMembers", left, hasLeft);
    await trying.operation(legacy, left, async () => {
      await hasLeft();
      await stored.confirm(bob, "groupMembership");
    });
    await trying.check(ofGroup, hasLeft, left);
    await trying.check(ofUser, async () =>
      expectSet("groups that are declared no more", await groupsOf(stored, eve), []),
    );
    trying.goOn(left);
  },
};

/** A user who is in no manifest joins in the UI: the plan takes the user out again. */
async function findUndeclared(trying: Trying): Promise<void> {
  const { stored, urn } = trying;
  const [team, joe] = [urn("corpGroup", "team"), urn("corpuser", "joe")];
  await trying.check("query corpGroup", async () => {
    await stored.propose(joe, "corpUserInfo", { active: true, displayName: "Joe" });
    await stored.propose(joe, "nativeGroupMembership", { nativeGroups: [team] });
    await trying.until("the index shows a member whom nobody declares", async () => {
      const { corpGroup } = await stored.graphql(members, { urn: team });
      return JSON.stringify(corpGroup).includes(joe);
    });
    const plan = await trying.json(["plan", "--format", "json"]);
    const removed = listAt(plan, "changes").flatMap(({ remove }) => (Array.isArray(remove) ? remove : []));
    expectThat("the plan takes out a member whom nobody declares", removed.includes(joe));
  });
}

function documentsFor(
  { id, urn }: Trying,
  inTeam: readonly string[],
  groupsOfEve: readonly string[],
): readonly JsonObject[] {
  const users = ["ann", "bob"].map((name) => {
    urn("corpuser", name);
    return { kind: "User", id: id(name) };
  });
  return [
    ...users,
    { kind: "User", id: id("eve"), groups: groupsOfEve.map((name) => id(name)) },
    { kind: "Group", id: id("team"), members: inTeam.map((name) => id(name)) },
    { kind: "Group", id: id("club") },
  ].filter(isJsonObject);
}

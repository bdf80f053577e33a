import { expect, test } from "vitest";
import { type Entity, type Member, setOf, type State } from "../../../src/model/state.ts";
import type { Unmanaged } from "../../../src/model/plan.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { noLongerManaged } from "../../../src/plan/diff/unmanaged.ts";
import { defaultPolicy, type Policy } from "../../../src/plan/base/policy.ts";
import { prepareDiff } from "../../../src/plan/align/prepare-diff.ts";
import { datasetNamed, entityOf, knowing, liveOf, stateOf, urn } from "../../support/states.ts";

const a = datasetNamed("a");
const [fin, ops] = [urn("urn:li:corpGroup:fin"), urn("urn:li:corpGroup:ops")];
const [ada, ben] = [urn("urn:li:corpuser:ada"), urn("urn:li:corpuser:ben")];

const table = (...tags: readonly Member[]): Entity => entityOf("Dataset", a, { tags: setOf(tags) });
const group = (of: Urn, ...members: readonly Urn[]): Entity =>
  entityOf("Group", of, { members: setOf(members) });

const live = stateOf(table("x", "y"), group(fin), group(ops), entityOf("User", ada, {}));
const base = stateOf(table("x"), group(fin, ada));
const knownEdges = knowing({
  groupsOf: new Map([
    [ada, new Set([fin])],
    [ben, new Set([fin])],
  ]),
});

// What stays where these are declared now, and Ada and Ben are in a group of which only Ada was declared to be a member.
function left(declared: State, own: Partial<Policy> = { base }): readonly Unmanaged[] {
  const policy = { ...defaultPolicy, ...own };
  return noLongerManaged(prepareDiff(declared, liveOf(live, declared), knownEdges, policy));
}

const ofTable: Unmanaged = {
  urn: a,
  kind: "Dataset",
  facet: "tags",
  value: "x",
  reason: "no-longer-declared",
};
const ofGroup: Unmanaged = {
  urn: fin,
  kind: "Group",
  facet: "members",
  value: ada,
  reason: "no-longer-declared",
};

const itself: Unmanaged = { urn: fin, kind: "Group", reason: "no-longer-declared" };

test("values and members that were declared before and are no longer, stay and are named", () => {
  expect(left(new Map())).toEqual([ofTable, itself, ofGroup]);
});

test.each<readonly [string, State, readonly Unmanaged[]]>([
  ["of a group only where nobody lists its members", stateOf(table(), group(fin)), []],
  ["of an entity only where nobody declares their facet", stateOf(table()), [itself, ofGroup]],
])("they are named %s", (_, declared, expected) => {
  expect(left(declared)).toEqual(expected);
});

test("a prune that takes values and members away leaves none to name, but the group itself", () => {
  expect(left(new Map(), { base, pruneAssignments: true })).toEqual([itself]);
});

test("where it is not known what was declared before, nothing is named", () => {
  expect(left(new Map(), { base: undefined })).toEqual([]);
});

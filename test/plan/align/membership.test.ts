import { expect, test } from "vitest";
import type { Memberships } from "../../../src/model/membership.ts";
import { scalarOf, setOf, type State } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { compareStates } from "../../support/compare-states.ts";
import { defaultPolicy } from "../../../src/plan/base/policy.ts";
import { argOf } from "../../support/problem-args.ts";
import { entityOf, knowing, liveOf, stateOf, urn, withGroups } from "../../support/states.ts";

const alice = urn("urn:li:corpuser:alice");
const bob = urn("urn:li:corpuser:bob");
const fin = urn("urn:li:corpGroup:fin");
const origin = { file: "catalog/a.yaml", line: 3, column: 1 };

const listing = stateOf(entityOf("Group", fin, { members: setOf([alice], origin) }));
const joining = new Map([[alice, { origin, groups: new Set([fin]) }]]);
const leaving = new Map([[alice, { origin, groups: new Set<Urn>() }]]);

function compared(
  declared: State,
  groups: Parameters<typeof withGroups>[1],
  known: Partial<Memberships>,
): ReturnType<typeof compareStates> {
  const there = { members: setOf([]), removed: scalarOf(false), incomplete: scalarOf(false) };
  const live = stateOf(...[...declared.values()].map(({ kind, urn: of }) => entityOf(kind, of, there)));
  return compareStates(withGroups(declared, groups), liveOf(live), defaultPolicy, knowing(known));
}

const inFin = new Map([[alice, new Set([fin])]]);
const inNone = new Map([[alice, new Set<Urn>()]]);

test.each([
  ["a listed member is added", listing, new Map(), { groupsOf: inNone }, { add: [alice], remove: [] }],
  [
    "another member is removed",
    listing,
    new Map(),
    { groupsOf: new Map([...inFin, [bob, new Set([fin])]]) },
    { add: [], remove: [bob] },
  ],
  ["a user joins", new Map(), joining, { groupsOf: inNone }, { add: [alice], remove: [] }],
  ["a user leaves", new Map(), leaving, { groupsOf: inFin }, { add: [], remove: [alice] }],
])("%s, at its place", (_, declared, groups, known, delta) => {
  const { changes, problems } = compared(declared, groups, known);
  expect(problems).toEqual([]);
  expect(changes).toMatchObject([{ kind: "Group", urn: fin, facet: "members", ...delta, source: origin }]);
});

test.each([
  ["is in it already", new Map(), joining, { groupsOf: inFin }],
  ["leaves a group that is gone", new Map(), leaving, { groupsOf: inFin, missing: new Set([fin]) }],
  [
    "is in it, whatever others are",
    new Map(),
    joining,
    { groupsOf: new Map([...inFin, [bob, new Set([fin])]]) },
  ],
])("nothing changes where a user %s", (_, declared, groups, known) => {
  expect(compared(declared, groups, known)).toMatchObject({
    changes: [],
    problems: [],
    unchanged: 0,
  });
});

test.each([
  ["its group", listing, new Map(), { groupsOf: inNone, unreadable: new Map([[fin, "no"]]) }, [fin]],
  ["the group it lists", new Map(), joining, { groupsOf: inNone, unreadable: new Map([[fin, "no"]]) }, [fin]],
  ["the user", new Map(), joining, { unreadable: new Map([[alice, "no"]]) }, [alice]],
  ["a user that the group lists", listing, new Map(), { unreadable: new Map([[alice, "no"]]) }, [alice]],
])(
  "no edge is written where %s could not be read, and it is named once",
  (_, declared, groups, known, culprits) => {
    const { changes, problems } = compared(declared, groups, known);
    expect(changes).toEqual([]);
    expect(problems.map((problem) => [problem.code, argOf(problem, "urn")])).toEqual(
      culprits.map((each) => ["read-failed", each]),
    );
  },
);

test("of an external group members cannot be declared, memberships of users are not ours", () => {
  const external = new Set([fin]);
  expect(compared(listing, new Map(), { groupsOf: inNone, external })).toMatchObject({
    changes: [],
    problems: [{ code: "external-group", origin }],
  });
  expect(compared(new Map(), joining, { groupsOf: inNone, external })).toMatchObject({
    changes: [],
    problems: [{ code: "external-membership", severity: "warning", args: { users: [alice] } }],
  });
  expect(compared(new Map(), leaving, { groupsOf: inFin, external })).toMatchObject({
    changes: [],
    problems: [],
    unmanaged: [{ urn: fin, facet: "members", value: alice, reason: "external" }],
  });
});

test("five thousand users that list one group are no more than five thousand comparisons", () => {
  const users = Array.from({ length: 5000 }, (_, index) => urn(`urn:li:corpuser:u${index}`));
  const groups = new Map(users.map((user) => [user, { origin, groups: new Set([fin]) }]));
  const groupsOf = new Map(users.map((user) => [user, new Set([fin])]));
  expect(compared(new Map(), groups, { groupsOf }).changes).toEqual([]);
});

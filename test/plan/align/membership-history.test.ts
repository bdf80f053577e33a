import { expect, test } from "vitest";
import { scalarOf, setOf, type State } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { type Comparison } from "../../../src/plan/compare.ts";
import { compareStates } from "../../support/compare-states.ts";
import { defaultPolicy, type Policy } from "../../../src/plan/base/policy.ts";
import { entityOf, knowing, liveOf, stateOf, urn, withGroups } from "../../support/states.ts";

const alice = urn("urn:li:corpuser:alice");
const bob = urn("urn:li:corpuser:bob");
const fin = urn("urn:li:corpGroup:fin");
const origin = { file: "catalog/a.yaml", line: 3, column: 1 };
const there = { removed: scalarOf(false), members: setOf([]), description: scalarOf("Money") };

const aliceAlone = stateOf(entityOf("User", alice, {}));
const listingAlice = stateOf(entityOf("Group", fin, { members: setOf([alice], origin) }));

type Lists = Parameters<typeof withGroups>[1];

function lists(user: Urn, ...groups: readonly Urn[]): Lists {
  return new Map([[user, { origin, groups: new Set(groups) }]]);
}

interface History {
  readonly now: State;
  readonly before: State;
  readonly inFin: readonly Urn[];
  readonly live?: State;
  readonly policy?: Partial<Policy>;
}

function compared({ now, before, inFin, live, policy }: History): Comparison {
  const base = before;
  const state = live ?? stateOf(entityOf("User", alice, there), entityOf("Group", fin, there));
  const groupsOf = new Map([alice, bob].map((user) => [user, new Set(inFin.includes(user) ? [fin] : [])]));
  const gone = new Set(state.has(fin) ? [] : [fin]);
  const known = knowing({ groupsOf, missing: gone });
  return compareStates(now, liveOf(state, now), { ...defaultPolicy, ...policy, base }, known);
}

test("a membership that the group listed before is removed by the user's side under `merge`", () => {
  const { changes, unmanaged } = compared({
    now: withGroups(aliceAlone, lists(alice)),
    before: listingAlice,
    inFin: [alice, bob],
    policy: { modes: { groups: "merge" } },
  });
  expect(changes).toMatchObject([
    { urn: fin, facet: "members", add: [], remove: [alice], removed: [{ declaredBefore: true }] },
  ]);
  // Bob was put there by others.
  expect(unmanaged).toEqual([{ urn: fin, kind: "Group", reason: "no-longer-declared" }]);
});

test("members that nobody declares any more are named also where another user joins their group", () => {
  const { changes, unmanaged } = compared({
    now: withGroups(aliceAlone, lists(alice, fin)),
    before: withGroups(stateOf(entityOf("User", bob, {})), lists(bob, fin)),
    inFin: [bob],
  });
  expect(changes).toMatchObject([{ urn: fin, facet: "members", add: [alice], remove: [] }]);
  expect(unmanaged).toMatchObject([{ urn: fin, facet: "members", value: bob, reason: "no-longer-declared" }]);
});

test("what base declared of a group is named also where a user joins or leaves it", () => {
  const { unmanaged } = compared({
    now: withGroups(aliceAlone, lists(alice, fin)),
    before: stateOf(entityOf("Group", fin, { description: scalarOf("Money") })),
    inFin: [],
  });
  expect(unmanaged).toMatchObject([{ urn: fin, facet: "description", value: "Money" }]);
});

test("who is in a group that is gone is not named: the entry falls by itself", () => {
  const { changes, unmanaged } = compared({
    now: new Map(),
    before: withGroups(aliceAlone, lists(alice, fin)),
    inFin: [alice],
    live: stateOf(entityOf("User", alice, there)),
  });
  expect(changes).toEqual([]);
  expect(unmanaged).toEqual([{ urn: alice, kind: "User", reason: "no-longer-declared" }]);
});

test("a part of users takes nobody out of a group that the whole deletes", () => {
  const { changes, unmanaged } = compared({
    now: withGroups(aliceAlone, lists(alice)),
    before: stateOf(...aliceAlone.values(), ...listingAlice.values()),
    inFin: [alice],
    policy: {
      modes: { groups: "merge" },
      prune: new Set(["Group"]),
      pruneAssignments: true,
      part: new Set([alice]),
    },
  });
  expect({ changes, unmanaged }).toEqual({ changes: [], unmanaged: [] });
});

test("a user who lists other groups leaves one that is gone and comes into being again", () => {
  const created = entityOf("Group", fin, {});
  const { changes } = compared({
    now: withGroups(stateOf(...aliceAlone.values(), created), lists(alice)),
    before: new Map(),
    inFin: [alice],
    live: stateOf(entityOf("User", alice, there)),
  });
  expect(changes).toMatchObject([{ action: "create", urn: fin, facet: "members", add: [], remove: [alice] }]);
});

test.each(["additive", "merge", "authoritative"] as const)(
  "who else is in a group is no part of a change that a user's list makes, under `%s`",
  (mode) => {
    const [alone, together] = [[], [bob]].map((inFin) => {
      const now = withGroups(aliceAlone, lists(alice, fin));
      return compared({ now, before: now, inFin, policy: { modes: { groups: mode } } }).changes;
    });
    expect(alone).toMatchObject([{ urn: fin, facet: "members", add: [alice], remove: [] }]);
    expect(together).toEqual(alone);
  },
);

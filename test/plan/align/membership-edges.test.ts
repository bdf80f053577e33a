import { describe, expect, test } from "vitest";
import { type Memberships, noMemberships } from "../../../src/model/membership.ts";
import { type Entity, scalarOf, setOf, type State } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { ignoring, nothingIgnored } from "../../../src/plan/base/ignore.ts";
import { groupListsIn } from "../../../src/plan/base/group-lists.ts";
import {
  type DeclaredEdges,
  type EdgesOfGroup,
  edgesOf,
  type EdgeRules,
  membersNoLongerDeclared,
  prunedMembers,
} from "../../../src/plan/align/membership-edges.ts";
import { allEdges } from "../../../src/plan/base/selected-edges.ts";
import { entityOf, memberships, stateOf, urn, withGroups, withoutBy } from "../../support/states.ts";

const [alice, bob, carol] = ["alice", "bob", "carol"].map((id) => urn(`urn:li:corpuser:${id}`)) as [
  Urn,
  Urn,
  Urn,
];
const [fin, ops] = [urn("urn:li:corpGroup:fin"), urn("urn:li:corpGroup:ops")];
const line = (number: number): NonNullable<Entity["origin"]> => ({ file: "a.yaml", line: number, column: 1 });
const [listAt, aliceAt, bobAt] = [line(1), line(10), line(11)];

const group = (...members: readonly Urn[]): Entity =>
  entityOf("Group", fin, { members: setOf(members, listAt) });

// A group and the users that list groups, each at its place.
function stateWith(
  entities: readonly Entity[],
  lists: { alice?: readonly Urn[]; bob?: readonly Urn[] },
): State {
  return withGroups(
    stateOf(...entities),
    new Map([
      ...(lists.alice ? [[alice, { origin: aliceAt, groups: new Set(lists.alice) }] as const] : []),
      ...(lists.bob ? [[bob, { origin: bobAt, groups: new Set(lists.bob) }] as const] : []),
    ]),
  );
}

function edgesIn(desired: State): DeclaredEdges {
  return { edges: memberships, desired, lists: groupListsIn(desired, memberships) };
}

const nobody = edgesIn(stateOf());
const rules = { modes: {}, ignored: nothingIgnored, selected: allEdges };

describe("the members of a group that lists none", () => {
  function edges(
    members: readonly Urn[],
    listedBy: readonly Urn[],
    declared: DeclaredEdges,
    more: Partial<EdgeRules> = {},
  ): EdgesOfGroup {
    const side = { group: fin, members, listed: undefined, listedBy };
    return withoutBy(edgesOf(side, declared, noMemberships, { ...rules, ...more }));
  }

  test("are at the place of the first user that decides, where nothing changes", () => {
    const declared = edgesIn(stateWith([], { alice: [fin], bob: [fin] }));

    expect(edges([alice, bob], [bob, alice], declared)).toStrictEqual({
      live: setOf([alice, bob]),
      desired: setOf([alice, bob], bobAt),
      listed: false,
      self: new Set([alice, bob]),
      kept: [],
    });
  });

  test("are at no place where nobody decides", () => {
    expect(edges([alice], [], nobody)).toStrictEqual({
      live: setOf([alice]),
      desired: setOf([alice]),
      listed: false,
      self: new Set(),
      kept: [],
    });
  });

  test.each(["merge", "additive"] as const)("are joined by a user whose own mode is `%s`", (mode) => {
    const declared = edgesIn(stateWith([], { alice: [fin] }));

    expect(edges([bob], [alice], declared, { modes: { groups: mode } })).toStrictEqual({
      live: setOf([bob]),
      desired: setOf([alice, bob], aliceAt),
      listed: false,
      self: new Set([alice]),
      kept: [],
    });
  });

  // What base declared of carol and bob, who are in the group, and where the change is then.
  test.each([
    ["the group's list in base", stateWith([group(bob, carol)], {}), [bob, carol], listAt],
    [
      "the group's list in base rather than the user's",
      stateWith([group(bob)], { bob: [fin] }),
      [bob],
      listAt,
    ],
    ["a user's list in base", stateWith([], { bob: [fin] }), [bob], bobAt],
    [
      "a user's list in base, beside a group that lists none",
      stateWith([entityOf("Group", fin, {})], { bob: [fin] }),
      [bob],
      bobAt,
    ],
  ])("that only base declares leave it at the place of %s, marked as pruned", (_, base, leaving, origin) => {
    expect(edges([bob, carol], [], nobody, { base, prunesMembers: true })).toStrictEqual({
      live: setOf([bob, carol]),
      desired: {
        ...setOf(
          [bob, carol].filter((user) => !leaving.includes(user)),
          origin,
        ),
        isPruned: true,
      },
      listed: false,
      self: new Set(leaving),
      kept: [],
    });
  });

  test("that only base declares leave it with the change of a user that lists it, at its place", () => {
    const declared = edgesIn(stateWith([], { alice: [fin] }));
    const base = stateWith([group(bob)], {});

    expect(edges([bob], [alice], declared, { base, prunesMembers: true })).toStrictEqual({
      live: setOf([bob]),
      desired: setOf([alice], aliceAt),
      listed: false,
      self: new Set([alice, bob]),
      kept: [],
    });
  });
});

test("a group that lists its members prunes none: its list decides", () => {
  const declared = edgesIn(stateWith([group(alice)], {}));
  const side = { group: fin, members: [bob], listed: setOf([alice], listAt), listedBy: [] };
  const base = stateWith([group(bob)], {});

  const edges = edgesOf(side, declared, noMemberships, { ...rules, base, prunesMembers: true });
  expect(withoutBy(edges)).toStrictEqual({
    live: setOf([bob]),
    desired: setOf([alice], listAt),
    listed: true,
    self: new Set(),
    kept: [],
  });
});

describe("of the members that only base declares", () => {
  const base = stateWith([group(alice)], { bob: [fin, ops] });

  interface Case {
    readonly declared?: State;
    readonly known?: Partial<Memberships>;
    readonly more?: Partial<EdgeRules>;
  }

  test.each<readonly [string, Case, readonly Urn[]]>([
    ["all are pruned, whichever side declared them", {}, [alice, bob]],
    [
      "all are, where the group declares something else",
      { declared: stateOf(entityOf("Group", fin, { description: scalarOf("x") })) },
      [alice, bob],
    ],
    ["none is, unless a prune was asked for", { more: { prunesMembers: false } }, []],
    ["none is where base is not known", { more: { base: undefined } }, []],
    ["none is where the group lists its members", { declared: stateWith([group()], {}) }, []],
    ["none is where an identity provider owns the group", { known: { external: new Set([fin]) } }, []],
    ["none is where the group could not be read", { known: { unreadable: new Map([[fin, "no"]]) } }, []],
    ["none is where the group is gone", { known: { missing: new Set([fin]) } }, []],
    ["a user that lists its groups stays", { declared: stateWith([], { bob: [] }) }, [alice]],
    ["a user that could not be read stays", { known: { unreadable: new Map([[alice, "no"]]) } }, [bob]],
    [
      "a user stays that is ignored",
      { more: { ignored: ignoring([{ facet: "members", value: bob, reason: "r" }]) } },
      [alice],
    ],
    [
      "a user stays whose membership is not selected",
      { more: { selected: { isGroup: () => false, has: (_edges, _group, user) => user === bob } } },
      [bob],
    ],
  ])("%s", (_, { declared = stateOf(), known = {}, more = {} }, pruned) => {
    const side = { group: fin, members: [alice, bob, carol] };

    expect(
      prunedMembers(
        side,
        edgesIn(declared),
        { ...noMemberships, ...known },
        {
          ignored: nothingIgnored,
          base,
          prunesMembers: true,
          selected: allEdges,
          ...more,
        },
      ),
    ).toEqual(pruned);
  });
});

describe("a member that nobody declares any more", () => {
  const base = stateWith([group(alice)], { bob: [fin] });
  const known = {
    ...noMemberships,
    groupsOf: new Map([alice, bob, carol].map((user) => [user, new Set([fin])])),
  };
  const named = (reason: string, ...users: readonly Urn[]): readonly object[] =>
    users.map((value) => ({ urn: fin, kind: "Group", facet: "members", value, reason }));

  test("is named as one of an identity provider's where that owns the group, and is never pruned there", () => {
    const external = { ...known, external: new Set([fin]) };

    expect(membersNoLongerDeclared(nobody, external, { ...rules, base, prunesMembers: true })).toStrictEqual(
      named("external", alice, bob),
    );
  });

  test("is not named where it is pruned", () => {
    const ignored = ignoring([{ facet: "members", value: bob, reason: "r" }]);

    expect(
      membersNoLongerDeclared(nobody, known, { ...rules, base, ignored, prunesMembers: true }),
    ).toStrictEqual(named("no-longer-declared", bob));
  });

  test("is not named where its membership is not selected at", () => {
    const selected = {
      isGroup: () => false,
      has: (_edges: unknown, of: Urn, user: Urn) => of === fin && user === bob,
    };

    expect(membersNoLongerDeclared(nobody, known, { ignored: nothingIgnored, base, selected })).toStrictEqual(
      named("no-longer-declared", bob),
    );
  });
});

import { describe, expect, test } from "vitest";
import { type Memberships, noMemberships } from "../../../src/model/membership.ts";
import type { Mode } from "../../../src/model/settings.ts";
import { type Entity, type FacetValue, scalarOf, setOf, type State } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { ignoring, nothingIgnored } from "../../../src/plan/base/ignore.ts";
import { type WithEdges, withEdges } from "../../../src/plan/align/membership.ts";
import { membersNoLongerDeclared } from "../../../src/plan/align/membership-edges.ts";
import { groupListsIn } from "../../../src/plan/base/group-lists.ts";
import { allEdges, type SelectedEdges } from "../../../src/plan/base/selected-edges.ts";
import { entityOf, knowing, memberships, stateOf, urn, withGroups, withoutBy } from "../../support/states.ts";

const [alice, bob, carol] = ["alice", "bob", "carol"].map((id) => urn(`urn:li:corpuser:${id}`)) as [
  Urn,
  Urn,
  Urn,
];
const [fin, ops] = [urn("urn:li:corpGroup:fin"), urn("urn:li:corpGroup:ops")];
const line = (number: number): NonNullable<Entity["origin"]> => ({ file: "a.yaml", line: number, column: 1 });
const listAt = line(1);

type Lists = Readonly<Record<string, readonly Urn[]>>;

// The groups that users list, by the names of the users: each at a line of its own.
function lists(groups: Lists): Parameters<typeof withGroups>[1] {
  return new Map(
    Object.entries(groups).map(([id, list], index) => [
      urn(`urn:li:corpuser:${id}`),
      { origin: line(10 + index), groups: new Set(list) },
    ]),
  );
}

// What is left in desired state of users whose manifests declare nothing beside their groups.
const bare = (...users: readonly Urn[]): State => stateOf(...users.map((user) => entityOf("User", user, {})));

const group = (
  members: readonly Urn[] | undefined,
  more: Readonly<Record<string, FacetValue>> = {},
): Entity => entityOf("Group", fin, { ...(members && { members: setOf(members, listAt) }), ...more });

interface Case {
  readonly desired?: readonly Entity[];
  readonly live?: readonly Entity[];
  readonly users?: Lists;
  readonly inFin?: readonly Urn[];
  readonly known?: Partial<Memberships>;
  readonly modes?: Readonly<Record<string, Mode>>;
  readonly ignored?: readonly Urn[];
  readonly base?: State;
  readonly prunesMembers?: boolean;
  readonly selected?: SelectedEdges;
}

function joined({ desired = [], live = [], users = {}, inFin = [], ...more }: Case): WithEdges {
  const { known, modes = {}, ignored = [], base, ...rest } = more;
  const groupsOf = new Map(inFin.map((user) => [user, new Set([fin])]));
  const rules = {
    modes,
    ignored: ignoring(ignored.map((value) => ({ facet: "members", value, reason: "r" }))),
    base,
    selected: allEdges,
    ...rest,
  };
  const declared = withGroups(stateOf(...desired), lists(users));
  return withoutBy(
    withEdges(
      { desired: declared, live: stateOf(...live) },
      { declared, known: knowing({ groupsOf, ...known }), rules },
    ),
  );
}

const membersIn = (state: State): FacetValue | undefined => state.get(fin)?.facets.get("members");

describe("a group that lists its members", () => {
  test("is in both states with all of them, and with those that list it", () => {
    const there = group(undefined, { description: scalarOf("x") });
    const { desired, live, problems, unmanaged } = joined({
      desired: [group([alice])],
      live: [there],
      users: { bob: [fin] },
      inFin: [carol],
    });

    expect(membersIn(desired)).toEqual(setOf([alice, bob], listAt));
    expect(live.get(fin)).toEqual(
      entityOf("Group", fin, { description: scalarOf("x"), members: setOf([carol]) }),
    );
    expect(problems).toEqual([]);
    expect(unmanaged).toEqual([]);
  });

  test("is not in live state where it is not there", () => {
    const declared = group([alice], { description: scalarOf("x") });
    const { desired, live } = joined({ desired: [declared] });

    expect(desired).toEqual(stateOf(declared));
    expect(live).toEqual(new Map());
  });

  test("decides under its own mode: it is in desired state as its manifest has it", () => {
    const entity: Entity = { ...group([alice]), manage: { members: "merge" } };

    expect(joined({ desired: [entity], live: [entity] }).desired.get(fin)?.manage).toEqual({
      members: "merge",
    });
  });

  test("has neither to gain nor to lose who could not be read", () => {
    const { desired, live } = joined({
      desired: [group([alice, bob])],
      live: [group([])],
      inFin: [carol],
      known: { unreadable: new Map([bob, carol].map((user) => [user, "no"])) },
    });

    expect(membersIn(desired)).toEqual(setOf([alice], listAt));
    expect(membersIn(live)).toEqual(setOf([]));
  });
});

describe("a group that does not list its members", () => {
  test("has in both states the users that list their groups and join or leave it, at the place of one of them", () => {
    const { desired, live } = joined({ users: { alice: [fin], bob: [] }, inFin: [bob, carol] });

    expect(membersIn(desired)).toEqual(setOf([alice], line(10)));
    expect(membersIn(live)).toEqual(setOf([bob]));
    expect([...desired.keys()]).toEqual([alice, bob, fin]);
    expect([...live.keys()]).toEqual([fin]);
  });

  test("stands at the place of a user for whom it changes", () => {
    const { desired } = joined({ users: { alice: [fin], bob: [fin] }, inFin: [alice] });

    expect(membersIn(desired)).toEqual(setOf([alice, bob], line(11)));
  });

  test("is in neither state where nothing of it changes and no manifest declares it", () => {
    const { desired, live } = joined({ users: { alice: [fin] }, inFin: [alice, carol] });

    expect([desired, live]).toEqual([bare(alice), new Map()]);
  });

  test("keeps in live state what else was read of it", () => {
    const there = group(undefined, { description: scalarOf("x") });
    const { live } = joined({ live: [there], users: { alice: [fin] } });

    expect(live.get(fin)?.facets.get("description")).toEqual(scalarOf("x"));
  });

  test("is no longer under its own mode for members: the users' modes have decided", () => {
    const entity: Entity = { ...group(undefined), manage: { members: "additive", description: "merge" } };
    const { desired } = joined({ desired: [entity], live: [entity], users: { alice: [fin] } });

    expect(desired.get(fin)?.manage).toEqual({ members: "authoritative", description: "merge" });
    expect(joined({ users: { alice: [fin] } }).desired.get(fin)?.manage).toEqual({
      members: "authoritative",
    });
  });

  const before = (users: Lists, members?: readonly Urn[]): State => {
    return withGroups(stateOf(...(members ? [group(members)] : [])), lists(users));
  };

  // A mode, what base says of alice and the group, whether she leaves, and why she stays.
  test.each<readonly [Mode, string, State | undefined, "leaves" | "other-writer" | "no-longer-declared"]>([
    ["authoritative", "no base", undefined, "leaves"],
    ["merge", "no base", undefined, "other-writer"],
    ["merge", "a base where she listed it", before({ alice: [fin] }), "leaves"],
    ["merge", "a base where it listed her", before({}, [alice]), "leaves"],
    ["merge", "a base where she listed another", before({ alice: [ops] }), "other-writer"],
    ["merge", "a base where it listed others", before({}, [bob]), "other-writer"],
    ["additive", "no base", undefined, "other-writer"],
    ["additive", "a base where she listed it", before({ alice: [fin] }), "no-longer-declared"],
  ])("under %s, with %s, loses a user that lists no groups as it shall: %s", (mode, _, base, outcome) => {
    const { desired, live, unmanaged } = joined({
      users: { alice: [] },
      inFin: [alice],
      modes: { groups: mode },
      ...(base && { base }),
    });

    if (outcome === "leaves") {
      expect(membersIn(desired)).toEqual(setOf([], line(10)));
      expect(membersIn(live)).toEqual(setOf([alice]));
      expect(unmanaged).toEqual([]);
    } else {
      expect(desired).toEqual(bare(alice));
      expect(unmanaged).toStrictEqual([
        { urn: fin, kind: "Group", facet: "members", value: alice, reason: outcome },
      ]);
    }
  });

  test("asks each user's own manifest for the mode", () => {
    const user = (of: Urn, mode: Mode): Entity => ({ ...entityOf("User", of, {}), manage: { groups: mode } });
    const { desired, unmanaged } = joined({
      desired: [user(alice, "merge"), user(bob, "authoritative")],
      users: { alice: [], bob: [] },
      inFin: [alice, bob],
    });

    expect(membersIn(desired)).toEqual(setOf([], line(11)));
    expect(unmanaged.map(({ value }) => value)).toEqual([alice]);
  });

  test("neither gains nor loses who is ignored among its members", () => {
    const { desired, unmanaged } = joined({
      users: { alice: [fin], bob: [] },
      inFin: [bob],
      ignored: [alice, bob],
    });

    expect(desired).toEqual(bare(alice, bob));
    expect(unmanaged).toEqual([]);
  });
});

describe("a group that an identity provider owns", () => {
  const external = new Set([fin]);

  test("is a problem where it lists members, and nothing of them is compared", () => {
    const there = group(undefined, { description: scalarOf("x") });
    const { desired, live, problems, unmanaged } = joined({
      desired: [group([alice], { description: scalarOf("y") })],
      live: [there],
      inFin: [bob],
      known: { external },
    });

    expect(problems).toStrictEqual([
      { code: "external-group", severity: "error", args: { urn: fin }, origin: listAt },
    ]);
    expect(desired.get(fin)).toEqual(entityOf("Group", fin, { description: scalarOf("y") }));
    expect(live.get(fin)).toBe(there);
    expect(unmanaged).toEqual([]);
  });

  test("is a warning where users shall join it, with their names, and lists those that are in it", () => {
    const { desired, problems, unmanaged } = joined({
      users: { alice: [fin], bob: [fin] },
      inFin: [bob, carol],
      known: { external },
    });

    expect(desired).toEqual(bare(alice, bob));
    expect(problems).toStrictEqual([
      {
        code: "external-membership",
        severity: "warning",
        args: { urn: fin, users: [alice] },
        origin: line(10),
      },
    ]);
    expect(unmanaged).toStrictEqual([
      { urn: fin, kind: "Group", facet: "members", value: bob, reason: "external" },
    ]);
  });

  test("keeps its declared facets where only users name it", () => {
    const entity = group(undefined, { description: scalarOf("y") });
    const { desired } = joined({ desired: [entity], users: { alice: [fin] }, known: { external } });

    expect(desired.get(fin)).toBe(entity);
  });
});

describe("what could not be read of memberships", () => {
  test("of a group is a problem at the place that declares it, and nothing of it is compared", () => {
    const unreadable = new Map([[fin, "no"]]);
    const problem = { code: "read-failed", severity: "error", args: { urn: fin, error: "no" } };

    const listing = joined({ desired: [group([alice])], known: { unreadable } });
    expect(listing.problems).toStrictEqual([{ ...problem, origin: listAt }]);
    expect(membersIn(listing.desired)).toBeUndefined();
    const joining = joined({ users: { alice: [fin] }, known: { unreadable } });
    expect(joining.problems).toStrictEqual([{ ...problem, origin: line(10) }]);
    expect(joining.desired).toEqual(bare(alice));
  });

  test("of a user is a problem at the place of its groups, else of its manifest, where it has one", () => {
    const unreadable = new Map([alice, bob, carol].map((user) => [user, "no"]));
    const manifests = [alice, bob].map((user) => ({ ...entityOf("User", user, {}), origin: line(3) }));
    const problem = (user: Urn): object => {
      return { code: "read-failed", severity: "error", args: { urn: user, error: "no" } };
    };

    expect(
      joined({ desired: manifests, users: { alice: [] }, known: { unreadable } }).problems,
    ).toStrictEqual([
      { ...problem(alice), origin: line(10) },
      { ...problem(bob), origin: line(3) },
      problem(carol),
    ]);
  });
});

describe("a member that only base declares, where members are pruned,", () => {
  const base = stateOf(group([carol]));

  test("leaves a group that no manifest names any more", () => {
    const { desired, live } = joined({ inFin: [bob, carol], base, prunesMembers: true });

    const left = { members: { ...setOf([], listAt), isPruned: true as const } };
    const manage = { members: "authoritative" } as const;
    expect(desired).toStrictEqual(stateOf({ ...entityOf("Group", fin, left), manage }));
    expect(live).toStrictEqual(stateOf({ ...entityOf("Group", fin, { members: setOf([carol]) }), manage }));
  });

  test("stays in one that nothing else names where it shall stay", () => {
    expect(joined({ inFin: [bob, carol], base })).toStrictEqual({
      desired: new Map(),
      live: new Map(),
      problems: [],
      unmanaged: [],
      membersLeft: [
        { urn: fin, kind: "Group", facet: "members", value: carol, reason: "no-longer-declared" },
      ],
    });
  });
});

describe("where not all memberships are looked at", () => {
  const onlyOf = (...users: readonly Urn[]): SelectedEdges => ({
    isGroup: () => false,
    has: (_edges, _group, user) => users.includes(user),
  });

  test("the others are on neither side, whoever lists them", () => {
    const { desired, live } = joined({
      desired: [group([alice, bob])],
      live: [group([])],
      users: { alice: [], bob: [fin], carol: [fin] },
      inFin: [alice, carol, urn("urn:li:corpuser:dave")],
      selected: { isGroup: () => true, has: (_edges, _group, user) => user === alice },
    });

    expect(membersIn(desired)).toEqual(setOf([alice], listAt));
    expect(membersIn(live)).toEqual(setOf([alice]));
  });

  test("a group of which none is has no problem, and is as it is declared", () => {
    const there = group(undefined, { description: scalarOf("x") });
    const { desired, live, problems } = joined({
      desired: [there],
      live: [there],
      users: { alice: [fin] },
      inFin: [bob],
      known: { unreadable: new Map([[fin, "no"]]) },
      selected: onlyOf(bob),
    });

    expect(problems).toEqual([]);
    expect(desired).toEqual(new Map([...stateOf(there), ...bare(alice)]));
    expect(live).toEqual(stateOf(there));
  });

  test("a group that was not read is in both states with its members alone, under its own modes", () => {
    const manage = { members: "merge", description: "additive" } as const;
    const declared = { ...group([alice, bob], { description: scalarOf("x") }), manage };
    const listing = joined({ desired: [declared], users: { alice: [fin] }, selected: onlyOf(alice) });
    const joining = joined({
      desired: [{ ...group(undefined, { description: scalarOf("x") }), manage }],
      users: { alice: [fin] },
      selected: onlyOf(alice),
    });

    expect(listing.desired.get(fin)).toStrictEqual({ ...group([alice]), manage });
    expect(listing.live.get(fin)).toStrictEqual({
      ...entityOf("Group", fin, { members: setOf([]) }),
      manage,
    });
    expect(joining.desired.get(fin)).toStrictEqual({
      ...entityOf("Group", fin, { members: setOf([alice], line(10)) }),
      manage: { members: "authoritative", description: "additive" },
    });
  });

  test("a group that was read has all that is declared of it", () => {
    const description = { description: scalarOf("x") };
    const { desired, live } = joined({
      desired: [group(undefined, description)],
      live: [group(undefined)],
      users: { alice: [fin] },
      selected: onlyOf(alice),
    });

    expect(desired.get(fin)?.facets).toEqual(
      group(undefined, { ...description, members: setOf([alice], line(10)) }).facets,
    );
    expect(live.get(fin)).toEqual(entityOf("Group", fin, { members: setOf([]) }));
  });
});

test("entities that are no groups are as they are", () => {
  const user = entityOf("User", alice, { title: scalarOf("x") });

  const { desired, live } = joined({
    desired: [user],
    live: [user],
    users: { alice: [fin] },
    inFin: [alice],
  });

  expect(desired).toEqual(stateOf(user));
  expect(live).toEqual(stateOf(user));
});

describe("a membership that base declared and neither side declares any more", () => {
  interface Past {
    readonly members?: boolean;
    readonly users?: Lists;
    readonly now?: readonly Entity[];
    readonly lists?: Lists;
    readonly gone?: boolean;
  }

  // What base and the manifests say; alice and bob are in the group.
  test.each<readonly [string, Past, readonly Urn[]]>([
    ["by the group's list", { members: true }, [alice]],
    ["by a user's list", { users: { alice: [fin] } }, [alice]],
    ["by a user's list of other groups", { users: { alice: [ops] } }, []],
    ["by both", { members: true, users: { alice: [fin], bob: [fin] } }, [alice, bob]],
    ["by neither", {}, []],
    ["but the group lists its members now", { members: true, now: [group([])] }, []],
    ["and the group declares something else now", { members: true, now: [group(undefined)] }, [alice]],
    ["but the user lists groups now", { members: true, lists: { alice: [] } }, []],
    ["of a group that is gone", { members: true, gone: true }, []],
  ])("%s is named", (_, { members = false, users = {}, now = [], gone = false, ...rest }, named) => {
    const base = withGroups(stateOf(group(members ? [alice] : undefined)), lists(users));
    const desired = withGroups(stateOf(...now), lists(rest.lists ?? {}));
    const edges = { edges: memberships, desired, lists: groupListsIn(desired, memberships) };
    const known: Memberships = {
      ...noMemberships,
      groupsOf: new Map([alice, bob].map((user) => [user, new Set([fin])])),
      missing: new Set(gone ? [fin] : []),
    };

    expect(
      membersNoLongerDeclared(edges, known, { ignored: nothingIgnored, base, selected: allEdges }),
    ).toStrictEqual(
      named.map((value) => ({
        urn: fin,
        kind: "Group",
        facet: "members",
        value,
        reason: "no-longer-declared",
      })),
    );
  });
});

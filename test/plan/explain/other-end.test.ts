import { describe, expect, test } from "vitest";
import type { Change, SetChange } from "../../../src/model/change.ts";
import { type Entity, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { nothingIgnored } from "../../../src/plan/base/ignore.ts";
import { endsOf, withEdges } from "../../../src/plan/explain/other-end.ts";
import { originOf } from "../../support/assets.ts";
import { datasetNamed, entityOf, knowing, stateOf, urn } from "../../support/states.ts";

const [ann, bob] = [urn("urn:li:corpuser:ann"), urn("urn:li:corpuser:bob")];
const [finance, sales, ops] = ["finance", "sales", "ops"].map((id) => urn(`urn:li:corpGroup:${id}`)) as [
  Urn,
  Urn,
  Urn,
];

/** A group that declares its members, and a user who declares their groups. */
function group(of: Urn, ...members: readonly Urn[]): Entity {
  return entityOf("Group", of, { members: setOf(members, originOf(of)) });
}
function user(of: Urn, ...groups: readonly Urn[]): Entity {
  return entityOf("User", of, { groups: setOf(groups, originOf(of)) });
}

const edge = (of: Urn, add: readonly Urn[], remove: readonly Urn[] = []): SetChange => {
  const members = { shape: "set", facet: "members", action: "update", fingerprint: "f" } as const;
  return { ...members, kind: "Group", urn: of, add, remove };
};

interface Known {
  readonly declared?: readonly Entity[];
  readonly live?: ReadonlyMap<Urn, ReadonlySet<Urn>>;
  readonly changes?: readonly Change[];
}

type Sides = Parameters<typeof withEdges>[0];

const nothingElse = { changes: [], modes: {}, modePlaces: [], rules: [], ignored: nothingIgnored };

/** What is shown of an entity of which nothing but edges is declared. */
function shown(
  of: "User" | "Group",
  { declared = [], live = new Map(), changes = [] }: Known,
  more: Partial<Sides> = {},
): Sides {
  const own = entityOf(of, of === "User" ? ann : finance, {});
  const sides: Sides = { ...nothingElse, desired: own, live: own, ...more };
  return withEdges(sides, { declared: stateOf(...declared), edges: knowing({ groupsOf: live }), changes });
}

const edgesIn = (entity: Entity | undefined): unknown => entity && Object.fromEntries(entity.facets);

test("kinds are at the ends of edges at which they can be", () => {
  const ends = (kind: string): unknown =>
    endsOf(kind).map(({ facet, inverse, of }) => [facet, inverse, of.facet]);
  expect(ends("Group")).toEqual([["members", "groups", "members"]]);
  expect(ends("User")).toEqual([["groups", "members", "members"]]);
  expect(ends("Dataset")).toEqual([["data_products", "assets", "assets"]]);
  expect(ends("Tag")).toEqual([]);
});

describe("what is declared of edges", () => {
  test("at the other end alone is shown with its place", () => {
    const { desired } = shown("User", {
      declared: [group(finance, ann), group(sales, bob), group(ops, ann)],
    });
    expect(edgesIn(desired)).toEqual({
      groups: {
        shape: "set",
        members: [finance, ops],
        by: [
          { origin: originOf(finance), values: [finance] },
          { origin: originOf(ops), values: [ops] },
        ],
      },
    });
  });

  test("at both ends is shown together, with who of several declares this edge", () => {
    const by = [
      { rule: "r", values: [bob] },
      { rule: "s", values: [bob, ann] },
    ];
    const ofRules = entityOf("Group", sales, { members: { ...setOf([ann, bob]), by } });
    const { desired } = shown("User", { declared: [user(ann, finance), ofRules] });
    expect(edgesIn(desired)).toEqual({
      groups: {
        shape: "set",
        members: [finance, sales],
        by: [
          { origin: originOf(ann), values: [finance] },
          { rule: "s", values: [sales] },
        ],
      },
    });
  });

  test("of a group has its users", () => {
    const { desired } = shown("Group", { declared: [user(ann, finance), user(bob, sales)] });
    expect(edgesIn(desired)).toMatchObject({ members: { members: [ann] } });
  });

  test("is empty where its own document declares none, and absent where none declares any", () => {
    const empty = { groups: { ...setOf([]), by: [{ origin: originOf(ann), values: [] }] } };
    expect(edgesIn(shown("User", { declared: [user(ann)] }).desired)).toEqual(empty);
    const own = { desired: user(ann, finance) };
    expect(edgesIn(shown("User", { declared: [group(sales, bob)] }, own).desired)).toEqual({});
  });

  test("is shown of an asset, too, and nothing of an entity without edges", () => {
    const product = urn("urn:li:dataProduct:p");
    const declared = stateOf(entityOf("DataProduct", product, { assets: setOf([datasetNamed("a")]) }));
    const sidesOf = (desired: Entity): Sides => ({ ...nothingElse, desired, live: undefined });
    const known = { declared, edges: new Map(), changes: [] };
    const table = withEdges(sidesOf(entityOf("Dataset", datasetNamed("a"), {})), known);
    expect(edgesIn(table.desired)).toMatchObject({ data_products: { members: [product] } });
    const tag = sidesOf(entityOf("Tag", urn("urn:li:tag:t"), {}));
    expect(withEdges(tag, known)).toBe(tag);
  });
});

describe("what is live of edges", () => {
  const live = new Map([
    [ann, new Set([finance, sales])],
    [bob, new Set([sales])],
  ]);

  test("is what members have at either end", () => {
    expect(edgesIn(shown("User", { live }).live)).toEqual({ groups: setOf([finance, sales]) });
    expect(edgesIn(shown("Group", { live }).live)).toEqual({ members: setOf([ann]) });
    expect(edgesIn(shown("User", {}).live)).toEqual({ groups: setOf([]) });
  });

  test("is nothing of what the catalog does not have, and empty where no edges are known", () => {
    expect(shown("User", { live }, { live: undefined }).live).toBeUndefined();
    const desired = entityOf("User", ann, {});
    const sides: Sides = { ...nothingElse, desired, live: desired };
    const known = { declared: new Map(), edges: new Map(), changes: [] };
    expect(edgesIn(withEdges(sides, known).live)).toEqual({ groups: setOf([]) });
  });
});

describe("what changes of edges", () => {
  const changes: readonly Change[] = [
    edge(finance, [ann, bob]),
    edge(sales, [], [ann]),
    edge(ops, [bob], []),
    { ...edge(finance, [ann]), facet: "owners" },
    { action: "create", shape: "entity", kind: "Group", urn: finance, fingerprint: "f" },
  ];

  test("is shown at the end that is asked about, in the place of other changes of it", () => {
    const name = { ...edge(ann, []), facet: "title" };
    const { changes: ofUser } = shown(
      "User",
      { changes },
      { changes: [{ ...edge(ann, []), facet: "groups" }, name] },
    );
    const groups = { ...edge(ann, [finance], [sales]), kind: "User", facet: "groups", fingerprint: "" };
    expect(ofUser).toEqual([name, groups]);
    expect(shown("Group", { changes }).changes).toEqual([edge(finance, [ann, bob])]);
  });

  test("is nothing where none of them is one of the entity", () => {
    const others = changes.slice(2);
    expect(shown("User", { changes: others }).changes).toEqual([]);
    expect(edgesIn(shown("User", { changes: others }).desired)).toEqual({});
  });

  test("makes an edge that goes one that is managed, though none is declared", () => {
    expect(edgesIn(shown("User", { changes: [edge(sales, [], [ann])] }).desired)).toEqual({
      groups: { ...setOf([]), by: [] },
    });
    expect(edgesIn(shown("User", { changes: [edge(sales, [ann])] }).desired)).toHaveProperty("groups");
  });
});

describe("the mode of edges", () => {
  const place = originOf("mode");
  const additive: Entity = {
    ...group(finance, ann),
    manage: { members: "additive", owners: "merge" },
    modePlaces: new Map([["members", place]]),
  };
  const modesIn = ({ desired, modes, modePlaces }: Sides): unknown => [desired.manage, modes, modePlaces];

  test("that only the other end declares is the mode of that end", () => {
    const given = { facet: "groups", mode: "additive" };
    const own: Partial<Sides> = {
      desired: { ...entityOf("User", ann, {}), manage: { groups: "merge", title: "merge" } },
      modePlaces: [{ facet: "title", mode: "merge" }],
    };
    expect(modesIn(shown("User", { declared: [additive, group(sales, ann)] }, own))).toEqual([
      { title: "merge", groups: "additive" },
      {},
      [
        { facet: "title", mode: "merge" },
        { ...given, source: place },
      ],
    ]);
    const { modePlaces: _, ...withoutPlace } = additive;
    expect(modesIn(shown("User", { declared: [withoutPlace] }))).toEqual([
      { groups: "additive" },
      {},
      [given],
    ]);
  });

  test("that go is the mode of the group that they leave", () => {
    const leaves = { declared: [{ ...additive, facets: new Map() }], changes: [edge(finance, [], [ann])] };
    expect(modesIn(shown("User", leaves))).toEqual([
      { groups: "additive" },
      {},
      [{ facet: "groups", mode: "additive", source: place }],
    ]);
    expect(modesIn(shown("User", { ...leaves, declared: [] }))).toEqual([{}, {}, []]);
  });

  test("that its own document declares is its own", () => {
    const own: Partial<Sides> = { desired: { ...user(ann, sales), manage: { groups: "merge" } } };
    expect(modesIn(shown("User", { declared: [user(ann, sales), additive] }, own))).toEqual([
      { groups: "merge" },
      {},
      [],
    ]);
  });

  test.each<readonly [Sides["modes"], Sides["modes"]]>([
    [
      { members: "additive", tags: "merge" },
      { members: "additive", tags: "merge", groups: "additive" },
    ],
    [{ groups: "additive" }, { groups: "additive" }],
    [
      { members: "merge", groups: "additive" },
      { members: "merge", groups: "merge" },
    ],
    [{}, {}],
  ])("in the settings is that of the other end, else its own: %j", (modes, expected) => {
    expect(shown("User", { declared: [group(finance, ann)] }, { modes }).modes).toEqual(expected);
  });
});

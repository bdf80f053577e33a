import { describe, expect, test } from "vitest";
import type { Change, SetChange } from "../../../src/model/change.ts";
import type { Unmanaged } from "../../../src/model/plan.ts";
import type { Member, Scalar } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  exactPart,
  createsOrRestores,
  entitiesNeededBy,
  partOf,
  fullCatalog,
} from "../../../src/plan/diff/part.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const [a, b] = [datasetNamed("a"), datasetNamed("b")];
const [pii, gold] = [urn("urn:li:tag:pii"), urn("urn:li:tag:gold")];
const domain = (id: string): Urn => urn(`urn:li:domain:${id}`);
const [fin, hr, ops] = [urn("urn:li:corpGroup:fin"), urn("urn:li:corpGroup:hr"), urn("urn:li:corpGroup:ops")];
const [alice, bob, carol] = [
  urn("urn:li:corpuser:alice"),
  urn("urn:li:corpuser:bob"),
  urn("urn:li:corpuser:carol"),
];

const about = { action: "update", kind: "Dataset", fingerprint: "f" } as const;

function setChange(
  of: Urn,
  facet: string,
  add: readonly Member[],
  remove: readonly Member[] = [],
  more: Partial<SetChange> = {},
): SetChange {
  return { ...about, shape: "set", urn: of, facet, add, remove, ...more };
}

function scalarChange(of: Urn, facet: string, after: Scalar, more: object = {}): Change {
  return { ...about, shape: "scalar", urn: of, facet, before: null, after, ...more };
}

const creation = (of: Urn): Change => ({ ...about, action: "create", shape: "entity", urn: of });
const restoring = (of: Urn): Change => scalarChange(of, "removed", false, { before: true });

function left(of: Urn, facet: string, value: Member): Unmanaged {
  return { urn: of, kind: "Dataset", facet, value, reason: "other-writer" };
}

const isExclusive = (): boolean => false;
const anybody = { decides: () => true, isExclusive };
const nobody = { decides: () => false, isExclusive };

describe("a part that is exactly what it holds", () => {
  const changes = [setChange(a, "tags", [pii]), scalarChange(b, "domain", null), creation(pii)];
  const unmanaged = [left(a, "tags", gold), left(b, "tags", gold)];

  test("has all changes of these entities, and what they need is not added", () => {
    const part = exactPart((each) => each === a);
    expect([part.has(a), part.has(b)]).toEqual([true, false]);
    expect(part.changes(changes)).toEqual([setChange(a, "tags", [pii])]);
    expect(part.unmanaged(unmanaged)).toEqual([left(a, "tags", gold)]);
  });

  test("is everything where nothing was selected", () => {
    expect(fullCatalog.has(a)).toBe(true);
    expect(fullCatalog.changes(changes)).toEqual(changes);
    expect(fullCatalog.unmanaged(unmanaged)).toEqual(unmanaged);
  });
});

describe("what was selected comes with what it needs and does not exist yet", () => {
  const newDomain = creation(domain("new"));
  const inConflict = { conflict: { base: null, live: "x", desired: domain("new") } };
  const settled = { conflict: { ...inConflict.conflict, winner: "desired" } };

  // What all changes are beside that of the selected dataset, and those that come with it.
  test.each<readonly [string, Change, readonly Change[], readonly Change[]]>([
    ["an entity that is created", scalarChange(a, "domain", domain("new")), [newDomain], [newDomain]],
    [
      "an entity that is restored, with all its changes",
      setChange(a, "tags", [pii]),
      [restoring(pii), scalarChange(pii, "description", "text")],
      [restoring(pii), scalarChange(pii, "description", "text")],
    ],
    [
      "what these need in turn",
      scalarChange(a, "domain", domain("1")),
      [
        scalarChange(domain("1"), "parent_domain", domain("2"), { action: "create" }),
        scalarChange(domain("2"), "parent_domain", domain("3"), { action: "create" }),
        creation(domain("3")),
        creation(domain("4")),
      ],
      [
        scalarChange(domain("1"), "parent_domain", domain("2"), { action: "create" }),
        scalarChange(domain("2"), "parent_domain", domain("3"), { action: "create" }),
        creation(domain("3")),
      ],
    ],
    [
      "every part of a value that names something",
      setChange(a, "owners", [{ owner: fin, type: "urn:li:ownershipType:new" }]),
      [creation(fin), creation(urn("urn:li:ownershipType:new")), creation(ops)],
      [creation(fin), creation(urn("urn:li:ownershipType:new"))],
    ],
    [
      "nothing that is there and only changes",
      setChange(a, "tags", [pii]),
      [scalarChange(pii, "description", "text"), setChange(b, "tags", [pii])],
      [],
    ],
    ["nothing for what goes", setChange(a, "tags", [], [pii]), [creation(pii)], []],
    [
      "nothing for a text that looks like a reference",
      scalarChange(a, "description", pii),
      [creation(pii)],
      [],
    ],
    [
      "nothing for a change that a conflict holds back",
      scalarChange(a, "domain", domain("new"), inConflict),
      [newDomain],
      [],
    ],
    [
      "what a change needs whose conflict is settled",
      scalarChange(a, "domain", domain("new"), settled),
      [newDomain],
      [newDomain],
    ],
  ])("%s", (_, change, others, expected) => {
    const part = partOf(new Set([a, gold]), [change, ...others], nobody);
    expect(part.changes([change, ...others])).toEqual([change, ...expected]);
    for (const each of expected) expect(part.has(each.urn)).toBe(true);
  });

  test("and what others leave of it", () => {
    const change = scalarChange(a, "domain", domain("new"));
    const part = partOf(new Set([a]), [change, newDomain], nobody);
    const unmanaged = [left(a, "tags", pii), left(b, "tags", pii), left(domain("new"), "owners", alice)];
    expect(part.unmanaged(unmanaged)).toEqual([left(a, "tags", pii), left(domain("new"), "owners", alice)]);
  });
});

describe("of a group that was not selected come the memberships of users that were and decide themselves", () => {
  const [alices, bobs] = [
    { value: alice, declaredBefore: true },
    { value: bob, declaredBefore: null },
  ];
  const decides = (_edges: unknown, group: Urn, user: Urn): boolean => group === fin || user === alice;
  const deciding = { decides, isExclusive };
  const selected = new Set([alice, carol]);

  test("who joins and who leaves, with what is told of those who leave", () => {
    const changes = [
      setChange(fin, "members", [carol, bob], [alice, bob], { removed: [alices, bobs] }),
      setChange(ops, "members", [alice, carol], [bob], { removed: [bobs] }),
      setChange(hr, "members", [], [alice]),
      setChange(fin, "tags", [alice], [carol]),
      scalarChange(fin, "members", alice),
    ];
    expect(partOf(selected, changes, deciding).changes(changes)).toStrictEqual([
      setChange(fin, "members", [carol], [alice], { removed: [alices] }),
      setChange(ops, "members", [alice], []),
      setChange(hr, "members", [], [alice]),
    ]);
  });

  test("and what is known of the others stays with them", () => {
    const [ofAlice, ofBob] = [alice, bob].map((value) => ({ value, times: 3, last: "", until: "" }));
    const more = { reverts: [bob, alice], fights: [ofAlice, ofBob] };
    const joining = setChange(ops, "members", [alice, bob], [], more as object);
    const apart = setChange(hr, "members", [alice, bob], [], { reverts: [bob], fights: [ofBob] } as object);
    expect(partOf(selected, [joining, apart], deciding).changes([joining, apart])).toStrictEqual([
      setChange(ops, "members", [alice], [], { reverts: [alice], fights: [ofAlice] } as object),
      setChange(hr, "members", [alice], []),
    ]);
  });

  test("and the group keeps the fingerprint of all its members", () => {
    const covers = { elements: [alice], except: ["*@acme.com"] };
    const change = setChange(fin, "members", [carol, bob], [gold], { covers });
    expect(partOf(selected, [change], deciding).changes([change])).toStrictEqual([
      setChange(fin, "members", [carol], [], { covers: { ...covers, elements: [alice, bob, gold] } }),
    ]);
  });

  test("of no user that does not decide, or was not selected", () => {
    const changes = [setChange(ops, "members", [carol, bob], [carol, bob])];
    expect(partOf(selected, changes, deciding).changes(changes)).toEqual([]);
    expect(partOf(selected, changes, nobody).changes(changes)).toEqual([]);
    expect(partOf(new Set([a]), changes, anybody).changes(changes)).toEqual([]);
  });

  test("with the whole group where somebody joins one that is created", () => {
    const changes = [
      setChange(fin, "members", [alice, bob], [], { action: "create" }),
      scalarChange(fin, "display_name", "Finance", { action: "create" }),
      setChange(fin, "owners", [{ owner: bob, type: "urn:li:ownershipType:new" }], [], { action: "create" }),
      creation(urn("urn:li:ownershipType:new")),
    ];
    expect(partOf(selected, changes, deciding).changes(changes)).toEqual(changes);
  });

  test("not where somebody is to leave a group that does not exist", () => {
    const change = setChange(fin, "members", [bob], [alice], { action: "create" });
    const part = partOf(selected, [change], deciding);
    expect(part.changes([change])).toEqual([]);
    expect(part.has(fin)).toBe(false);
  });

  test("and what others leave of these memberships, apart from those of a group that is created", () => {
    const changes = [creation(fin), setChange(ops, "members", [], [bob])];
    const unmanaged: readonly Unmanaged[] = [
      left(ops, "members", alice),
      left(ops, "members", bob),
      left(ops, "members", carol),
      left(ops, "owners", alice),
      left(fin, "members", alice),
      {
        urn: urn("urn:li:corpGroup:no-change"),
        kind: "Group",
        facet: "members",
        value: alice,
        reason: "external",
      },
      { urn: ops, kind: "Group", reason: "no-longer-declared" },
    ];
    expect(partOf(selected, changes, deciding).unmanaged(unmanaged)).toEqual([unmanaged[0], unmanaged[5]]);
  });
});

test.each<readonly [string, Change, readonly Urn[]]>([
  ["what it adds, and its own entity", setChange(a, "tags", [pii, gold], [fin]), [a, pii, gold]],
  ["the value that it sets", scalarChange(a, "domain", domain("1")), [a, domain("1")]],
  ["nothing where it only takes away", setChange(a, "tags", [], [pii]), []],
  ["nothing where it unsets a value", scalarChange(a, "domain", null, { before: domain("1") }), []],
  ["nothing where its values are texts", scalarChange(a, "description", pii), []],
  ["nothing where it is about an entity as a whole", creation(pii), []],
])("a change needs %s", (_, change, expected) => {
  expect(entitiesNeededBy(change)).toEqual(expected);
});

test.each<readonly [boolean, Change]>([
  [true, creation(pii)],
  [true, scalarChange(pii, "name", "PII", { action: "create" })],
  [true, restoring(pii)],
  [false, scalarChange(pii, "name", "PII")],
  [false, { ...about, action: "delete", shape: "entity", urn: pii }],
])("what is created or restored can be referred to: %j of %j", (expected, change) => {
  expect(createsOrRestores(change)).toBe(expected);
});

import { expect, test } from "vitest";
import type { State } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { groupListsIn } from "../../../src/plan/sides/base.ts";
import { ignoring, nothingIgnored } from "../../../src/plan/adopt/ignore.ts";
import { matching, withoutEntities } from "../../../src/plan/sides/select.ts";
import { entityOf, memberships, stateOf, urn, withGroups } from "../../support/states.ts";

const origin = { file: "catalog/a.yaml", line: 4, column: 1 };
const [alice, bob] = [urn("urn:li:corpuser:alice"), urn("urn:li:corpuser:bob")];

// Both users are declared, and both list their groups.
const declared = withGroups(
  stateOf(entityOf("User", alice, {}), entityOf("User", bob, {})),
  new Map([alice, bob].map((user) => [user, { origin, groups: new Set<Urn>() }])),
);

const namesIn = (state: State): readonly (readonly string[])[] => [
  [...state.keys()],
  [...groupListsIn(state, memberships).keys()],
];

test.each<readonly [readonly string[], readonly string[]]>([
  [["*alice"], [alice]],
  [["alice"], [alice]],
  [
    ["ali*", "*b"],
    [alice, bob],
  ],
  [["urn:li:corpuser:"], []],
  [["lice"], []],
  [
    ["*alice", "*bob"],
    [alice, bob],
  ],
  [["*carol", "*bob"], [bob]],
  [[], []],
])("of the users the patterns %j match %j", (patterns, matched) => {
  expect([...declared.keys()].filter(matching(patterns))).toEqual(matched);
});

test("entities that are ignored as a whole are left out, with their groups", () => {
  const ignored = ignoring([
    { urn: "*alice", reason: "r" },
    { urn: "*bob", facet: "groups", reason: "r" },
  ]);

  expect(namesIn(withoutEntities(declared, ignored))).toEqual([[bob], [bob]]);
});

test("where nothing is ignored a state is not copied", () => {
  expect(withoutEntities(declared, nothingIgnored)).toBe(declared);
});

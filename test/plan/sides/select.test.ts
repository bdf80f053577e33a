import { expect, test } from "vitest";
import type { Urn } from "../../../src/model/urn.ts";
import { type Base, groupListsIn } from "../../../src/plan/sides/base.ts";
import { ignoring, nothingIgnored } from "../../../src/plan/adopt/ignore.ts";
import { selectTargets, withoutEntities } from "../../../src/plan/sides/select.ts";
import { entityOf, stateOf, urn, withGroups } from "../../support/states.ts";

const origin = { file: "catalog/a.yaml", line: 4, column: 1 };
const [alice, bob] = [urn("urn:li:corpuser:alice"), urn("urn:li:corpuser:bob")];

// Both users are declared, and both list their groups.
const declared: Base = {
  state: withGroups(
    stateOf(entityOf("User", alice, {}), entityOf("User", bob, {})),
    new Map([alice, bob].map((user) => [user, { origin, groups: new Set<Urn>() }])),
  ),
  size: 7,
};

const namesIn = ({ state }: Base): readonly (readonly string[])[] => [
  [...state.keys()],
  [...groupListsIn(state).keys()],
];

test.each<readonly [readonly string[], readonly string[]]>([
  [["*alice"], [alice]],
  [["alice"], []],
  [
    ["*alice", "*bob"],
    [alice, bob],
  ],
  [["*carol", "*bob"], [bob]],
  [[], []],
])("the patterns %j leave of users and their groups %j, and all else as it is", (patterns, left) => {
  const selected = selectTargets(declared, patterns);

  expect(namesIn(selected)).toEqual([left, left]);
  expect(selected.size).toBe(7);
});

test("entities that are ignored as a whole are left out, with their groups", () => {
  const ignored = ignoring([
    { urn: "*alice", reason: "r" },
    { urn: "*bob", facet: "groups", reason: "r" },
  ]);

  expect(namesIn(withoutEntities(declared, ignored))).toEqual([[bob], [bob]]);
  expect(namesIn(withoutEntities(declared, nothingIgnored))).toEqual([
    [alice, bob],
    [alice, bob],
  ]);
});

import { describe, expect, test } from "vitest";
import { setOf } from "../../../src/model/state.ts";
import { allEdges, selectedEdges, memberDeclaresEdge } from "../../../src/plan/base/selected-edges.ts";
import { entityOf, memberships, stateOf, urn, withGroups } from "../../support/states.ts";

const [listing, listed, silent] = [
  urn("urn:li:corpuser:listing"),
  urn("urn:li:corpuser:listed-before"),
  urn("urn:li:corpuser:silent"),
];
const [open, closed, unknown] = [
  urn("urn:li:corpGroup:lists-no-members"),
  urn("urn:li:corpGroup:lists-its-members"),
  urn("urn:li:corpGroup:not-declared"),
];

const declared = withGroups(
  stateOf(
    entityOf("Group", open, {}),
    entityOf("Group", closed, { members: setOf([]) }),
    entityOf("User", listed, {}),
    entityOf("User", silent, {}),
  ),
  new Map([[listing, []]]),
);
const base = withGroups(stateOf(entityOf("User", silent, {})), new Map([[listed, [open]]]));

describe("a user has a say in a membership", () => {
  const decides = memberDeclaresEdge(declared, base);
  test.each([
    ["where it lists its groups", listing, [true, true, true]],
    ["where it did, of groups that list no members", listed, [true, false, true]],
    ["not where it never did", silent, [false, false, false]],
  ])("%s", (_, user, expected) => {
    expect([open, closed, unknown].map((group) => decides(memberships, group, user))).toEqual(expected);
  });

  test("only where it lists its groups now, where nobody knows what was declared before", () => {
    const users = [listing, listed, silent];
    expect(users.map((user) => memberDeclaresEdge(declared, undefined)(memberships, open, user))).toEqual([
      true,
      false,
      false,
    ]);
  });
});

test("where only a part is looked at, so are the memberships of its groups, and those in which its users have a say", () => {
  const edges = selectedEdges(new Set([unknown, listed]), declared, base);
  const users = [listing, listed, silent];
  expect([open, closed, unknown].map((group) => edges.isGroup(group))).toEqual([false, false, true]);
  expect(
    [open, closed, unknown].map((group) => users.map((user) => edges.has(memberships, group, user))),
  ).toEqual([
    [false, true, false],
    [false, false, false],
    [true, true, true],
  ]);
});

test("where all is looked at, so are all memberships", () => {
  expect(selectedEdges(undefined, declared, base)).toBe(allEdges);
  expect(allEdges.isGroup(closed)).toBe(true);
  expect(allEdges.has(memberships, closed, silent)).toBe(true);
});

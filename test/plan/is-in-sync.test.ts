import { describe, expect, test } from "vitest";
import { type Entity, type FacetValue, scalarOf, setOf } from "../../src/model/state.ts";
import { ignoring, nothingIgnored } from "../../src/plan/base/ignore.ts";
import { isInSync } from "../../src/plan/in-sync.ts";
import { datasetNamed, entityOf } from "../support/states.ts";

const a = datasetNamed("a");
const [pii, old] = ["urn:li:tag:pii", "urn:li:tag:old"];
const owner = (id: string): { owner: string; type: string } => {
  return { owner: `urn:li:corpuser:${id}`, type: "urn:li:ownershipType:__system__technical_owner" };
};

const asset = (facets: Readonly<Record<string, FacetValue>>): Entity => entityOf("Dataset", a, facets);
const columns = (entries: Readonly<Record<string, FacetValue>>): FacetValue => {
  return { shape: "map", entries: new Map(Object.entries(entries)) };
};

/** The sides of an asset whose columns are written as the catalog names them. */
function sides(declared: Entity, live: Entity, before?: Entity): Parameters<typeof isInSync>[0] {
  return { written: declared, named: declared, live, before };
}

/** What is declared, and what is there. */
const values: readonly (readonly [string, FacetValue, FacetValue, boolean])[] = [
  ["the same value", scalarOf("x"), scalarOf("x"), true],
  ["another value", scalarOf("x"), scalarOf("y"), false],
  ["a value where none is declared", scalarOf(null), scalarOf("y"), false],
  ["a set where a value is declared", scalarOf("x"), setOf(["x"]), false],
  ["a value where a set is declared", setOf([]), scalarOf(null), false],
  ["the same set", setOf([pii, old]), setOf([old, pii]), true],
  ["no set", setOf([]), setOf([]), true],
  ["another element", setOf([pii]), setOf([old]), false],
  ["one element more", setOf([pii]), setOf([pii, old]), false],
  ["one element less", setOf([pii, old]), setOf([pii]), false],
  ["the same owners", setOf([owner("a"), owner("b")]), setOf([owner("b"), owner("a")]), true],
  ["another owner", setOf([owner("a")]), setOf([owner("b")]), false],
  ["a text where an owner is declared", setOf([owner("a")]), setOf(["urn:li:corpuser:a"]), false],
  ["the same tags of columns", columns({ id: setOf([pii]) }), columns({ id: setOf([pii]) }), true],
  [
    "the same beside a column that declares nothing",
    columns({ id: setOf([pii]) }),
    columns({ id: setOf([pii]), email: setOf([old]) }),
    true,
  ],
  ["other tags of a column", columns({ id: setOf([pii]) }), columns({ id: setOf([]) }), false],
  [
    "other tags of a later column",
    columns({ id: setOf([pii]), email: setOf([pii]) }),
    columns({ id: setOf([pii]), email: setOf([old]) }),
    false,
  ],
];

describe("an asset is in sync", () => {
  test.each(values)("or not: %s", (_, declared, live, isSame) => {
    const facets = { domain: scalarOf("d"), tags: declared };

    expect(isInSync(sides(asset(facets), asset({ ...facets, tags: live })), nothingIgnored)).toBe(isSame);
  });

  test.each([
    ["a column without its tags", columns({ id: setOf([pii]) }), columns({})],
    ["no facet", setOf([pii]), undefined],
    ["a set where columns are declared", columns({ id: setOf([pii]) }), setOf([pii])],
  ])("or not: %s", (_, declared, live) => {
    const there = asset(live ? { tags: live } : {});

    expect(isInSync(sides(asset({ tags: declared }), there), nothingIgnored)).toBe(false);
  });

  test("and what it does not declare is not looked at", () => {
    const there = asset({ tags: setOf([pii]), domain: scalarOf("theirs") });

    expect(isInSync(sides(asset({ tags: setOf([pii]) }), there), nothingIgnored)).toBe(true);
  });

  test("one that is not declared is where it was not declared before, either", () => {
    const live = asset({ tags: setOf([pii]) });
    const undeclared = { written: undefined, named: undefined, live };

    expect(isInSync({ ...undeclared, before: undefined }, nothingIgnored)).toBe(true);
    expect(isInSync({ ...undeclared, before: live }, nothingIgnored)).toBe(false);
  });

  // What was declared before, and whether nothing of it is gone.
  test.each<readonly [string, Readonly<Record<string, FacetValue>>, boolean]>([
    ["nothing", {}, true],
    ["another value", { tags: setOf([old]) }, true],
    ["a facet that is not declared any more", { tags: setOf([pii]), domain: scalarOf("d") }, false],
    ["fewer columns", { "columns.tags": columns({ id: setOf([]) }) }, true],
    [
      "a column that is not declared any more",
      { "columns.tags": columns({ id: setOf([]), phone: setOf([]) }) },
      false,
    ],
  ])("and declares all that was declared before: %s", (_, before, expected) => {
    const both = asset({ tags: setOf([pii]), "columns.tags": columns({ id: setOf([]), email: setOf([]) }) });

    expect(isInSync(sides(both, both, asset(before)), nothingIgnored)).toBe(expected);
  });

  test("by the columns that are written, not by the catalog's names for them", () => {
    const path = "[version=2.0].[type=struct].[type=string].email";
    const written = asset({ "columns.tags": columns({ email: setOf([pii]) }) });
    const there = asset({ "columns.tags": columns({ [path]: setOf([pii]) }) });

    expect(isInSync({ written, named: there, live: there, before: written }, nothingIgnored)).toBe(true);
    expect(isInSync({ written, named: there, live: there, before: there }, nothingIgnored)).toBe(false);
  });
});

test.each<readonly [string, FacetValue, FacetValue, boolean]>([
  ["an ignored element is live", setOf([pii]), setOf([pii, old]), true],
  ["an ignored element is declared", setOf([pii, old]), setOf([pii]), true],
  ["another element is live beside it", setOf([pii]), setOf([pii, old, "urn:li:tag:x"]), false],
  ["an element is not live", setOf([pii]), setOf([old]), false],
  ["an ignored value is live", scalarOf("x"), scalarOf(old), true],
  ["an ignored value is declared", scalarOf(old), scalarOf("x"), true],
  ["another value is live", scalarOf("x"), scalarOf("y"), false],
  ["an ignored element is live at a key", columns({ id: setOf([]) }), columns({ id: setOf([old]) }), true],
  ["another element is live at a key", columns({ id: setOf([]) }), columns({ id: setOf([pii]) }), false],
])("ignored values make no difference: %s", (_, declared, live, expected) => {
  const ignored = ignoring([{ value: old, reason: "another tool sets it" }]);

  expect(isInSync(sides(asset({ tags: declared }), asset({ tags: live })), ignored)).toBe(expected);
});

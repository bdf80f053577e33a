import { describe, expect, test } from "vitest";
import type { Mode } from "../../src/model/settings.ts";
import { type Entity, type FacetValue, scalarOf, setOf } from "../../src/model/state.ts";
import { ignoring } from "../../src/plan/adopt/ignore.ts";
import { defaultPolicy } from "../../src/plan/policy.ts";
import { type AssetSides, differs, isAsDeclared } from "../../src/plan/settle.ts";
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
function sides(declared: Entity, there: Entity | undefined, before?: Entity): AssetSides {
  return { declared, named: declared, there, before };
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

describe("an asset is as it is declared", () => {
  test.each(values)("or not: %s", (_, declared, live, isSame) => {
    const facets = { domain: scalarOf("d"), tags: declared };

    expect(isAsDeclared(sides(asset(facets), asset({ ...facets, tags: live })))).toBe(isSame);
  });

  test.each([
    ["a column without its tags", columns({ id: setOf([pii]) }), columns({})],
    ["no facet", setOf([pii]), undefined],
    ["a set where columns are declared", columns({ id: setOf([pii]) }), setOf([pii])],
  ])("or not: %s", (_, declared, live) => {
    const there = asset(live ? { tags: live } : {});

    expect(isAsDeclared(sides(asset({ tags: declared }), there))).toBe(false);
  });

  test("and what it does not declare is not looked at", () => {
    const there = asset({ tags: setOf([pii]), domain: scalarOf("theirs") });

    expect(isAsDeclared(sides(asset({ tags: setOf([pii]) }), there))).toBe(true);
  });

  test.each([
    ["is not declared", { declared: undefined }],
    ["has no columns by the catalog's names", { named: undefined }],
    ["is not there", { there: undefined }],
  ])("only where all is known of it: one that %s is not", (_, missing) => {
    const both = asset({ tags: setOf([pii]) });

    expect(isAsDeclared({ ...sides(both, both), ...missing })).toBe(false);
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

    expect(isAsDeclared(sides(both, both, asset(before)))).toBe(expected);
  });

  test("by the columns that are written, not by the catalog's names for them", () => {
    const path = "[version=2.0].[type=struct].[type=string].email";
    const written = asset({ "columns.tags": columns({ email: setOf([pii]) }) });
    const there = asset({ "columns.tags": columns({ [path]: setOf([pii]) }) });

    expect(isAsDeclared({ declared: written, named: there, there, before: written })).toBe(true);
    expect(isAsDeclared({ declared: written, named: there, there, before: there })).toBe(false);
  });
});

describe("an asset is certain to change", () => {
  test.each(values)("or not: %s", (_, declared, live, isSame) => {
    const facets = { domain: scalarOf("d"), tags: declared };

    expect(differs(sides(asset(facets), asset({ ...facets, tags: live })), defaultPolicy)).toBe(!isSame);
  });

  test.each<readonly [string, Partial<Record<string, Mode>>, boolean]>([
    ["all of it is ours", {}, true],
    ["others may add to it", { tags: "additive" }, false],
    ["it is merged", { tags: "merge" }, false],
    ["others may add to another facet", { domain: "additive" }, true],
  ])("only where %s", (_, modes, expected) => {
    const [declared, there] = [asset({ tags: setOf([pii]) }), asset({ tags: setOf([old]) })];

    expect(differs(sides(declared, there), { ...defaultPolicy, modes })).toBe(expected);
  });

  test("by a facet that is ours, behind one that is not", () => {
    const declared = asset({ tags: setOf([pii]), domain: scalarOf("ours") });
    const there = asset({ tags: setOf([]), domain: scalarOf("theirs") });

    expect(differs(sides(declared, there), { ...defaultPolicy, modes: { tags: "merge" } })).toBe(true);
  });

  test("not where anything is ignored: that may be what differs", () => {
    const [declared, there] = [asset({ tags: setOf([pii]) }), asset({ tags: setOf([old]) })];
    const ignored = ignoring([{ facet: "owners", reason: "they are kept by hand" }]);

    expect(differs(sides(declared, there), { ...defaultPolicy, ignored })).toBe(false);
  });

  test("not where it is not known how", () => {
    const one = asset({ tags: setOf([pii]) });

    expect(differs(sides(one, undefined), defaultPolicy)).toBe(false);
    expect(differs({ ...sides(one, asset({})), named: undefined }, defaultPolicy)).toBe(false);
  });
});

import { describe, expect, test } from "vitest";
import { kinds } from "../../../src/kinds/index.ts";
import type { ListFilter } from "../../../src/model/listing.ts";
import { type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import {
  hasValue,
  isDeclaredOf,
  isNamed,
  kindsIn,
  listingFilter,
  placedValuesIn,
  valuesIn,
} from "../../../src/plan/listing/filter.ts";
import { where } from "../../support/assets.ts";
import { urn } from "../../support/states.ts";
import { filterOf, listed } from "./listed.ts";

/** The texts of one option of a facet. */
function values(
  facet: string,
  options: Readonly<Record<string, readonly string[]>>,
): Pick<ListFilter, "values"> {
  return { values: new Map([[facet, new Map(Object.entries(options))]]) };
}

const ownedBy = (id: string, type: string): { readonly owner: string; readonly type: string } => {
  return { owner: `urn:li:corpuser:${id}`, type: `urn:li:ownershipType:__system__${type.toLowerCase()}` };
};

describe("the kinds of which some entities can be listed", () => {
  const kindsOf = (more: Partial<ListFilter>): readonly string[] =>
    kindsIn(filterOf(more)).map(({ name }) => name);

  test("are all where nothing is asked for", () => {
    expect(kindsOf({})).toEqual(kinds.map(({ name }) => name));
    expect(kindsOf({ conditions: [where("name", "x")] })).toEqual(kindsOf({}));
  });

  test.each<readonly [string, Partial<ListFilter>, readonly string[]]>([
    ["those that are named", { kinds: ["Tag", "Dataset"] }, ["Tag", "Dataset"]],
    ["those with columns", { byColumn: true }, ["Dataset"]],
    [
      "those with the keys of all conditions",
      { conditions: [where("flow", "x"), where("name", "x")] },
      ["DataJob"],
    ],
    [
      "those with a facet that is missing",
      { missing: ["domain"], kinds: ["Tag", "DataProduct"] },
      ["DataProduct"],
    ],
    [
      "those with all facets of which there is a value",
      { ...values("tags", { tag: ["x"] }), missing: ["owners"], kinds: ["Domain", "DataProduct", "Chart"] },
      ["DataProduct", "Chart"],
    ],
    ["none where nothing is left", { kinds: [] }, []],
  ])("are %s", (_, filter, names) => {
    expect([...kindsOf(filter)].toSorted()).toEqual(names.toSorted());
  });

  test("are not known of a facet that cannot be listed", () => {
    expect(() => kindsOf({ missing: ["links"] })).toThrow("unknown listed facet: links");
  });
});

describe("an entity is listed", () => {
  const table = listed({
    domain: scalarOf("urn:li:domain:finance"),
    owners: setOf([ownedBy("ann", "DATA_STEWARD"), ownedBy("bob", "TECHNICAL_OWNER")]),
    description: { ...scalarOf(null), fallback: "Ingested." },
    tags: setOf([]),
    structured_properties: {
      shape: "map",
      entries: new Map([["urn:li:structuredProperty:retention", setOf([90])]]),
    },
  });

  test.each<readonly [string, Partial<ListFilter>, boolean]>([
    ["where nothing is asked for", {}, true],
    ["by the id of a value", values("domain", { domain: ["sales", "fin*"] }), true],
    ["by the URN of a value", values("domain", { domain: ["urn:li:domain:finance"] }), true],
    ["by no other text of a value", values("domain", { domain: ["sales"] }), false],
    ["by no value of a facet without one", values("tags", { tag: ["*"] }), false],
    ["by no value of a facet that was not read", values("glossary_terms", { term: ["*"] }), false],
    ["by one owner with a type", values("owners", { owner: ["ann"], type: ["DATA_STEWARD"] }), true],
    [
      "by no owner with the type of another",
      values("owners", { owner: ["bob"], type: ["DATA_STEWARD"] }),
      false,
    ],
    ["by a property with a value", values("structured_properties", { property: ["retention=90"] }), true],
    [
      "by no property with another value",
      values("structured_properties", { property: ["retention=30"] }),
      false,
    ],
    ["where facets are missing", { missing: ["tags", "glossary_terms"] }, true],
    ["where one of them is missing", { missing: ["tags", "domain"] }, true],
    ["not where all of them are there", { missing: ["owners", "domain"] }, false],
    ["not where the catalog shows an ingested value", { missing: ["description"] }, false],
    ["where it is not declared", { isDeclared: false }, true],
    ["not where it should be declared", { isDeclared: true }, false],
  ])("%s", (_, filter, isListed) => {
    expect(listingFilter(filterOf(filter))(table)).toBe(isListed);
  });

  test("where all values that are asked for are there", () => {
    const both = (tag: string): Partial<ListFilter> => ({
      values: new Map([
        ["domain", new Map([["domain", ["finance"]]])],
        ["tags", new Map([["tag", [tag]]])],
      ]),
    });
    const tagged = {
      ...table,
      facets: new Map([...table.facets, ["tags", setOf(["urn:li:tag:pii"])] as const]),
    };
    expect(["pii", "old"].map((tag) => listingFilter(filterOf(both(tag)))(tagged))).toEqual([true, false]);
  });
});

test("an entity is declared by documents, or by rules", () => {
  const by = (documents: boolean, rules: boolean): boolean =>
    isDeclaredOf({ declaredBy: { documents, rules } });
  expect([by(false, false), by(true, false), by(false, true), by(true, true)]).toEqual([
    false,
    true,
    true,
    true,
  ]);
  const isDeclared = listingFilter(filterOf({ isDeclared: true }));
  expect(isDeclared(listed({}, { declaredBy: { documents: false, rules: true } }))).toBe(true);
});

test("an entity without the keys of assets is found by its name and its id alone", () => {
  const tag = { urn: urn("urn:li:tag:pii"), name: "Personal" };
  const isFound = (...conditions: ListFilter["conditions"]): boolean =>
    isNamed(tag.urn, tag.name, filterOf({ conditions }));
  expect(isFound()).toBe(true);
  expect(isFound(where("name", "Pers*"))).toBe(true);
  expect(isFound(where("name", "x", "pii"))).toBe(true);
  expect(isFound(where("name", "Pers*"), where("name", "pii"))).toBe(true);
  expect(isFound(where("name", "Pers*"), where("name", "x"))).toBe(false);
  expect(isFound(where("urn", "*"))).toBe(false);
});

describe("the values of a facet", () => {
  const map: FacetValue = {
    shape: "map",
    entries: new Map<string, FacetValue>([
      ["a", setOf([1, 2])],
      ["b", scalarOf("x")],
      ["c", scalarOf(null)],
    ]),
  };
  const fallback = (text: string): FacetValue => ({ ...scalarOf(null), fallback: text });

  test.each<readonly [string, FacetValue | undefined, readonly unknown[], boolean]>([
    ["that was not read", undefined, [], false],
    ["that is unset", scalarOf(null), [], false],
    ["that is blank", scalarOf(" \n"), [], false],
    ["that is false", scalarOf(false), [[[], false]], true],
    ["that is a text", scalarOf(" x "), [[[], " x "]], true],
    ["that is an empty set", setOf([]), [], false],
    [
      "that is a set",
      setOf(["a", "b"]),
      [
        [[], "a"],
        [[], "b"],
      ],
      true,
    ],
    [
      "that is a map",
      map,
      [
        [["a"], 1],
        [["a"], 2],
        [["b"], "x"],
      ],
      true,
    ],
    ["that ingestion wrote", fallback("x"), [], true],
    ["that ingestion left blank", fallback(" "), [], false],
  ])("%s", (_, value, placed, has) => {
    expect(placedValuesIn(value)).toEqual(placed);
    expect(valuesIn(value)).toEqual(placedValuesIn(value).map(([, each]) => each));
    expect(hasValue(value)).toBe(has);
  });
});

import { describe, expect, test } from "vitest";
import type { Coverage, ListedEntity } from "../../../src/model/listing.ts";
import { scalarOf, setOf } from "../../../src/model/state.ts";
import { comparedCoverage, countCoverage, groupingNames } from "../../../src/plan/listing/coverage.ts";
import { urn } from "../../support/states.ts";
import { listed } from "./listed.ts";

const of = { target: "http://a", createdAt: "2026-11-28T00:00:00.000Z" };
const owner = (id: string): { readonly owner: string; readonly type: string } => {
  return { owner: `urn:li:corpuser:${id}`, type: "urn:li:ownershipType:__system__data_steward" };
};

/** The coverage of some entities. */
function coverageOf(by: string, ...entities: readonly ListedEntity[]): Coverage {
  const count = countCoverage(by);
  for (const entity of entities) count.add(entity);
  return count.result(of);
}

/** The groups that these entities make, and how many are in each. */
function groupsBy(by: string, ...entities: readonly ListedEntity[]): readonly string[] {
  return coverageOf(by, ...entities).groups.map(({ key, assets }) => `${key} ${assets}`);
}

const tables = [
  listed({ domain: scalarOf("urn:li:domain:a"), owners: setOf([owner("ann"), owner("bob")]) }),
  listed(
    { description: { ...scalarOf(null), fallback: "x" } },
    { declaredBy: { documents: true, rules: true } },
  ),
  listed({ tags: setOf(["urn:li:tag:a"]) }, { declaredBy: { documents: true, rules: false } }),
  listed({ owners: setOf([]) }, { kind: "Chart", declaredBy: { documents: false, rules: true } }),
] as const;

test("of each group, and of all, it is counted what is declared, and what has a value of which facet", () => {
  expect(coverageOf("kind", ...tables)).toMatchInlineSnapshot(`
    {
      "by": "kind",
      "createdAt": "2026-11-28T00:00:00.000Z",
      "groups": [
        {
          "assets": 3,
          "declared": 2,
          "documents": 2,
          "facets": Map {
            "domain" => 1,
            "owners" => 1,
            "tags" => 1,
            "glossary_terms" => 0,
            "description" => 1,
          },
          "key": "Dataset",
          "rules": 1,
        },
        {
          "assets": 1,
          "declared": 1,
          "documents": 0,
          "facets": Map {
            "domain" => 0,
            "owners" => 0,
            "tags" => 0,
            "glossary_terms" => 0,
            "description" => 0,
          },
          "key": "Chart",
          "rules": 1,
        },
      ],
      "policies": [],
      "target": "http://a",
      "total": {
        "assets": 4,
        "declared": 3,
        "documents": 2,
        "facets": Map {
          "domain" => 1,
          "owners" => 1,
          "tags" => 1,
          "glossary_terms" => 0,
          "description" => 1,
        },
        "rules": 2,
      },
    }
  `);
});

describe("assets are grouped", () => {
  const platform = "snowflake";
  const within = urn("urn:li:container:c");
  test.each<readonly [string, readonly ListedEntity[], readonly string[]]>([
    ["kind", [tables[3], tables[0], tables[1]], ["Dataset 2", "Chart 1"]],
    ["platform", [listed({}, { platform }), listed()], [" 1", "urn:li:dataPlatform:snowflake 1"]],
    ["container", [listed({}, { within }), listed()], [" 1", "urn:li:container:c 1"]],
    ["domain", [tables[1], tables[0], tables[2]], [" 2", "urn:li:domain:a 1"]],
    ["owner", [tables[0], tables[0], tables[1]], ["urn:li:corpuser:ann 2", "urn:li:corpuser:bob 2", " 1"]],
  ])("by %s, the largest group first", (by, entities, groups) => {
    expect(groupsBy(by, ...entities)).toEqual(groups);
  });

  test("by an owner once, whatever types they have", () => {
    const types = ["a", "b"].map((type) => ({ ...owner("ann"), type: `urn:li:ownershipType:${type}` }));
    expect(groupsBy("owner", listed({ owners: setOf(types) }))).toEqual(["urn:li:corpuser:ann 1"]);
  });

  test("by nothing else", () => {
    expect(groupingNames).toEqual(["kind", "platform", "domain", "owner", "container"]);
    expect(() => countCoverage("tag")).toThrow("coverage cannot be grouped by tag");
  });
});

const policiesOf = (...all: readonly (readonly [id: string, matched: number, passes: number])[]) =>
  all.map(([id, matched, passes]) => ({ id, matched, passes }));

test("verdicts are added up by policy, in the order of their ids", () => {
  const count = countCoverage("kind");
  count.judged(policiesOf(["b", 2, 1]));
  count.judged(policiesOf(["a", 5, 4], ["b", 10, 9]));
  expect(count.result(of).policies).toEqual(policiesOf(["a", 5, 4], ["b", 12, 10]));
});

test("a difference has each group of either time, with nothing in those that are gone", () => {
  const [first, second, third] = tables;
  const domain = (id: string): ListedEntity => ({
    ...first,
    facets: new Map([["domain", scalarOf(`urn:li:domain:${id}`)]]),
  });
  const since = "2026-11-01T00:00:00.000Z";
  const base: Coverage = {
    ...coverageOf("domain", domain("gone"), third, tables[3]),
    createdAt: since,
    policies: policiesOf(["a", 5, 4], ["gone", 1, 1]),
  };
  const now: Coverage = {
    ...coverageOf("domain", domain("new"), second, second, third),
    policies: policiesOf(["a", 7, 3], ["new", 2, 1]),
  };
  const { groups, difference, ...others } = comparedCoverage(now, base);
  const { groups: own, ...same } = now;
  expect(others).toEqual(same);
  const noFacets = new Map([...now.total.facets.keys()].map((facet) => [facet, 0]));
  const none = { assets: 0, declared: 0, documents: 0, rules: 0, facets: noFacets };
  expect(groups).toEqual([...own, { key: "urn:li:domain:gone", ...none }]);
  expect(difference).toMatchInlineSnapshot(`
    {
      "groups": [
        {
          "assets": 1,
          "declared": 1,
          "documents": 2,
          "facets": Map {
            "domain" => 0,
            "owners" => 0,
            "tags" => 0,
            "glossary_terms" => 0,
            "description" => 2,
          },
          "key": "",
          "rules": 1,
        },
        {
          "assets": 1,
          "declared": 0,
          "documents": 0,
          "facets": Map {
            "domain" => 1,
            "owners" => 0,
            "tags" => 0,
            "glossary_terms" => 0,
            "description" => 0,
          },
          "key": "urn:li:domain:new",
          "rules": 0,
        },
        {
          "assets": -1,
          "declared": 0,
          "documents": 0,
          "facets": Map {
            "domain" => -1,
            "owners" => 0,
            "tags" => 0,
            "glossary_terms" => 0,
            "description" => 0,
          },
          "key": "urn:li:domain:gone",
          "rules": 0,
        },
      ],
      "policies": [
        {
          "id": "a",
          "matched": 2,
          "passes": -1,
        },
      ],
      "since": "2026-11-01T00:00:00.000Z",
      "total": {
        "assets": 1,
        "declared": 1,
        "documents": 2,
        "facets": Map {
          "domain" => 0,
          "owners" => 0,
          "tags" => 0,
          "glossary_terms" => 0,
          "description" => 2,
        },
        "rules": 1,
      },
    }
  `);
});

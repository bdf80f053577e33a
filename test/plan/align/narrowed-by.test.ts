import { describe, expect, test } from "vitest";
import { type Entity, scalarOf, setOf } from "../../../src/model/state.ts";
import { isInOneOf, matching, nameOf, narrowedBy, type Narrowing } from "../../../src/plan/align/select.ts";
import { datasetNamed, entityOf, urn } from "../../support/states.ts";

const [finance, sales] = [urn("urn:li:domain:finance"), urn("urn:li:domain:sales")];

const entities: readonly Entity[] = [
  entityOf("Dataset", datasetNamed("db.orders"), { domain: scalarOf(finance), description: scalarOf(sales) }),
  entityOf("Dataset", datasetNamed("db.users"), { domain: scalarOf(null) }),
  entityOf("Chart", urn("urn:li:chart:(looker,db.orders)"), { domain: scalarOf(sales) }),
  entityOf("Chart", urn("urn:li:chart:(superset,c)"), { domain: setOf([finance]) }),
  entityOf("Tag", urn("urn:li:tag:db.orders"), {}),
];

const [orders, users, looker, superset, tag] = entities.map((entity) => entity.urn);

describe("a selection", () => {
  test.each<readonly [string, Narrowing, readonly (string | undefined)[]]>([
    [
      "of targets has what a pattern matches",
      { targets: ["db.o*", "*superset*"] },
      [orders, looker, superset, tag],
    ],
    ["of complete URNs has these", { targets: ["urn:li:tag:*"] }, [tag]],
    ["of kinds has the entities of these kinds", { kinds: ["Tag", "Chart"] }, [looker, superset, tag]],
    ["of platforms has only their assets", { platforms: ["snowflake", "looker"] }, [orders, users, looker]],
    ["of domains has only the assets in one of them", { domains: [finance, sales] }, [orders, looker]],
    ["of domains has not what names one otherwise", { domains: [sales] }, [looker]],
    ["by several has what all of them match", { kinds: ["Dataset"], targets: ["*orders*"] }, [orders]],
    ["of no kind, platform or domain has nothing", { kinds: [] }, []],
    ["of no target has nothing", { targets: [] }, []],
  ])("%s", (_, narrowing, selected) => {
    const isSelected = narrowedBy(narrowing);
    expect(entities.filter((entity) => isSelected?.(entity)).map((entity) => entity.urn)).toEqual(selected);
  });

  test("is none where nothing narrows it", () => {
    expect(narrowedBy({})).toBeUndefined();
    expect(narrowedBy({ targets: undefined, kinds: undefined })).toBeUndefined();
  });
});

test("an asset is in a domain where its own is that one, and in none of none", () => {
  const isIn = (...domains: Parameters<typeof isInOneOf>[1]): readonly boolean[] =>
    entities.map((entity) => isInOneOf(entity, domains));

  expect(isIn(finance)).toEqual([true, false, false, false, false]);
  expect(isIn()).toEqual([false, false, false, false, false]);
});

test("an entity is called by its id, an asset by its name", () => {
  expect(entities.map((entity) => nameOf(entity.urn))).toEqual([
    "db.orders",
    "db.users",
    "db.orders",
    "c",
    "db.orders",
  ]);
});

test("a pattern with `urn:` matches no names", () => {
  const odd = urn("urn:li:tag:a urn: b");
  expect([odd].filter(matching(["a urn: b"]))).toEqual([]);
  expect([odd].filter(matching(["*a urn: b"]))).toEqual([odd]);
  expect([odd].filter(matching(["a *: b"]))).toEqual([odd]);
});

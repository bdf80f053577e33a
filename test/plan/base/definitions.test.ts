import { describe, expect, test } from "vitest";
import { type FacetValue, type KindName, scalarOf, setOf, stateOver } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import {
  createdIn,
  definitionsIn,
  isDefinition,
  isReferenceable,
  isRemovedDefinition,
  withBlanks,
  withImplied,
} from "../../../src/plan/base/definitions.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const a = datasetNamed("a");
const [tag, domain] = [urn("urn:li:tag:dbt:t"), urn("urn:li:domain:d")];
const [user, group] = [urn("urn:li:corpuser:u"), urn("urn:li:corpGroup:g")];
const origin = { file: "catalog/a.yaml", line: 4, column: 1 };

type Facets = Readonly<Record<string, FacetValue>>;

describe("what need not be written", () => {
  // A kind and its URN, whether it is new, what is declared, what is declared then.
  test.each<readonly [KindName, Urn, boolean, Facets, Facets]>([
    ["Tag", tag, false, {}, { removed: scalarOf(false, origin) }],
    ["Tag", tag, true, {}, { removed: scalarOf(false, origin), name: scalarOf("dbt:t", origin) }],
    [
      "Tag",
      tag,
      true,
      { name: scalarOf("T"), description: scalarOf("x") },
      { removed: scalarOf(false, origin), name: scalarOf("T"), description: scalarOf("x") },
    ],
    [
      "Tag",
      urn("urn:li:tag:x %28y%29%2C z"),
      true,
      {},
      { removed: scalarOf(false, origin), name: scalarOf("x (y), z", origin) },
    ],
    ["Domain", domain, false, { description: scalarOf("x") }, { description: scalarOf("x") }],
    ["Domain", domain, true, {}, { name: scalarOf("d", origin) }],
    ["User", user, true, {}, { removed: scalarOf(false, origin) }],
    ["Group", group, true, {}, { removed: scalarOf(false, origin), incomplete: scalarOf(false, origin) }],
    ["Dataset", a, true, { tags: setOf([]) }, { tags: setOf([]) }],
  ])("of a %s %s that is new (%j) and declares %j is %j", (kind, of, isNew, declared, expected) => {
    const entity = { ...entityOf(kind, of, declared), origin };

    const state = withImplied(stateOf(entity), new Set(isNew ? [of] : []));

    expect([...state.keys()]).toEqual([of]);
    expect(state.get(of)).toEqual({ ...entity, facets: new Map(Object.entries(expected)) });
  });
});

test("an entity of which all is written, or of which nothing else is implied, is as it is declared", () => {
  const written = entityOf("Tag", tag, { removed: scalarOf(false), name: scalarOf("T") });
  const asset = entityOf("Dataset", a, {});

  const state = withImplied(stateOf(written, asset), new Set([tag, a]));

  expect(state.get(tag)).toBe(written);
  expect(state.get(a)).toBe(asset);
});

test("created are the definitions that are declared and not there", () => {
  const other = urn("urn:li:tag:there");
  const desired = stateOf(entityOf("Tag", tag, {}), entityOf("Tag", other, {}), entityOf("Dataset", a, {}));
  const missing = new Map([tag, a, domain].map((of) => [of, "absent"]));

  expect([...createdIn(desired, missing)]).toEqual([tag]);
});

test("what is to be created stands in live state with nothing in it, beside what is there", () => {
  const there = entityOf("Dataset", a, { tags: setOf(["x"]) });
  const desired = stateOf(entityOf("Tag", tag, { name: scalarOf("T") }), entityOf("Group", group, {}));

  const state = withBlanks(stateOf(there), desired, new Set([tag, group, domain]));

  expect([...state.keys()]).toEqual([a, tag, group]);
  expect(state.get(a)).toBe(there);
  expect(state.get(tag)).toEqual(
    entityOf("Tag", tag, {
      owners: setOf([]),
      name: scalarOf(null),
      description: scalarOf(null),
      color_hex: scalarOf(null),
      removed: scalarOf(false),
    }),
  );
  expect(state.get(group)?.facets.get("members")).toEqual(setOf([]));
});

describe("a live definition", () => {
  // What of it says that it is soft-deleted, whether it can be referred to.
  test.each<readonly [string, KindName, Urn, Facets, boolean]>([
    ["that is there", "Tag", tag, { removed: scalarOf(false), name: scalarOf("T") }, true],
    ["that is soft-deleted", "Tag", tag, { removed: scalarOf(true), name: scalarOf("T") }, false],
    ["of which nobody knows whether it is soft-deleted", "Tag", tag, { name: scalarOf("T") }, false],
    ["that says so in another shape", "Tag", tag, { removed: setOf([]) }, false],
    ["that cannot be soft-deleted", "Domain", domain, {}, true],
  ])("%s: whether it can be referred to", (_, kind, of, facets, expected) => {
    expect(isReferenceable(entityOf(kind, of, facets))).toBe(expected);
  });

  test("that is not there cannot be referred to", () => {
    expect(isReferenceable(undefined)).toBe(false);
  });
});

test("what has a value for each column starts without a column", () => {
  const state = withBlanks(stateOf(), stateOf(entityOf("Dataset", a, {})), new Set([a]));

  expect(state.get(a)?.facets.get("columns.tags")).toEqual({ shape: "map", entries: new Map() });
});

test("the definitions of a state are found without a look at its assets, or at what no manifest can declare", () => {
  const other = urn("urn:li:dataJob:(urn:li:dataFlow:(airflow,f,PROD),j)");
  const entities = new Map([tag, domain].map((of) => [of, entityOf("Tag", of, {})]));
  const state = stateOver(new Map(), new Map([a, tag, other, domain].map((of) => [of, of])), (of) => {
    const entity = entities.get(of);
    if (!entity) throw new Error(`${of} was looked at`);
    return entity;
  });

  expect(definitionsIn(state)).toEqual(entities);
});

test.each([
  ["a definition", tag, true],
  ["an asset", a, false],
  ["what no manifest can declare", urn("urn:li:dataFlow:(airflow,f,PROD)"), false],
  ["what is not in the state", domain, false],
])("of %s it is known whether it is a definition of the state", (_, of, expected) => {
  expect(isDefinition(stateOf(entityOf("Tag", tag, {}), entityOf("Dataset", a, {})), of)).toBe(expected);
});

test.each<readonly [string, KindName, Facets, boolean]>([
  ["that is there", "Tag", { removed: scalarOf(false), name: scalarOf("T") }, false],
  ["that is soft-deleted", "Tag", { name: scalarOf("T"), removed: scalarOf(true) }, true],
  ["that says so in another shape", "Tag", { removed: setOf([]) }, false],
  ["of which nothing is said of it", "Tag", {}, false],
  ["with another name than its id", "Domain", { name: scalarOf("Sales") }, false],
  ["that is incomplete", "Group", { removed: scalarOf(false), incomplete: scalarOf(true) }, true],
  ["that is an asset", "Dataset", { removed: scalarOf(true) }, false],
])("an entity %s: whether it is a definition that is soft-deleted", (_, kind, facets, expected) => {
  expect(isRemovedDefinition(entityOf(kind, tag, facets))).toBe(expected);
});

import { describe, expect, test } from "vitest";
import { type FacetValue, type KindName, scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { createdIn, isDefinition, withBlanks, withImplied } from "../../../src/plan/sides/definitions.ts";
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
    ["Domain", domain, false, { description: scalarOf("x") }, { description: scalarOf("x") }],
    ["Domain", domain, true, {}, { name: scalarOf("d", origin) }],
    ["User", user, true, {}, { removed: scalarOf(false, origin) }],
    ["Group", group, true, {}, { removed: scalarOf(false, origin) }],
    ["Dataset", a, true, { tags: setOf([]) }, { tags: setOf([]) }],
  ])("of a %s %s that is new (%j) and declares %j is %j", (kind, of, isNew, declared, expected) => {
    const entity = { ...entityOf(kind, of, declared), origin };

    const state = withImplied(stateOf(entity), new Set(isNew ? [of] : []));

    expect([...state.keys()]).toEqual([of]);
    expect(state.get(of)).toEqual({ ...entity, facets: new Map(Object.entries(expected)) });
  });
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

test.each([
  ["a definition", tag, true],
  ["an asset", a, false],
  ["what is not in the state", domain, false],
])("of %s it is known whether it is a definition of the state", (_, of, expected) => {
  expect(isDefinition(stateOf(entityOf("Tag", tag, {}), entityOf("Dataset", a, {})), of)).toBe(expected);
});

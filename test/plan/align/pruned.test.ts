import { describe, expect, test } from "vitest";
import { type FacetValue, scalarOf, setOf, type SetValue } from "../../../src/model/state.ts";
import { ignoring, nothingIgnored } from "../../../src/plan/base/ignore.ts";
import { withPruned } from "../../../src/plan/align/pruned.ts";
import { datasetNamed, entityOf, stateOf } from "../../support/states.ts";

type Facets = Readonly<Record<string, FacetValue>>;

const a = datasetNamed("a");
const origin = { file: "catalog/a.yaml", line: 3, column: 1 };
const emptied = (value: FacetValue) => ({ ...value, mode: "merge", isPruned: true });

function columns(entries: Readonly<Record<string, SetValue>>): FacetValue {
  return { shape: "map", entries: new Map(Object.entries(entries)) };
}

function pruned(before: Facets, live: Facets | undefined, now?: Facets, ignored = nothingIgnored) {
  const of = (facets: Facets | undefined) => stateOf(...(facets ? [entityOf("Dataset", a, facets)] : []));
  const entity = withPruned(of(now), of(live), of(before), ignored).get(a);
  return entity && Object.fromEntries(entity.facets);
}

const tags = setOf(["x", "y"], origin);
const none = emptied(setOf([], origin));

describe("a facet that base declared and nobody declares any more", () => {
  test.each<readonly [string, Facets, Facets | undefined, Facets | undefined, object | undefined]>([
    [
      "is emptied where values of base are left",
      { tags },
      { tags: setOf(["x", "other"]) },
      {},
      { tags: none },
    ],
    ["also of an entity that nobody declares", { tags }, { tags }, undefined, { tags: none }],
    ["stays where only values of others are left", { tags }, { tags: setOf(["other"]) }, {}, {}],
    ["stays where nothing is left", { tags }, { tags: setOf([]) }, {}, {}],
    ["brings no entity back where nothing is left", { tags }, { tags: setOf([]) }, undefined, undefined],
    ["stays where it is declared", { tags }, { tags }, { tags: setOf(["y"]) }, { tags: setOf(["y"]) }],
    ["stays of an entity that is gone", { tags }, undefined, {}, {}],
    [
      "is unset where it is base's single value",
      { domain: scalarOf("d", origin) },
      { domain: scalarOf("d") },
      {},
      { domain: emptied(scalarOf(null, origin)) },
    ],
    ["stays where somebody set another value", { domain: scalarOf("d") }, { domain: scalarOf("e") }, {}, {}],
    ["stays where base unset it", { domain: scalarOf(null) }, { domain: scalarOf(null) }, {}, {}],
    ["stays where it always has a value", { name: scalarOf("n") }, { name: scalarOf("n") }, {}, {}],
    ["stays where nobody can declare it", { removed: scalarOf(true) }, { removed: scalarOf(true) }, {}, {}],
    ["is left to memberships", { members: setOf(["u"]) }, { members: setOf(["u"]) }, {}, {}],
  ])("%s", (_, before, live, now, expected) => {
    expect(pruned(before, live, now)).toEqual(expected);
  });

  test("keeps values that a rule ignores, and is emptied because of the others", () => {
    const rules = ignoring([{ facet: "tags", value: "x", reason: "kept" }]);
    expect(pruned({ tags: setOf(["x"]) }, { tags: setOf(["x"]) }, {}, rules)).toEqual({});
    expect(pruned({ tags }, { tags }, {}, rules)).toEqual({ tags: none });
  });
});

test("columns are emptied one by one, and those that are declared stay as they are", () => {
  const before = { "columns.tags": columns({ id: tags, email: tags, gone: tags, amount: tags }) };
  const live = { "columns.tags": columns({ id: tags, email: tags, amount: setOf(["other"]) }) };
  const now = { "columns.tags": columns({ email: setOf([]) }) };

  expect(pruned(before, live, now)).toEqual({
    "columns.tags": columns({ email: setOf([]), id: none as SetValue }),
  });
  expect(pruned(before, { "columns.tags": columns({}) }, {})).toEqual({});
  expect(pruned(before, { "columns.tags": scalarOf(null) }, {})).toEqual({});
  expect(pruned(before, {}, {})).toEqual({});
});

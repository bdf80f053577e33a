import { describe, expect, test } from "vitest";
import type { FacetChange, ScalarChange } from "../../../src/model/change.ts";
import type { ExplainedFacet } from "../../../src/model/explanation.ts";
import { type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import { ignoring, nothingIgnored } from "../../../src/plan/base/ignore.ts";
import { explainedFacets, liveValues, type Sides } from "../../../src/plan/explain/explained-facets.ts";
import { columnTagged, originOf, ruleOf } from "../../support/assets.ts";
import { datasetNamed, entityOf, urn } from "../../support/states.ts";

type Facets = Readonly<Record<string, FacetValue>>;

const table = datasetNamed("orders");
const [pii, old] = [urn("urn:li:tag:pii"), urn("urn:li:tag:old")];
const source = originOf("doc");
const property = (id: string): string => `urn:li:structuredProperty:${id}`;
const map = (entries: Facets): FacetValue => ({ shape: "map", entries: new Map(Object.entries(entries)) });

/** What is declared of a table, and what it has. */
function sidesOf(desired: Facets, live: Facets, more: Partial<Sides> = {}): Sides {
  return {
    desired: entityOf("Dataset", table, desired),
    live: entityOf("Dataset", table, live),
    changes: [],
    rules: [],
    modes: {},
    modePlaces: [],
    ignored: nothingIgnored,
    writerOf: () => ({}),
    ...more,
  };
}

/** What is explained of the one facet that is declared or has a value. */
function only(...sides: Parameters<typeof sidesOf>): ExplainedFacet | undefined {
  const all = explainedFacets(sidesOf(...sides));
  expect(all.length).toBeLessThanOrEqual(1);
  return all[0];
}

const change = (more: Partial<ScalarChange>): FacetChange => {
  const domain = { facet: "domain", before: null, after: null, fingerprint: "" };
  return { action: "update", shape: "scalar", kind: "Dataset", urn: table, ...domain, ...more };
};

const byDefault = { mode: "authoritative", from: "default" };

describe("which places are explained", () => {
  test("those that are declared or have a value", () => {
    const sides = sidesOf(
      { tags: setOf([]), "columns.tags": map({ b: setOf([pii]) }) },
      {
        domain: scalarOf(null),
        owners: setOf(["a"]),
        "columns.tags": map({ a: setOf([old]), b: setOf([]), c: setOf([]) }),
        "columns.structured_properties": map({ a: map({ [property("x")]: setOf([1]) }) }),
      },
    );
    expect(explainedFacets(sides).map(({ facet, path }) => [facet, path])).toEqual([
      ["owners", undefined],
      ["tags", undefined],
      ["columns.tags", ["b"]],
      ["columns.tags", ["a"]],
      ["columns.structured_properties", ["a", property("x")]],
    ]);
  });

  test("what no manifest can declare is none of them", () => {
    const product = entityOf("DataProduct", urn("urn:li:dataProduct:p"), { removed: scalarOf(true) });
    expect(explainedFacets(sidesOf({}, {}, { desired: product, live: product }))).toEqual([]);
  });

  test("of a column all that it can have, and what it has below other keys", () => {
    const below = { a: map({ [property("x")]: setOf([1]) }), b: map({ [property("y")]: setOf([2]) }) };
    const sides = sidesOf({ domain: scalarOf("x") }, { "columns.structured_properties": map(below) });
    expect(explainedFacets(sides, "a")).toEqual([
      { facet: "columns.tags", path: ["a"], live: [] },
      { facet: "columns.glossary_terms", path: ["a"], live: [] },
      { facet: "columns.description", path: ["a"], live: [] },
      { facet: "columns.structured_properties", path: ["a", property("x")], live: [{ value: 1 }] },
    ]);
  });

  test("of what the catalog does not have what is declared", () => {
    const sides = sidesOf({ domain: scalarOf("x") }, {}, { live: undefined });
    expect(explainedFacets(sides)).toEqual([
      { facet: "domain", mode: byDefault, desired: [{ value: "x", declaredBy: [{}] }], live: [] },
    ]);
  });
});

describe("what is declared", () => {
  test.each<readonly [string, FacetValue, ExplainedFacet["desired"]]>([
    ["a value with its place", scalarOf("x", source), [{ value: "x", declaredBy: [{ source }] }]],
    ["a value that is unset", scalarOf(null, source), [{ value: null, declaredBy: [{ source }] }]],
    ["an empty set", setOf([], source), []],
    [
      "elements, each with all that declare it",
      {
        ...setOf(["a", "b", { owner: "c" }]),
        by: [
          { rule: "r", origin: originOf("r"), values: ["a", { owner: "c" }] },
          { origin: source, values: ["a", "z"] },
          { rule: "s", values: ["b"] },
        ],
      },
      [
        { value: "a", declaredBy: [{ rule: "r", source: originOf("r") }, { source }] },
        { value: "b", declaredBy: [{ rule: "s" }] },
        { value: { owner: "c" }, declaredBy: [{ rule: "r", source: originOf("r") }] },
      ],
    ],
  ])("%s", (_, value, desired) => {
    const facet = value.shape === "set" ? "tags" : "domain";
    expect(only({ [facet]: value }, {})).toEqual({ facet, mode: byDefault, desired, live: [] });
  });

  test("single values of rules that another one wins over are overruled", () => {
    const rules = [
      ruleOf("same", { facets: new Map([["domain", scalarOf("x", originOf("same"))]]) }),
      ruleOf("other", { facets: new Map([["domain", scalarOf("y", originOf("other"))]]) }),
      ruleOf("without-place", { facets: new Map([["domain", scalarOf("z")]]) }),
      ruleOf("tags", { facets: new Map([["tags", setOf([pii])]]) }),
      ruleOf("columns", { columns: [columnTagged("*", "pii")] }),
    ];
    const overruled = [
      { value: "y", declaredBy: [{ rule: "other", source: originOf("other") }] },
      { value: "z", declaredBy: [{ rule: "without-place" }] },
    ];
    expect(only({ domain: scalarOf("x") }, {}, { rules })).toMatchObject({ facet: "domain", overruled });
    const undeclared = only({}, {}, { rules: rules.slice(1, 2) });
    expect(undeclared).toEqual({ facet: "domain", overruled: overruled.slice(0, 1), live: [] });
  });
});

describe("what is live", () => {
  const mine = { actor: "urn:li:corpuser:ann", time: "2026-01-01T00:00:00.000Z" };

  test("has who wrote it", () => {
    const writerOf: Sides["writerOf"] = (at, value) =>
      at.urn === table && at.kind === "Dataset" && at.facet === "tags" && value === pii ? mine : {};
    expect(only({}, { tags: setOf([pii, old]) }, { writerOf })).toEqual({
      facet: "tags",
      live: [{ value: old }, { value: pii, ...mine }],
    });
  });

  test("has the reason for which it is ignored, of the value before that of the entity", () => {
    const ofValue = { facet: "tags", value: "*:old", reason: "Legacy." };
    const ofEntity = { urn: table, reason: "By hand." };
    const ignored = (...rules: Parameters<typeof ignoring>[0]): unknown =>
      only({}, { tags: setOf([pii, old]) }, { ignored: ignoring(rules) })?.live;
    expect(ignored(ofValue)).toEqual([{ value: old, ignored: "Legacy." }, { value: pii }]);
    expect(ignored(ofValue, ofEntity)).toEqual([
      { value: old, ignored: "Legacy." },
      { value: pii, ignored: "By hand." },
    ]);
    expect(ignored({ ...ofEntity, urn: datasetNamed("other") })).toEqual([{ value: old }, { value: pii }]);
  });

  test("is listed value by value, each with its place", () => {
    const live = entityOf("Dataset", table, {
      tags: setOf([pii, old]),
      domain: scalarOf(null),
      "columns.description": map({ a: scalarOf("x"), b: scalarOf(null) }),
    });
    const at = { urn: table, kind: "Dataset" };
    expect(liveValues(live)).toEqual([
      { ...at, facet: "tags", value: old },
      { ...at, facet: "tags", value: pii },
      { ...at, facet: "columns.description", path: ["a"], value: "x" },
    ]);
  });
});

describe("what an apply would do", () => {
  const conflict = { base: "b", live: "l", desired: "d" };
  test.each<readonly [string, Partial<ScalarChange>, ExplainedFacet["change"]]>([
    ["sets a value", { after: "x" }, { add: ["x"], remove: [] }],
    ["replaces a value", { before: "y", after: "x" }, { add: ["x"], remove: ["y"] }],
    ["unsets a value", { before: "y" }, { add: [], remove: ["y"] }],
    ["leaves a conflict", { after: "x", conflict }, { add: ["x"], remove: [], conflict: true }],
    [
      "settles a conflict",
      { after: "x", conflict: { ...conflict, winner: "desired" } },
      { add: ["x"], remove: [] },
    ],
    [
      "keeps what is live",
      { after: "x", conflict: { ...conflict, winner: "live" } },
      { add: ["x"], remove: [], conflict: true },
    ],
    ["is nothing at another place", { facet: "description", after: "x" }, undefined],
  ])("%s", (_, more, expected) => {
    expect(only({ domain: scalarOf("x") }, {}, { changes: [change(more)] })?.change).toEqual(expected);
  });

  test("is shown of sets, at their place, and only where something is declared", () => {
    const set = { shape: "set", facet: "columns.tags", path: ["a"], add: [pii], remove: [old] } as const;
    const { before: _before, after: _after, ...base } = change({}) as ScalarChange;
    const changes: readonly FacetChange[] = [
      { ...base, ...set, path: ["b"], add: [] },
      { ...base, ...set },
    ];
    const tagged = { "columns.tags": map({ a: setOf([pii]) }) };
    expect(only(tagged, {}, { changes })?.change).toEqual({ add: [pii], remove: [old] });
    expect(only({}, tagged, { changes })).not.toHaveProperty("change");
  });
});

describe("the mode of a facet", () => {
  const declared = { tags: setOf([pii]) };
  const modeOf = (facets: Facets, more: Partial<Sides>, manage?: Sides["desired"]["manage"]): unknown => {
    const { desired } = sidesOf(facets, {});
    return only({}, {}, { desired: { ...desired, ...(manage && { manage }) }, ...more })?.mode;
  };
  const modePlaces = [
    { facet: "domain", mode: "additive", rule: "other" },
    { facet: "tags", mode: "merge", rule: "other" },
    { facet: "tags", mode: "additive", rule: "r", source },
  ] as const;

  test("is authoritative unless the settings say another one", () => {
    expect(modeOf(declared, { modePlaces })).toEqual(byDefault);
    expect(modeOf(declared, { modes: { owners: "additive" } })).toEqual(byDefault);
    expect(modeOf(declared, { modes: { tags: "merge" } })).toEqual({ mode: "merge", from: "settings" });
  });

  test("is that of a manifest, with the place that gives it", () => {
    const given = { mode: "additive", from: "manifest", rule: "r", source };
    expect(modeOf(declared, { modePlaces }, { tags: "additive" })).toEqual(given);
    expect(modeOf({ tags: { ...declared.tags, mode: "additive" } }, { modePlaces })).toEqual(given);
    expect(modeOf(declared, {}, { tags: "additive" })).toEqual({ mode: "additive", from: "manifest" });
  });

  test("of the groups of a user is that of the members of groups", () => {
    const user = entityOf("User", urn("urn:li:corpuser:u"), { groups: setOf(["urn:li:corpGroup:g"]) });
    const said = (modes: Sides["modes"]): unknown =>
      only({}, {}, { desired: user, live: undefined, modes })?.mode;
    expect(said({ members: "additive" })).toEqual({ mode: "additive", from: "settings" });
    expect(said({ groups: "additive" })).toEqual({ mode: "additive", from: "settings" });
    expect(said({})).toEqual(byDefault);
  });
});

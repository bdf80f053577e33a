import { describe, expect, test } from "vitest";
import type { Change, FacetChange } from "../../../src/model/change.ts";
import type { RuleCount } from "../../../src/model/rule-count.ts";
import type { Asset, Rule } from "../../../src/model/rule.ts";
import { type Entity, type Scalar, scalarOf, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { countRules } from "../../../src/plan/rules/count.ts";
import { assetNamed, columnTagged, expand, ruleOf, where } from "../../support/assets.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const [a, b] = [datasetNamed("a"), datasetNamed("b")];
const [pii, gold] = [urn("urn:li:tag:pii"), urn("urn:li:tag:gold")];
const [finance, sales] = [urn("urn:li:domain:finance"), urn("urn:li:domain:sales")];
const id = "[version=2.0].[type=string].id";

interface Given {
  readonly rules: readonly Rule[];
  readonly assets?: readonly Asset[];
  readonly documents?: readonly Entity[];
  readonly changes?: readonly Change[];
  readonly part?: ReadonlySet<Urn>;
}

function countsIn({ rules, assets, documents = [], changes = [], part }: Given): readonly RuleCount[] {
  const declared = { state: stateOf(...documents), references: [], exempt: new Map(), rules };
  const expanded = expand(declared, assets ?? [assetNamed("a"), assetNamed("b")]);
  return countRules(expanded, rules, { part, changes, unknown: [], unreadable: [] });
}

/** The values of a rule: on how many assets they are, on how many new, on how many overruled. */
const valuesIn = (given: Given, rule = "r"): readonly unknown[] => {
  const found = countsIn(given).find((each) => each.id === rule);
  return (found?.values ?? []).map(({ facet, path, value, on, new: added, overruled }) => [
    [facet, ...(path ?? []), value],
    { on, new: added, overruled },
  ]);
};

const change = { action: "update", kind: "Dataset", fingerprint: "", rules: ["r"] } as const;

const tagging = (of: Urn, add: readonly string[], remove: readonly string[] = []): FacetChange => ({
  ...change,
  shape: "set",
  urn: of,
  facet: "tags",
  add,
  remove,
});

const moving = (of: Urn, after: Scalar): FacetChange => ({
  ...change,
  shape: "scalar",
  urn: of,
  facet: "domain",
  before: null,
  after,
});

const tags = (...members: readonly string[]): Rule["facets"] => new Map([["tags", setOf(members)]]);
const inDomain = (domain: Urn): Rule["facets"] => new Map([["domain", scalarOf(domain)]]);

describe("the values of a rule", () => {
  const both = ruleOf("r", { facets: new Map([...tags(gold, pii), ...inDomain(finance)]) });

  test("are counted each by itself: on all assets, and as new where a change adds them", () => {
    const changes = [tagging(a, [pii]), moving(a, finance), tagging(b, [pii, gold]), moving(b, sales)];

    expect(countsIn({ rules: [both], changes })).toEqual([
      {
        id: "r",
        kind: "Dataset",
        matched: 2,
        matchedInPart: 2,
        changed: 2,
        values: [
          { facet: "tags", value: gold, on: 2, new: 1, overruled: 0 },
          { facet: "tags", value: pii, on: 2, new: 2, overruled: 0 },
          { facet: "domain", value: finance, on: 2, new: 1, overruled: 0 },
        ],
      },
    ]);
  });

  test("are counted in a part only on the assets of the part", () => {
    expect(valuesIn({ rules: [ruleOf("r", { facets: tags(pii) })], part: new Set([b]) })).toEqual([
      [["tags", pii], { on: 1, new: 0, overruled: 0 }],
    ]);
  });

  test("are overruled by a rule of higher priority, and by a document", () => {
    const rules = [
      ruleOf("r", { facets: inDomain(finance) }),
      ruleOf("strong", { facets: inDomain(sales), priority: 1, conditions: [where("name", "a")] }),
    ];
    const documents = [entityOf("Dataset", b, { domain: scalarOf(sales) })];

    expect(valuesIn({ rules, documents })).toEqual([[["domain", finance], { on: 0, new: 0, overruled: 2 }]]);
    expect(valuesIn({ rules, documents }, "strong")).toEqual([
      [["domain", sales], { on: 1, new: 0, overruled: 0 }],
    ]);
  });

  test("are neither there nor overruled where rules of one priority differ", () => {
    const rules = [ruleOf("r", { facets: inDomain(finance) }), ruleOf("other", { facets: inDomain(sales) })];

    expect(valuesIn({ rules })).toEqual([[["domain", finance], { on: 0, new: 0, overruled: 0 }]]);
  });

  test("count once on an asset that has documents, beside what these declare", () => {
    const documents = [entityOf("Dataset", a, { tags: setOf([gold]) })];

    expect(valuesIn({ rules: [ruleOf("r", { facets: tags(pii) })], documents })).toEqual([
      [["tags", pii], { on: 2, new: 0, overruled: 0 }],
    ]);
  });
});

describe("the values of a rule about columns", () => {
  const rule = ruleOf("r", { columns: [columnTagged("id", "key")] });
  const assets = [assetNamed("a", { paths: [id, "email"] })];
  const key = urn("urn:li:tag:key");
  const columnTagging = (path: string): FacetChange => ({
    ...tagging(a, [key]),
    facet: "columns.tags",
    path: [path],
  });

  test("are counted of whichever column they are", () => {
    expect(valuesIn({ rules: [rule], assets, changes: [columnTagging(id)] })).toEqual([
      [["columns.tags", key], { on: 1, new: 1, overruled: 0 }],
    ]);
  });

  test("are counted as new where a document calls the column by its plain name", () => {
    const entries = new Map([["id", setOf([gold])]]);
    const documents = [entityOf("Dataset", a, { "columns.tags": { shape: "map", entries } })];

    expect(valuesIn({ rules: [rule], assets, documents, changes: [columnTagging(id)] })).toEqual([
      [["columns.tags", key], { on: 1, new: 1, overruled: 0 }],
    ]);
  });

  test("are not counted as new where another column gets them", () => {
    expect(valuesIn({ rules: [rule], assets, changes: [columnTagging("email")] })).toEqual([
      [["columns.tags", key], { on: 1, new: 0, overruled: 0 }],
    ]);
  });
});

describe("that a rule declares no tags", () => {
  const none = ruleOf("r", { facets: tags() });
  const changes = [tagging(a, [], [gold])];

  test("counts as new where a change takes the last one away", () => {
    expect(valuesIn({ rules: [none], assets: [assetNamed("a")], changes })).toEqual([
      [["tags", null], { on: 1, new: 1, overruled: 0 }],
    ]);
  });

  test("is overruled, and not new, where another rule declares one", () => {
    const rules = [none, ruleOf("other", { facets: tags(pii) })];

    expect(valuesIn({ rules, assets: [assetNamed("a")], changes })).toEqual([
      [["tags", null], { on: 0, new: 0, overruled: 1 }],
    ]);
  });
});

describe("the assets that a rule changes", () => {
  const rule = ruleOf("r", { facets: tags(pii) });
  const changedBy = (changes: readonly Change[]): unknown =>
    countsIn({ rules: [rule], changes }).map(({ changed }) => changed);

  test("are counted once each, however many changes they have", () => {
    expect(changedBy([tagging(a, [pii]), moving(a, finance), tagging(b, [pii])])).toEqual([2]);
  });

  test("are none where nothing changes, or others do it", () => {
    expect(changedBy([])).toEqual([0]);
    expect(changedBy([{ ...tagging(a, [pii]), rules: ["other"] }])).toEqual([0]);
    expect(
      changedBy([{ action: "create", kind: "Tag", urn: pii, shape: "entity", fingerprint: "" }]),
    ).toEqual([0]);
  });

  test("are the members of a group, not the group, and only those that the rule moves", () => {
    const product = urn("urn:li:dataProduct:new");
    const joining = ruleOf("r", {
      facets: new Map([["data_products", setOf([product])]]),
      conditions: [where("name", "a")],
    });
    const assets: FacetChange = {
      ...tagging(product, [a, b]),
      kind: "DataProduct",
      facet: "assets",
    };

    expect(countsIn({ rules: [joining], changes: [assets, tagging(b, [pii])] })).toEqual([
      {
        id: "r",
        kind: "Dataset",
        matched: 1,
        matchedInPart: 1,
        changed: 2,
        values: [{ facet: "data_products", value: product, on: 1, new: 1, overruled: 0 }],
      },
    ]);
  });
});

import { describe, expect, test } from "vitest";
import { type Declared, type Expanded, matchedIn } from "../../../src/plan/rules/expand.ts";
import type { Mode } from "../../../src/model/settings.ts";
import type { Rule } from "../../../src/model/rule.ts";
import { type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import { assetNamed, columnTagged, expand, originOf, ruleOf, where } from "../../support/assets.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const tag = (id: string) => urn(`urn:li:tag:${id}`);
const domain = (id: string) => urn(`urn:li:domain:${id}`);
const a = datasetNamed("a");
const document = { file: "catalog/a.yaml", line: 4, column: 1 };

function declared(rules: readonly Rule[], more: Partial<Declared> = {}): Declared {
  return { state: new Map(), references: [], exempt: new Map(), rules, ...more };
}

function tagged(id: string, ...tags: readonly string[]): Rule {
  return ruleOf(id, { facets: new Map([["tags", setOf(tags.map(tag), originOf(id))]]) });
}

function inDomain(id: string, to: string, priority = 0): Rule {
  return ruleOf(id, { facets: new Map([["domain", scalarOf(domain(to), originOf(id))]]), priority });
}

function written(facets: Readonly<Record<string, FacetValue>>): Pick<Declared, "state"> {
  return { state: stateOf(entityOf("Dataset", a, facets)) };
}

const facetOf = (expanded: ReturnType<typeof expand>, facet: string) =>
  expanded.state.get(a)?.facets.get(facet);

describe("sets", () => {
  test("of rules and documents unite, each value with who declares it", () => {
    const { state } = written({ tags: setOf([tag("x"), tag("y")], document) });
    const found = expand(declared([tagged("r2", "z"), tagged("r1", "y")], { state }), [assetNamed("a")]);

    expect(facetOf(found, "tags")).toEqual({
      ...setOf([tag("x"), tag("y"), tag("z")], document),
      by: [
        { origin: document, values: [tag("x"), tag("y")] },
        { rule: "r1", origin: originOf("r1"), values: [tag("y")] },
        { rule: "r2", origin: originOf("r2"), values: [tag("z")] },
      ],
    });
  });

  test("of one column unite, under the name that the document gives it", () => {
    const path = "[version=2.0].[type=struct].[type=string].email";
    const entries = new Map([["email", setOf([tag("x")], document)]]);
    const rule = ruleOf("r", { columns: [columnTagged("*mail", "pii"), columnTagged("id", "key")] });
    const { state } = written({ "columns.tags": { shape: "map", entries } });
    const found = expand(declared([rule], { state }), [assetNamed("a", { paths: [path, "id"] })]);
    const value = facetOf(found, "columns.tags");

    expect(value?.shape === "map" && [...value.entries.keys()]).toEqual(["email", "id"]);
    expect(value?.shape === "map" && value.entries.get("email")).toMatchObject(
      setOf([tag("pii"), tag("x")], document),
    );
  });
});

test.each([
  [
    "its path, also where others have it as their plain name",
    "email",
    ["email", "[version=2.0].[type=string].email"],
    ["email", "[version=2.0].[type=string].email"],
  ],
  [
    "its plain name where no other has it",
    "email",
    ["[version=2.0].[type=string].email", "id"],
    ["email", "id"],
  ],
  [
    "no plain name that two have",
    "email",
    ["[version=2.0].[type=int].email", "[version=2.0].[type=string].email"],
    ["email", "[version=2.0].[type=int].email", "[version=2.0].[type=string].email"],
  ],
])("a document names a column by %s, and what rules declare goes there", (_, name, paths, columns) => {
  const entries = new Map([[name, setOf([tag("x")], document)]]);
  const { state } = written({ "columns.tags": { shape: "map", entries } });
  const rule = ruleOf("r", { columns: [columnTagged("*", "pii")] });
  const value = facetOf(expand(declared([rule], { state }), [assetNamed("a", { paths })]), "columns.tags");

  expect(value?.shape === "map" && [...value.entries.keys()]).toEqual(columns);
});

describe("what rules declare of columns", () => {
  const tagsOf = (found: Expanded, asset = a): unknown => {
    const value = found.state.get(asset)?.facets.get("columns.tags");
    if (value?.shape !== "map") return value;
    return Object.fromEntries(
      [...value.entries].map(([path, own]) => [path, own.shape === "set" && own.members]),
    );
  };

  test("is for the type of each, also where assets have columns of one name", () => {
    const ids = (nativeType: string) => ({ columns: [{ path: "id", name: "id", nativeType }] });
    const rule = ruleOf("r", {
      columns: [
        { ...columnTagged("id", "number"), nativeTypes: ["INT"] },
        { ...columnTagged("id", "text"), nativeTypes: ["TEXT"] },
      ],
    });
    const found = expand(declared([rule]), [assetNamed("a", ids("INT")), assetNamed("b", ids("TEXT"))]);

    expect(tagsOf(found)).toEqual({ id: [tag("number")] });
    expect(tagsOf(found, datasetNamed("b"))).toEqual({ id: [tag("text")] });
  });

  test("is what all patterns declare that match one", () => {
    const rule = ruleOf("r", { columns: [columnTagged("*", "any"), columnTagged("id", "key")] });
    const found = expand(declared([rule]), [assetNamed("a", { paths: ["id", "name"] })]);

    expect(tagsOf(found)).toEqual({ id: [tag("any"), tag("key")], name: [tag("any")] });
  });

  test("is nothing for an asset of which no column matches", () => {
    const rule = ruleOf("r", { columns: [columnTagged("id", "key")] });

    expect(tagsOf(expand(declared([rule]), [assetNamed("a", { paths: ["name"] })]))).toBeUndefined();
  });
});

test("an asset is declared where its document is, and without one where its first rule is", () => {
  const rules = [tagged("r2", "y"), tagged("r1", "x")];
  const state = stateOf({ ...entityOf("Dataset", a, {}), origin: document });
  const found = expand(declared(rules, { state }), [assetNamed("a"), assetNamed("b")]);

  expect([a, datasetNamed("b")].map((each) => found.state.get(each)?.origin)).toEqual([
    document,
    originOf("r1"),
  ]);
});

test("what only a document declares of an asset stays as it is", () => {
  const tags = setOf([tag("x")], document);
  const found = expand(declared([inDomain("r", "finance")], written({ tags })), [assetNamed("a")]);

  expect(facetOf(found, "tags")).toBe(tags);
});

test("the rules that match an asset, and their patterns that match a column of one, are known", () => {
  const rules = [
    ruleOf("all", { columns: [columnTagged("id", "t"), columnTagged("x", "t")] }),
    ruleOf("one", { conditions: [where("name", "b")] }),
    ruleOf("none", { conditions: [where("name", "z")] }),
  ];
  const found = expand(declared(rules), [assetNamed("a", { paths: ["id"] }), assetNamed("b")]);

  expect(["all", "one", "none"].map((id) => matchedIn(found, id))).toEqual([
    [a, datasetNamed("b")],
    [datasetNamed("b")],
    [],
  ]);
  expect([...found.patterns].map(({ pattern }) => pattern)).toEqual(["id"]);
});

describe("a single value", () => {
  test("is that of the document", () => {
    const { state } = written({ domain: scalarOf(domain("sales"), document) });
    const found = expand(declared([inDomain("r", "finance", 9)], { state }), [assetNamed("a")]);

    expect(facetOf(found, "domain")).toEqual(scalarOf(domain("sales"), document));
    expect(found.clashes).toEqual([]);
  });

  test("is that of the rule with the higher priority", () => {
    const found = expand(declared([inDomain("r1", "finance"), inDomain("r2", "sales", 1)]), [
      assetNamed("a"),
    ]);

    expect(facetOf(found, "domain")).toMatchObject({ value: domain("sales"), origin: originOf("r2") });
    expect(found.clashes).toEqual([]);
  });

  test("of two rules that agree is that of both", () => {
    const found = expand(declared([inDomain("r1", "finance"), inDomain("r2", "finance")]), [assetNamed("a")]);

    expect(facetOf(found, "domain")).toMatchObject({ by: [{ rule: "r1" }, { rule: "r2" }] });
  });

  test("of two rules of one priority that differ is none, and a clash of both", () => {
    const rules = [inDomain("r2", "sales"), inDomain("r1", "finance")];
    const found = expand(declared(rules), [assetNamed("a"), assetNamed("b")]);

    expect(facetOf(found, "domain")).toBeUndefined();
    expect(found.clashes).toEqual([
      {
        clash: {
          about: "value",
          facet: "domain",
          first: { rule: "r1", origin: originOf("r1") },
          second: { rule: "r2", origin: originOf("r2") },
        },
        urns: [a, datasetNamed("b")],
      },
    ]);
  });
});

describe("modes", () => {
  const merging = { ...tagged("r1", "x"), manage: { tags: "merge" } as const };

  test("that differ clash", () => {
    const adding = { ...tagged("r2", "y"), manage: { tags: "additive" } as const };
    const found = expand(declared([merging, adding]), [assetNamed("a")]);

    expect(found.clashes.map(({ clash }) => [clash.about, clash.first.rule, clash.second.rule])).toEqual([
      ["mode", "r1", "r2"],
    ]);
  });

  test("of one that gives none and one that does are that one", () => {
    const found = expand(declared([merging, tagged("r2", "y")]), [assetNamed("a")]);

    expect(found.state.get(a)?.manage).toEqual({ tags: "merge" });
    expect(found.clashes).toEqual([]);
  });

  test.each([
    ["a rule", { manage: { tags: "additive" } as const }],
    [
      "another column of a rule",
      { columns: [columnTagged("x", "t")], manage: { "columns.tags": "additive" } as const },
    ],
  ])("of %s that gives no value hold beside the values of others", (_, more) => {
    const rules = [
      ruleOf("r1", { facets: tagged("r1", "x").facets, columns: [columnTagged("id", "t")] }),
      ruleOf("r2", more),
    ];
    const found = expand(declared(rules), [assetNamed("a", { paths: ["id"] })]);

    expect(found.state.get(a)?.manage).toEqual(more.manage);
    expect(found.clashes).toEqual([]);
  });

  test("of a document that declares nothing else hold for what rules declare, and clash with theirs", () => {
    const bare = entityOf("Dataset", a, {});
    const places = {
      manage: { tags: "additive" },
      modePlaces: new Map([["tags", originOf("document")]]),
    } as const;
    const documented = (rule: Rule): Expanded =>
      expand(declared([rule], { state: stateOf({ ...bare, ...places }) }), [assetNamed("a")]);

    expect(documented(tagged("r1", "x")).state.get(a)?.manage).toEqual({ tags: "additive" });
    expect(documented(merging).clashes.map(({ clash }) => clash)).toEqual([
      {
        about: "mode",
        facet: "tags",
        first: { origin: originOf("document") },
        second: { rule: "r1", origin: originOf("r1") },
      },
    ]);
  });

  test("of one whose single value is overruled do not count, and those of a facet that nobody declares are none", () => {
    const by = (id: string, mode: Mode, more: Partial<Rule>): Rule =>
      ruleOf(id, { ...more, manage: { domain: mode } });
    const [finance, sales] = [inDomain("r1", "finance"), inDomain("r2", "sales", 1)];
    const rules = [by("r1", "merge", finance), by("r2", "additive", sales)];
    const [overruled, moot] = [rules, [by("r1", "merge", {}), by("r2", "additive", {})]].map((all) =>
      expand(declared(all), [assetNamed("a")]),
    );

    expect(overruled?.clashes).toEqual([]);
    expect(overruled?.state.get(a)?.manage).toEqual({ domain: "additive" });
    expect(moot?.clashes).toEqual([]);
  });
});

describe("modes of single values of columns", () => {
  const describing = (id: string, pattern: string, mode: Mode, priority: number): Rule => {
    const facets = new Map([["columns.description", scalarOf(id, originOf(id))]]);
    const columns = [{ ...columnTagged(pattern), facets }];
    return ruleOf(id, { columns, manage: { "columns.description": mode }, priority });
  };
  const asset = assetNamed("a", { paths: ["id", "name"] });

  test.each([
    ["do not count where all of them are overruled", "id", []],
    ["count where one of them is left", "*", ["mode"]],
  ])("%s", (_, pattern, clashes) => {
    const rules = [describing("r1", pattern, "merge", 0), describing("r2", "id", "additive", 1)];

    expect(expand(declared(rules), [asset]).clashes.map(({ clash }) => clash.about)).toEqual(clashes);
  });

  test("count for no other facet of the rule", () => {
    const [low, high] = [inDomain("r1", "finance"), inDomain("r2", "sales", 1)];
    const rules: readonly Rule[] = [
      { ...low, columns: [columnTagged("id", "key")], manage: { domain: "merge" } },
      { ...high, manage: { domain: "additive" } },
    ];

    expect(expand(declared(rules), [asset]).clashes).toEqual([]);
  });

  test("count of a document that declares no column", () => {
    const own = entityOf("Dataset", a, { "columns.description": { shape: "map", entries: new Map() } });
    const state = stateOf({ ...own, manage: { "columns.description": "additive" } });

    expect(expand(declared([describing("r", "id", "additive", 0)], { state }), [asset]).clashes).toEqual([]);
    expect(expand(declared([describing("r", "id", "merge", 0)], { state }), [asset]).clashes).toHaveLength(1);
  });
});

test("a rule that a document leaves out does not count for its asset", () => {
  const exempt = new Map([[a, new Set(["r"])]]);
  const found = expand(declared([tagged("r", "x")], { exempt }), [assetNamed("a"), assetNamed("b")]);

  expect([...found.state.keys()]).toEqual([datasetNamed("b")]);
  expect(found.matches.map(({ urns }) => urns)).toEqual([[datasetNamed("b")]]);
});

test("an asset that is left alone is not matched", () => {
  const found = expand(declared([tagged("r", "x")]), [assetNamed("a")], (each) => each === a);

  expect(found.matches).toEqual([]);
});

test("assets that the same rules match share what is declared of them", () => {
  const rules = [tagged("r", "x"), { ...tagged("s", "y"), conditions: [where("name", "c")] }];
  const { state } = expand(declared(rules), [assetNamed("a"), assetNamed("b"), assetNamed("c")]);

  expect(state.get(a)?.facets).toBe(state.get(datasetNamed("b"))?.facets);
  expect(state.get(a)?.facets).not.toBe(state.get(datasetNamed("c"))?.facets);
});

test("references are those of each asset that the rule matches", () => {
  const reference = { urn: tag("x"), entityType: "tag", facet: "tags", origin: originOf("r") };
  const own = { ...tagged("r", "x"), references: [reference] };
  const rules = [{ ...own, conditions: [where("name", "a")] }, ruleOf("other")];
  const { references } = expand(declared(rules), [assetNamed("a"), assetNamed("b")]);

  expect([...references]).toEqual([{ ...reference, from: a }]);
});

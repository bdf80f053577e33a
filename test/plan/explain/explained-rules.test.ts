import { describe, expect, test } from "vitest";
import type { ExplainedRule } from "../../../src/model/explanation.ts";
import type { Asset, Rule } from "../../../src/model/rule.ts";
import { explainedRules, keysOf } from "../../../src/plan/explain/explained-rules.ts";
import { assetNamed, columnTagged, originOf, ruleOf, where } from "../../support/assets.ts";
import { urn } from "../../support/states.ts";

const finance = urn("urn:li:container:finance");
const table = assetNamed("prod.orders", { paths: ["id", "email"], containers: [finance] });
const [id, email] = table.columns ?? [];
const source = originOf("where");
const otherKind = { key: "kind", wanted: ["Chart"], found: ["Dataset"], source: originOf("r") };

/** What is said of one rule, without its id and place. */
function saidOf(
  more: Partial<Rule>,
  asked: Partial<Parameters<typeof explainedRules>[1]> = {},
): Omit<ExplainedRule, "id" | "source"> | undefined {
  const [explained] = explainedRules([ruleOf("r", more)], { asset: table, ...asked });
  if (!explained) return undefined;
  const { id: named, source: at, ...said } = explained;
  expect([named, at]).toEqual(["r", originOf("r")]);
  return said;
}

const matches = { verdict: "matches", missed: [] };

describe("a rule", () => {
  test.each<readonly [string, Partial<Rule>, object]>([
    ["without conditions matches", {}, matches],
    ["whose conditions are met matches", { conditions: [where("env", "PROD")] }, matches],
    ["that excludes others matches", { exclusions: [[where("env", "DEV")]] }, matches],
    [
      "of another kind differs in that alone",
      { kind: "Chart", conditions: [where("name", "x")] },
      { verdict: "differs", missed: [otherKind] },
    ],
    [
      "says each condition that is not met, with what is there",
      { conditions: [where("name", "dev.*", "x"), where("env", "PROD"), where("container", "sales")] },
      {
        verdict: "differs",
        missed: [
          { key: "name", wanted: ["dev.*", "x"], found: ["prod.orders"], source },
          { key: "container", wanted: ["sales"], found: ["finance"], source },
        ],
      },
    ],
    [
      "says each exclusion of which all is met",
      {
        exclusions: [
          [where("env", "PROD", "DEV"), where("name", "prod.*")],
          [where("env", "PROD"), where("name", "x")],
          [],
        ],
      },
      {
        verdict: "differs",
        missed: [
          { key: "not", wanted: ["env: PROD, DEV", "name: prod.*"], found: [], source },
          { key: "not", wanted: [], found: [], source: originOf("r") },
        ],
      },
    ],
    [
      "that matches says which patterns match no column",
      { columns: [columnTagged("em*", "pii"), columnTagged("phone", "pii")] },
      { ...matches, idlePatterns: [{ pattern: "phone", source: originOf("phone") }] },
    ],
    [
      "that differs does not",
      { conditions: [where("env", "DEV")], columns: [columnTagged("phone", "pii")] },
      {
        verdict: "differs",
        missed: [{ key: "env", wanted: ["DEV"], found: ["PROD"], source }],
      },
    ],
  ])("%s", (_, rule, said) => {
    expect(saidOf(rule)).toEqual(said);
  });

  test("that would match is exempt where documents leave it out, and differs where it would not", () => {
    const exempt = new Set(["r"]);
    const columns = [columnTagged("phone", "pii")];
    expect(saidOf({ columns }, { exempt })).toEqual({ verdict: "exempt", missed: [] });
    expect(saidOf({ kind: "Chart" }, { exempt })).toEqual({ verdict: "differs", missed: [otherKind] });
    expect(saidOf({}, { exempt: new Set(["other"]) })).toEqual(matches);
  });

  test("has no idle patterns where an asset has no columns but all are idle", () => {
    const { columns: _, ...asset } = table;
    expect(saidOf({ columns: [columnTagged("*", "pii")] }, { asset })).toEqual({
      ...matches,
      idlePatterns: [{ pattern: "*", source: originOf("*") }],
    });
  });
});

describe("of one column", () => {
  const phone = { ...columnTagged("phone", "pii"), nativeTypes: ["TEXT", "CLOB"] };
  const missedBy = (found: string): object => ({
    verdict: "differs",
    missed: [
      { key: "columns", wanted: ["phone (TEXT, CLOB)", "x"], found: [found], source: originOf("phone") },
    ],
  });
  const rule = { columns: [phone, columnTagged("x", "pii")] };

  test("a rule that declares nothing of columns says nothing", () => {
    expect(saidOf({}, { column: email })).toBeUndefined();
  });

  test("a rule matches where one of its patterns does, and has no idle patterns", () => {
    const columns = [...rule.columns, columnTagged("em*", "pii")];
    expect(saidOf({ columns }, { column: email })).toEqual(matches);
  });

  test("a rule says for which columns it is", () => {
    expect(saidOf(rule, { column: id })).toEqual(missedBy("id (VARCHAR(255))"));
    expect(saidOf(rule, { column: { path: "phone", name: "phone" } })).toEqual(missedBy("phone"));
  });

  test("a rule of another kind says only that, and one with conditions both", () => {
    expect(saidOf({ ...rule, kind: "Chart" }, { column: id })?.missed).toEqual([otherKind]);
    const both = saidOf({ ...rule, conditions: [where("env", "DEV")] }, { column: id });
    expect(both?.missed.map(({ key }) => key)).toEqual(["env", "columns"]);
  });
});

test("rules that match come first, then those that are exempt, then those that nearly match", () => {
  const [no, never] = [where("env", "DEV"), where("name", "x")];
  const rules = [
    ruleOf("kind", { kind: "Chart" }),
    ruleOf("two", { conditions: [no, never] }),
    ruleOf("exempt"),
    ruleOf("one-b", { conditions: [no] }),
    ruleOf("one-a", { conditions: [no] }),
    ruleOf("b"),
    ruleOf("a"),
  ];
  const explained = explainedRules(rules, { asset: table, exempt: new Set(["exempt"]) });
  expect(explained.map(({ id: each }) => each)).toEqual([
    "a",
    "b",
    "exempt",
    "one-a",
    "one-b",
    "two",
    "kind",
  ]);
});

test("an asset has texts of each key by which rules match it, of things their ids", () => {
  expect(keysOf({ ...table, instance: "eu" })).toMatchInlineSnapshot(`
    {
      "container": [
        "finance",
      ],
      "env": [
        "PROD",
      ],
      "name": [
        "prod.orders",
      ],
      "platform": [
        "snowflake",
      ],
      "platform_instance": [
        "eu",
      ],
      "subtype": [
        "Table",
      ],
      "urn": [
        "urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.orders,PROD)",
      ],
    }
  `);
  const domain: Asset = { urn: urn("urn:li:domain:a"), kind: "Domain", containers: [], subtypes: [] };
  expect(keysOf(domain)).toEqual({});
});

import { describe, expect, test } from "vitest";
import { matchesColumn, verdictOf } from "../../../src/plan/rules/verdict.ts";
import { assetNamed, columnTagged, ruleOf, where } from "../../support/assets.ts";
import { urn } from "../../support/states.ts";

const asset = assetNamed("prod.finance.invoices", {
  instance: "eu",
  containers: [urn("urn:li:container:schema"), urn("urn:li:container:database")],
  subtypes: ["Table", "External"],
});

test.each([
  ["platform", ["snowflake"], true],
  ["platform", ["urn:li:dataPlatform:snowflake"], true],
  ["platform", ["snow*"], true],
  ["platform", ["bigquery", "snowflake"], true],
  ["platform", ["Snowflake"], false],
  ["platform_instance", ["eu"], true],
  ["platform_instance", ["us"], false],
  ["env", ["PROD"], true],
  ["env", ["DEV"], false],
  ["name", ["prod.finance.*"], true],
  ["name", ["*.finance.*"], true],
  ["name", ["finance"], false],
  ["name", ["eu.prod.finance.*"], false],
  ["urn", ["urn:li:dataset:*,prod.finance.invoices,PROD)"], true],
  ["urn", ["prod.finance.invoices"], false],
  ["container", ["database"], true],
  ["container", ["urn:li:container:schema"], true],
  ["container", ["other"], false],
  ["subtype", ["External"], true],
  ["subtype", ["View"], false],
])("a rule for %s %j matches: %s", (key, patterns, expected) => {
  const rule = ruleOf("r", { conditions: [where(key, ...patterns)] });

  expect(verdictOf(rule, asset).matches).toBe(expected);
});

test("each asset is matched by its own texts, whichever was asked about before", () => {
  const rule = ruleOf("r", { conditions: [where("name", "prod.finance.*", "prod.ledger.*")] });
  const other = assetNamed("prod.sales.orders");

  expect([asset, other, asset].map((each) => verdictOf(rule, each).matches)).toEqual([true, false, true]);
});

describe("of what does not match", () => {
  test("the first key that does not hold is named, with what the asset has", () => {
    const [holding, failing] = [where("env", "PROD"), where("subtype", "View")];
    const rule = ruleOf("r", { conditions: [holding, failing, where("name", "x")] });

    expect(verdictOf(rule, asset)).toEqual({
      matches: false,
      miss: { key: "subtype", condition: failing, found: ["Table", "External"] },
    });
  });

  test("another kind is named", () => {
    expect(verdictOf(ruleOf("r", { kind: "Container" }), asset)).toEqual({
      matches: false,
      miss: { key: "kind", wanted: "Container", found: "Dataset" },
    });
  });

  test("what leaves it out is named: all its keys hold", () => {
    const [other, excluding] = [
      [where("env", "PROD"), where("name", "*_tmp")],
      [where("env", "PROD"), where("name", "*invoices")],
    ];
    const rule = ruleOf("r", { exclusions: [other, excluding] });

    expect(verdictOf(rule, asset)).toEqual({ matches: false, miss: { key: "not", conditions: excluding } });
  });

  test("an asset that lacks what is asked for is none", () => {
    const { instance: _, ...bare } = asset;

    expect(verdictOf(ruleOf("r", { conditions: [where("platform_instance", "*")] }), bare).matches).toBe(
      false,
    );
  });
});

test.each([
  ["*email*", undefined, true],
  ["customer.email", undefined, true],
  ["email", undefined, false],
  ["*email*", ["VARCHAR*"], true],
  ["*email*", ["NUMBER", "VARCHAR(255)"], true],
  ["*email*", ["NUMBER"], false],
])("a pattern of columns %s with native types %j matches: %s", (pattern, nativeTypes, expected) => {
  const column = { ...columnTagged(pattern, "pii"), ...(nativeTypes && { nativeTypes }) };

  expect(matchesColumn(column, { path: "x", name: "customer.email", nativeType: "VARCHAR(255)" })).toBe(
    expected,
  );
});

test("a column without a native type is none of those that are asked for", () => {
  const column = { ...columnTagged("*", "pii"), nativeTypes: ["*"] };

  expect(matchesColumn(column, { path: "x", name: "x" })).toBe(false);
});

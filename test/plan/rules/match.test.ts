import { expect, test } from "vitest";
import type { AssetColumn } from "../../../src/model/rule.ts";
import { doesMatch, matchesColumn } from "../../../src/plan/rules/match.ts";
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

  expect(doesMatch(rule, asset)).toBe(expected);
});

test("each asset is matched by its own texts, whichever was asked about before", () => {
  const rule = ruleOf("r", { conditions: [where("name", "prod.finance.*", "prod.ledger.*")] });
  const other = assetNamed("prod.sales.orders");

  expect([asset, other, asset].map((each) => doesMatch(rule, each))).toEqual([true, false, true]);
});

test("a rule of another kind does not match", () => {
  expect(doesMatch(ruleOf("r", { kind: "Container" }), asset)).toBe(false);
});

test("one condition that does not hold is enough", () => {
  const conditions = [where("env", "PROD"), where("subtype", "View"), where("name", "*")];

  expect(doesMatch(ruleOf("r", { conditions }), asset)).toBe(false);
});

test("an exclusion holds where all its keys do", () => {
  const other = [where("env", "PROD"), where("name", "*_tmp")];
  const excluding = [where("env", "PROD"), where("name", "*invoices")];

  expect(doesMatch(ruleOf("r", { exclusions: [other] }), asset)).toBe(true);
  expect(doesMatch(ruleOf("r", { exclusions: [other, excluding] }), asset)).toBe(false);
});

test("an asset that lacks what is asked for does not match", () => {
  const { instance: _, ...bare } = asset;

  expect(doesMatch(ruleOf("r", { conditions: [where("platform_instance", "*")] }), bare)).toBe(false);
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

test.each([
  [["*_hash"], false],
  [["id", "*_hash"], false],
  [["hash"], true],
  [["*_HASH"], true],
])("a pattern of columns leaves out %j: %s", (not, expected) => {
  const column = { ...columnTagged("*email*", "pii"), not };
  expect(matchesColumn(column, { path: "x", name: "email_hash" })).toBe(expected);
});

test("patterns are compared without case where a rule says so, and with case elsewhere", () => {
  const column: AssetColumn = { path: "x", name: "EMAIL_HASH", nativeType: "varchar(5)" };
  const pattern = { ...columnTagged("*email*", "pii"), nativeTypes: ["VARCHAR*"] };
  const without = { ...pattern, ignoreCase: true } as const;
  expect(matchesColumn(pattern, column)).toBe(false);
  expect(matchesColumn(without, column)).toBe(true);
  expect(matchesColumn({ ...without, not: ["*_hash"] }, column)).toBe(false);
});

test.each([
  ["platform", "SNOWFLAKE"],
  ["name", "PROD.finance.*"],
  ["subtype", "table"],
  ["env", "prod"],
])("a condition of %s matches %s without case only", (key, pattern) => {
  const condition = where(key, pattern);
  expect(doesMatch(ruleOf("r", { conditions: [condition] }), asset)).toBe(false);
  const without = { ...condition, ignoreCase: true } as const;
  expect(doesMatch(ruleOf("r", { conditions: [without] }), asset)).toBe(true);
  expect(doesMatch(ruleOf("r", { exclusions: [[without]] }), asset)).toBe(false);
});

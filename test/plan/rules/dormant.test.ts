import { expect, test } from "vitest";
import type { AssetColumn, Rule } from "../../../src/model/rule.ts";
import { leafIn, placeAt } from "../../../src/model/place.ts";
import { expandForDormant } from "../../../src/plan/rules/dormant.ts";
import type { DeclaringRules } from "../../../src/plan/rules/expander.ts";
import { assetNamed, columnTagged, ruleOf } from "../../support/assets.ts";
import { datasetNamed } from "../../support/states.ts";

const a = datasetNamed("a");
const typed = ruleOf("r", { columns: [{ ...columnTagged("*", "key"), nativeTypes: ["INT*", "*TEXT"] }] });

const declaring = (rules: readonly Rule[]): DeclaringRules => ({
  rules,
  state: new Map(),
  exempt: new Map(),
});

function dormantOf(columns: readonly AssetColumn[], isHistoryKnown = true, rule = typed) {
  const history = { anchor: declaring([rule]), later: [], documents: new Map() };
  const expansion = expandForDormant({
    now: { ...declaring([]), references: [] },
    ...(isHistoryKnown && { history }),
    isIgnored: () => false,
  });
  expansion.add(assetNamed("a", { columns }));
  return expansion.result();
}

test("a column that left, of which the type is not known, is tried with each type that rules name", () => {
  const { declared, ruled } = dormantOf([
    { path: "id", name: "id" },
    { path: "at", name: "at", nativeType: "DATE" },
  ]);
  const isTagged = (path: string): readonly boolean[] =>
    declared.map(({ before }) => leafIn(before.get(a), placeAt("columns.tags", [path])) !== undefined);

  expect([...ruled]).toEqual([a]);
  expect(isTagged("id")).toEqual([false, true, true]);
  expect(isTagged("at")).toEqual([false, false, false]);
  expect(declared.some(({ now }) => now.has(a))).toBe(false);
});

test("where it is not known what was declared before, nothing is declared of assets that left", () => {
  expect(dormantOf([], false).declared).toEqual([]);
});

test.each<readonly [string, readonly string[] | undefined, number]>([
  ["no types: once", undefined, 1],
  ["types that differ only in where they may begin and end: once more", ["INT*", "*INT"], 2],
])("what was declared of assets that left is looked for with rules that name %s", (_, nativeTypes, times) => {
  const column = { ...columnTagged("*", "key"), ...(nativeTypes && { nativeTypes }) };

  expect(dormantOf([], true, ruleOf("r", { columns: [column] })).declared).toHaveLength(times);
});

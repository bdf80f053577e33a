import { expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import { assetsByRule } from "../../../src/plan/checks/guards/spread.ts";
import { datasetNamed } from "../../support/states.ts";

const a = datasetNamed("a");

test("assets are counted once for each rule, by whatever is changed of them, and rules stand in the order of their ids", () => {
  const changed = (name: string, facet: string, ...rules: readonly string[]): Change => {
    const about = { action: "update", shape: "set", kind: "Dataset", urn: datasetNamed(name) } as const;
    return { ...about, facet, add: [], remove: [], fingerprint: "", ...(rules.length > 0 && { rules }) };
  };
  const changes = [
    changed("a", "tags", "s", "r"),
    changed("a", "owners", "r"),
    changed("b", "tags", "r"),
    changed("c", "tags"),
  ];

  expect([...assetsByRule(changes)].map(([rule, assets]) => [rule, [...assets]])).toEqual([
    ["r", [a, datasetNamed("b")]],
    ["s", [a]],
  ]);
});

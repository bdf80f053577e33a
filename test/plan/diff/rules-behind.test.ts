import { describe, expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import {
  type Contribution,
  type Member,
  type Scalar,
  scalarOf,
  type ScalarValue,
  setOf,
  type SetValue,
} from "../../../src/model/state.ts";
import { diff } from "../../../src/plan/diff/diff.ts";
import { assetsByRule, rulesBehind } from "../../../src/plan/diff/rules-behind.ts";
import { datasetNamed, entityOf, stateOf } from "../../support/states.ts";

const a = datasetNamed("a");
const byRule = (rule: string, ...values: readonly (Member | Scalar)[]): Contribution => ({ rule, values });
const byDocument = (...values: readonly (Member | Scalar)[]): Contribution => ({ values });
const owner = (type: string): Member => ({ owner: "urn:li:corpuser:a", type });

describe("behind a change", () => {
  test.each<
    readonly [string, readonly Contribution[], readonly (Member | Scalar)[], boolean, readonly string[]]
  >([
    [
      "that adds a value is the rule that declares it",
      [byRule("r", "x"), byRule("s", "y")],
      ["x"],
      false,
      ["r"],
    ],
    ["are all rules that declare it", [byRule("s", "x"), byRule("r", "x")], ["x"], false, ["r", "s"]],
    [
      "is a rule once, by however many documents",
      [byRule("r", "x"), byRule("r", "y")],
      ["x", "y"],
      false,
      ["r"],
    ],
    ["is a rule with one of its values", [byRule("r", "x", "y")], ["y"], false, ["r"]],
    [
      "is a rule of owners, by owner and type",
      [byRule("r", owner("t")), byRule("s", owner("u"))],
      [owner("t")],
      false,
      ["r"],
    ],
    ["is no rule whose value a document declares too", [byRule("r", "x"), byDocument("x")], ["x"], false, []],
    [
      "is a rule beside a document with other values",
      [byRule("r", "x"), byDocument("y")],
      ["x"],
      false,
      ["r"],
    ],
    ["is no rule where a document alone declares", [byDocument("x")], ["x"], true, []],
    [
      "that takes away are all rules, which alone manage it",
      [byRule("r", "x"), byRule("s")],
      [],
      true,
      ["r", "s"],
    ],
    [
      "that takes away is no rule where a document manages it too",
      [byRule("r", "x"), byDocument()],
      [],
      true,
      [],
    ],
    [
      "that takes away and adds is the rule that adds, beside a document",
      [byRule("r", "x"), byRule("s", "y"), byDocument()],
      ["x"],
      true,
      ["r"],
    ],
    ["that neither adds nor takes away is none", [byRule("r", "x")], [], false, []],
  ])("%s", (_, by, added, isRemoving, rules) => {
    expect(rulesBehind(by, added, isRemoving)).toStrictEqual(rules.length > 0 ? { rules } : {});
  });

  type Part = ScalarValue | SetValue;

  test.each<readonly [string, Part, Part, readonly string[] | undefined]>([
    ["a value that is set", scalarOf("d"), scalarOf(null), ["r"]],
    ["a value that is replaced", scalarOf("d"), scalarOf("e"), ["r", "s"]],
    ["a value that is unset", scalarOf(null), scalarOf("e"), ["r", "s"]],
    ["elements that come", setOf(["d"]), setOf([]), ["r"]],
    ["elements that go", setOf([]), setOf(["e"]), ["r", "s"]],
  ])("which sets %s are the rules of it", (_, want, have, rules) => {
    const facet = want.shape === "scalar" ? "domain" : "tags";
    const by = [byRule("r", "d"), byRule("s")];
    const [change] = diff(
      stateOf(entityOf("Dataset", a, { [facet]: { ...want, by } })),
      stateOf(entityOf("Dataset", a, { [facet]: have })),
    );

    expect(change?.rules).toEqual(rules);
  });

  test("of a document alone is nothing said", () => {
    const [change] = diff(
      stateOf(entityOf("Dataset", a, { domain: scalarOf("d") })),
      stateOf(entityOf("Dataset", a, { domain: scalarOf(null) })),
    );

    expect(change).not.toHaveProperty("rules");
  });
});

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

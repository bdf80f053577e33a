import { describe, expect, test } from "vitest";
import type { Exemptions, Rule } from "../../../src/model/rule.ts";
import { setOf, type State } from "../../../src/model/state.ts";
import { ignoring, nothingIgnored } from "../../../src/plan/base/ignore.ts";
import { type Declaring, declaredBy, decidingRules, rulesOf } from "../../../src/plan/rules/declared-by.ts";
import { assetNamed, columnTagged, ruleOf, where } from "../../support/assets.ts";
import { datasetNamed, entityOf, stateOf } from "../../support/states.ts";

const a = datasetNamed("a");
const documents: State = stateOf(entityOf("Dataset", a, {}));
const tags = new Map([["tags", setOf(["urn:li:tag:pii"])]]);

const declaring = (rules: readonly Rule[], more: Partial<Declaring> = {}): Declaring => ({
  state: stateOf(),
  rules,
  exempt: new Map(),
  ignored: nothingIgnored,
  ...more,
});

const ignored = ignoring([{ urn: a, reason: "theirs" }]);
const tagging = ruleOf("tagging", { facets: tags });
const empty = ruleOf("empty");
const ofColumns = ruleOf("of-columns", { columns: [columnTagged("x*", "x"), columnTagged("id", "key")] });

describe("an asset", () => {
  const isDeclared = (by: Declaring, paths?: readonly string[]): unknown =>
    declaredBy(assetNamed("a", paths && { paths }), by);

  test.each<readonly [string, Declaring, { documents: boolean; rules: boolean }]>([
    ["nobody where there is nothing", declaring([]), { documents: false, rules: false }],
    ["its documents", declaring([], { state: documents }), { documents: true, rules: false }],
    ["a rule that declares a value", declaring([empty, tagging]), { documents: false, rules: true }],
    ["no rule that declares nothing", declaring([empty]), { documents: false, rules: false }],
    [
      "nobody where it is ignored",
      declaring([tagging], { state: documents, ignored }),
      { documents: false, rules: false },
    ],
  ])("is declared by %s", (_, by, expected) => {
    expect(isDeclared(by)).toEqual(expected);
  });

  test.each<readonly [string, readonly string[] | undefined, boolean]>([
    ["where one of its columns matches a pattern", ["email", "id"], true],
    ["not where none does", ["email"], false],
    ["not where it has none", [], false],
    ["not where they were not asked for", undefined, false],
  ])("is declared by a rule about columns alone %s", (_, paths, rules) => {
    expect(isDeclared(declaring([ofColumns]), paths)).toEqual({ documents: false, rules });
  });
});

describe("the rules of an asset", () => {
  const others = ruleOf("others", { conditions: [where("name", "b")] });
  const idsOf = (more: Partial<Declaring>): readonly string[] =>
    rulesOf(assetNamed("a"), declaring([tagging, others, empty], more)).map(({ id }) => id);
  const leaving = (...ids: readonly string[]): Exemptions => new Map([[a, new Set(ids)]]);

  test.each<readonly [string, Partial<Declaring>, readonly string[]]>([
    ["are those that match it", {}, ["tagging", "empty"]],
    ["are not those that its documents leave out", { exempt: leaving("tagging") }, ["empty"]],
    ["are none where it is ignored", { ignored }, []],
  ])("%s", (_, more, ids) => {
    expect(idsOf(more)).toEqual(ids);
  });
});

test("whether something of an entity is declared is decided by the rules of its kind: columns only where they alone declare", () => {
  const both = ruleOf("both", { facets: tags, columns: ofColumns.columns });
  const charts = ruleOf("charts", { kind: "Chart" });

  expect(decidingRules([both, charts, ofColumns], "Dataset")).toEqual([{ ...both, columns: [] }, ofColumns]);
});

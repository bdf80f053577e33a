import { describe, expect, test } from "vitest";
import type { Rule } from "../../../src/model/rule.ts";
import { scalarOf, type State } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import type { Policy } from "../../../src/plan/base/policy.ts";
import { ruleProblems } from "../../../src/plan/rules/problems.ts";
import { assetNamed, columnTagged, expand, originOf, ruleOf, where } from "../../support/assets.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const [a, b, c] = ["a", "b", "c"].map(datasetNamed) as [Urn, Urn, Urn];

type Selected = Partial<Pick<Policy, "part" | "shard" | "isStrict">>;

/** The problems with rules of the assets `a`, `b` and `c`, each with a column `id`. */
function problemsOf(
  rules: readonly Rule[],
  policy: Selected = {},
  { state = new Map(), isUnread = false }: { readonly state?: State; readonly isUnread?: boolean } = {},
): ReturnType<typeof ruleProblems> {
  const assets = ["c", "b", "a"].map((name) => assetNamed(name, { paths: ["id"] }));
  const expanded = expand({ state, references: [], exempt: new Map(), rules }, assets);
  return ruleProblems(expanded, rules, { part: undefined, shard: undefined, ...policy }, isUnread);
}

const inDomain = (id: string, to: string): Rule =>
  ruleOf(id, { facets: new Map([["domain", scalarOf(urn(`urn:li:domain:${to}`), originOf(id))]]) });

describe("rules that do not go together", () => {
  const differing = [inDomain("r1", "finance"), inDomain("r2", "sales")];
  const conflict = {
    code: "rule-conflict",
    severity: "error",
    args: { facet: "domain", rules: ["r1", "r2"], urn: a, count: 3 },
    origin: originOf("r2"),
    related: originOf("r1"),
  };

  test("are one problem for all assets that they match, which names the first", () => {
    expect(problemsOf(differing)).toEqual([conflict]);
  });

  test("are one problem also where other rules match some of the assets", () => {
    const other = ruleOf("other", { conditions: [where("name", "b")] });

    expect(problemsOf([...differing, other])).toEqual([conflict]);
  });

  test("are a problem of a part where they match something of it", () => {
    expect(problemsOf(differing, { part: new Set([c, b]) })).toMatchObject([{ args: { urn: b, count: 2 } }]);
    expect(problemsOf(differing, { part: new Set([urn("urn:li:tag:t")]) })).toEqual([]);
  });

  test("are a problem of their modes, also where a document gives one of them", () => {
    const document = entityOf("Dataset", a, {});
    const merging = { ...inDomain("r1", "finance"), manage: { domain: "merge" } as const };
    const state = stateOf({ ...document, manage: { domain: "additive" } });

    expect(problemsOf([merging], {}, { state })).toMatchObject([
      { code: "rule-modes", args: { facet: "domain", rules: ["r1"], urn: a, count: 1 } },
    ]);
  });
});

describe("what matches nothing", () => {
  const idle = ruleOf("idle", { conditions: [where("name", "z")], columns: [columnTagged("x", "t")] });
  const partial = ruleOf("partial", { columns: [columnTagged("x", "t"), columnTagged("id", "t")] });
  const unused = {
    code: "rule-matches-nothing",
    severity: "warning",
    args: { rule: "idle" },
    origin: originOf("idle"),
  };
  const unusedPattern = {
    code: "pattern-matches-nothing",
    severity: "warning",
    args: { rule: "partial", pattern: "x" },
    origin: originOf("x"),
  };

  test("is a warning for each rule, and with --strict for each pattern of the others", () => {
    expect(problemsOf([idle, partial])).toEqual([unused]);
    expect(problemsOf([idle, partial], { isStrict: true })).toEqual([unused, unusedPattern]);
  });

  test("is a warning in a shard, but not in another part", () => {
    const part = new Set([a]);

    expect(problemsOf([idle], { part })).toEqual([]);
    expect(problemsOf([idle], { part, shard: { index: 1, of: 2 } })).toEqual([unused]);
  });

  test("is no warning where some asset could not be read", () => {
    expect(problemsOf([idle], {}, { isUnread: true })).toEqual([]);
  });
});

import { expect, test } from "vitest";
import type { Rule } from "../../../src/model/rule.ts";
import { setOf, type State } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { compare } from "../../../src/plan/compare.ts";
import { defaultPolicy } from "../../../src/plan/base/policy.ts";
import type { DeclaringRules } from "../../../src/plan/rules/expander.ts";
import { withUnread } from "../../../src/plan/rules/unread.ts";
import {
  allRules,
  type RuleSources,
  type ExpandedState,
  expandAll,
} from "../../../src/plan/rules/expand-all.ts";
import { assetNamed, originOf, ruleOf, where } from "../../support/assets.ts";
import { datasetNamed, entityOf, liveOf, stateOf, urn } from "../../support/states.ts";
import { noEdges } from "../../../src/model/membership.ts";

const tag = (id: string) => urn(`urn:li:tag:${id}`);
const [a, b] = [datasetNamed("a"), datasetNamed("b")];

const tagging = (id: string, name: string, ...tags: readonly string[]): Rule =>
  ruleOf(id, {
    conditions: [where("name", name)],
    facets: new Map([["tags", setOf(tags.map(tag), originOf(id))]]),
  });

function declaring(rules: readonly Rule[], state: State = new Map()): DeclaringRules {
  return { rules, state, exempt: new Map() };
}

function wholeWith(unexpanded: Partial<RuleSources>): ExpandedState {
  const expansion = expandAll({
    now: { ...declaring([]), references: [] },
    isIgnored: () => false,
    ...unexpanded,
  });
  for (const name of ["a", "b"]) expansion.add(assetNamed(name));
  return expansion.result();
}

const tagsOf = (state: State | undefined, of: string): readonly unknown[] | undefined => {
  const value = [...(state ?? [])].find(([each]) => each === of)?.[1].facets.get("tags");
  return value?.shape === "set" ? value.members : undefined;
};

test("what rules of any commit declared of an asset of today was declared before; the first commit's was applied", () => {
  const [first, second] = [tagging("r", "*", "x"), tagging("r", "a", "y")];
  const { applied, before } = wholeWith({
    history: { anchor: declaring([first]), later: [declaring([second])], documents: new Map() },
  });

  expect([tagsOf(applied, a), tagsOf(applied, b)]).toEqual([[tag("x")], [tag("x")]]);
  expect([tagsOf(before, a), tagsOf(before, b)]).toEqual([[tag("x"), tag("y")], [tag("x")]]);
});

test("a commit that changed only documents counts for their assets alone", () => {
  const rule = tagging("r", "*", "x");
  const only = new Set([b]);
  const exempt = new Map([a, b].map((each) => [each, new Set(["r"])]));
  const history = {
    anchor: { ...declaring([rule]), exempt },
    later: [{ ...declaring([rule]), only }],
    documents: new Map(),
  };
  const { applied, before } = wholeWith({ history });

  expect(applied?.size).toBe(0);
  expect(tagsOf(before, b)).toEqual([tag("x")]);
  expect(before?.has(a)).toBe(false);
});

test("what is compared with is expanded for the assets of today, too", () => {
  const base = { ...declaring([tagging("r", "a", "x")]), references: [] };
  const { comparisonBase } = wholeWith({ comparisonBase: base });

  expect([tagsOf(comparisonBase, a), comparisonBase?.has(b)]).toEqual([[tag("x")], false]);
});

test("what documents of a later commit declared was declared before, beside what rules did", () => {
  const documentOf = (...tags: readonly string[]): State =>
    stateOf(entityOf("Dataset", a, { tags: setOf(tags.map(tag)) }));
  const { applied, before } = wholeWith({
    history: {
      anchor: declaring([tagging("r", "*", "x")], documentOf("p")),
      later: [],
      documents: documentOf("p", "q"),
    },
  });

  expect([tagsOf(applied, a), tagsOf(applied, b)]).toEqual([[tag("p"), tag("x")], [tag("x")]]);
  expect([tagsOf(before, a), tagsOf(before, b)]).toEqual([[tag("p"), tag("q"), tag("x")], [tag("x")]]);
});

test("each version of a rule is asked for once, also those of earlier commits", () => {
  const [now, earlier] = [tagging("r", "a", "x"), tagging("r", "b", "x")];
  const unexpanded: RuleSources = {
    now: { ...declaring([now]), references: [] },
    history: { anchor: declaring([earlier]), later: [declaring([now, earlier])], documents: new Map() },
    comparisonBase: { ...declaring([earlier]), references: [] },
    isIgnored: () => false,
  };

  expect(allRules(unexpanded)).toEqual([now, earlier]);
});

test("an asset of which nobody knows what matches it is not compared, and holds back a prune", () => {
  const document = entityOf("Dataset", a, { tags: setOf([]) });
  const expansion = expandAll({
    now: { ...declaring([tagging("r", "*", "x")], stateOf(document)), references: [] },
    isIgnored: () => false,
  });
  expansion.addUnread(a);
  expansion.addUnread(b);
  const { now } = expansion.result();
  // Of the other asset nothing is known to be declared, so it is in sync.
  const state = stateOf(entityOf("Dataset", a, { tags: setOf([tag("x")]) }));
  const inSync = { count: 1, present: 1, existing: {} };
  const unread = new Map([
    [a, "no"],
    [b, "no"],
  ]);
  const old = entityOf("Tag", tag("old"), {});
  const catalog = {
    live: { ...liveOf(new Map([...state, [old.urn, old]])), inSync },
    edges: noEdges,
    existence: new Map(),
  };
  const policy = { ...defaultPolicy, base: stateOf(old), prune: new Set(["Tag"]) };
  const known = withUnread(catalog, { unread, desired: now.state, part: undefined });
  const { changes, problems } = compare(now, known, policy);

  expect(known.live.inSync).toEqual({ count: 0, present: 0, existing: {} });
  expect(changes).toEqual([]);
  expect(problems.map(({ code }) => code).toSorted()).toEqual([
    "deletion-held",
    "read-failed",
    "read-failed",
  ]);
  expect(compare(now, catalog, policy).changes).not.toEqual([]);
});

test("where all assets were read, what was read stays as it is", () => {
  const catalog = { live: liveOf(new Map()), edges: noEdges, existence: new Map() };

  expect(withUnread(catalog, { unread: new Map(), desired: new Map(), part: undefined })).toBe(catalog);
});

test("an asset of which nobody knows what matches it is unreadable only where it was asked for and is there", () => {
  const desired = stateOf(...[a, b].map((each) => entityOf("Dataset", each, { tags: setOf([]) })));
  const unreadBy = (missing: readonly Urn[], part?: ReadonlySet<Urn>): readonly Urn[] => {
    const live = { ...liveOf(new Map()), missing: new Map(missing.map((each) => [each, "absent" as const])) };
    const unread = new Map([a, b, datasetNamed("c")].map((each) => [each, "no"]));
    const known = withUnread({ live, edges: noEdges, existence: new Map() }, { unread, desired, part });
    return [...known.live.unreadable.keys()];
  };

  expect(unreadBy([])).toEqual([a, b]);
  expect(unreadBy([b])).toEqual([a]);
  expect(unreadBy([], new Set([b]))).toEqual([b]);
});

test("what could be read of such an asset is none of what was in sync", () => {
  const desired = stateOf(...[a, b].map((each) => entityOf("Dataset", each, { tags: setOf([]) })));
  const inSync = { count: 5, present: 4, existing: {} };
  const live = { ...liveOf(stateOf(entityOf("Dataset", a, {}))), inSync, unreadable: new Map([[b, "lost"]]) };
  const unread = new Map([a, b].map((each) => [each, "no"]));
  const known = withUnread(
    { live, edges: noEdges, existence: new Map() },
    { unread, desired, part: undefined },
  );

  expect(known.live.inSync).toEqual(inSync);
  expect(known.live.state.size).toBe(0);
});

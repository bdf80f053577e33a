import { expect, test } from "vitest";
import type { Rule } from "../../../src/model/rule.ts";
import { type Entity, setOf, type State } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { compare } from "../../../src/plan/compare.ts";
import { defaultPolicy, type Policy } from "../../../src/plan/base/policy.ts";
import {
  type Declarations,
  type ExpandOptions,
  expandRules,
  readDeclared,
  withRules,
} from "../../../src/sync/rules/expand-rules.ts";
import { columnTagged, ruleOf, where } from "../../support/assets.ts";
import type { MadeAspect } from "../../support/catalog.ts";
import { schemaWith } from "../../support/schema.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";
import { type Asking, askingCatalog } from "../read/asking.ts";

const [orders, clicks, carts] = ["orders", "clicks", "carts"].map(datasetNamed) as [Urn, Urn, Urn];
const [pii, gold, old] = ["pii", "gold", "old"].map((id) => urn(`urn:li:tag:${id}`)) as [Urn, Urn, Urn];

const removed = (of: Urn): MadeAspect => [of, "status", { removed: true }];
const there = (of: Urn): MadeAspect => [of, "status", { removed: false }];
const world: readonly MadeAspect[] = [
  [orders, "schemaMetadata", schemaWith("id")],
  [clicks, "schemaMetadata", schemaWith("id")],
  ...[pii, gold].map((of): MadeAspect => [of, "tagProperties", { name: of }]),
];

const tagged = (of: Urn, ...tags: readonly Urn[]): Entity => entityOf("Dataset", of, { tags: setOf(tags) });
const tagging = (id: string, tag: Urn, ...names: readonly string[]): Rule =>
  ruleOf(id, { conditions: [where("name", ...names)], facets: new Map([["tags", setOf([tag])]]) });
const declaring = (rules: readonly Rule[], state: State = stateOf()) => ({
  rules,
  state,
  exempt: new Map(),
  references: [],
});

const [lasting, forgetting] = [null, "a"].map((base) => ({ commit: "b", dirty: false, base })) as [
  ExpandOptions["git"],
  ExpandOptions["git"],
];

type Inputs = Partial<NonNullable<ExpandOptions["rules"]>>;

const noDocuments = { state: stateOf(), references: [] };

/** Documents and rules together; documents alone where there are no rules. */
async function expanded(
  { reader }: Asking,
  inputs: Inputs & { readonly rules?: readonly Rule[] },
  options: Partial<ExpandOptions> & { readonly policy?: Partial<Policy> } = {},
): Promise<Declarations> {
  const { rules = [], ...more } = inputs;
  const { policy, ...others } = options;
  const sources = { now: declaring(rules), isIgnored: () => false, select: () => undefined, ...more };
  const choices = { ...defaultPolicy, ...policy };
  return await expandRules(reader, noDocuments, choices, { git: lasting, rules: sources, ...others });
}

const tagsOf = (state: State, of: Urn): unknown => state.get(of)?.facets.get("tags");

test.each([
  ["may be forgotten", forgetting, { declared: [{ now: stateOf(tagged(orders)), before: stateOf() }] }],
  ["stays known", lasting, undefined],
])("documents without rules are what they are, also where what was declared %s", async (_, git, dormant) => {
  const { reader, asked } = await askingCatalog(world);
  const documents = { state: stateOf(tagged(orders)), references: [] };
  const policy = { ...defaultPolicy, base: stateOf() };
  const found = await expandRules(reader, documents, policy, { git });
  expect(found).toEqual({
    desired: documents,
    policy,
    dormant: dormant && expect.objectContaining(dormant),
  });
  expect(asked).toEqual([]);
});

test("rules declare of the assets that they match what documents would, now and before", async () => {
  const asking = await askingCatalog(world);
  const before = declaring([tagging("r", old, "*")]);
  const { desired, policy } = await expanded(asking, {
    rules: [tagging("r", pii, "orders")],
    history: { anchor: before, later: [], documents: stateOf() },
  });
  expect([...desired.state.keys()]).toEqual([orders]);
  expect(tagsOf(desired.state, orders)).toMatchObject(setOf([pii]));
  for (const state of [policy.base ?? stateOf(), policy.applied ?? stateOf()])
    expect([orders, clicks].map((of) => tagsOf(state, of))).toMatchObject([setOf([old]), setOf([old])]);
});

test("what is selected is known when it is known what rules match", async () => {
  const asking = await askingCatalog(world);
  const { policy } = await expanded(
    asking,
    { rules: [tagging("r", pii, "c*")], select: ({ now }) => new Set(now.state.keys()) },
    { policy: { part: new Set([orders]), base: stateOf(tagged(orders)), isStrict: true } },
  );
  expect(policy).toMatchObject({ part: new Set([clicks]), base: undefined, isStrict: true });
});

test("columns are only read of assets that a rule with columns matches", async () => {
  const asking = await askingCatalog(world);
  const rule = ruleOf("r", { conditions: [where("name", "orders")], columns: [columnTagged("*", "pii")] });
  const { desired } = await expanded(asking, { rules: [rule] });
  expect([...desired.state.keys()]).toEqual([orders]);
  const columns = asking.asked.filter(([name]) => name === "ReadAssetColumns");
  expect(columns).toEqual([["ReadAssetColumns", orders]]);
});

test("a rule that matches nothing is a problem, unless an asset could not be read", async () => {
  const rules = [tagging("r", pii, "none")];
  const problemsOf = async (failing: Readonly<Record<string, readonly Urn[]>>): Promise<unknown> =>
    (await expanded(await askingCatalog(world, failing), { rules })).ruled?.problems;
  expect(await problemsOf({})).toMatchObject([{ code: "rule-matches-nothing", args: { rule: "r" } }]);
  expect(await problemsOf({ ReadAssetFacts: [orders] })).toEqual([]);
});

test("an asset that cannot be read is declared, with nothing, and compared with nothing", async () => {
  const asking = await askingCatalog(world, { ReadAssetFacts: [orders] });
  const declarations = await expanded(asking, { rules: [tagging("r", pii, "*")] });
  expect(declarations.ruled?.unread).toEqual(new Map([[orders, "no"]]));
  expect(declarations.desired.state.get(orders)?.facets).toEqual(new Map());
  const { live } = await readDeclared(asking.reader, declarations, {});
  expect([live.unreadable, [...live.state.keys()]]).toEqual([new Map([[orders, "no"]]), [clicks]]);
});

const ruledBefore = (rules: readonly Rule[]): Inputs => ({
  history: { anchor: declaring(rules), later: [], documents: stateOf() },
});

test("of assets that are gone for the moment it is known what rules declared, where that may be forgotten", async () => {
  const asking = await askingCatalog([...world, removed(clicks), removed(carts)]);
  const before = ruledBefore([tagging("r", pii, "c*")]);
  const { dormant, desired } = await expanded(asking, before, { git: forgetting });
  expect([...(dormant?.ruled ?? [])].toSorted()).toEqual([carts, clicks]);
  expect(dormant?.declared.map(({ before: then }) => [...then.keys()].toSorted())).toEqual([[carts, clicks]]);
  expect([dormant?.unread, [...desired.state.keys()]]).toEqual([[], []]);
  expect((await expanded(asking, before)).dormant).toBeUndefined();
});

test("an asset that is gone for the moment and cannot be read is known as such, wherever it is", async () => {
  const asking = await askingCatalog(
    [[clicks, "schemaMetadata", schemaWith("id")], removed(clicks), there(orders)],
    { ReadAssetColumns: [clicks] },
  );
  const rule = ruleOf("r", { conditions: [where("name", "c*")], columns: [columnTagged("*", "pii")] });
  const { dormant, ruled } = await expanded(asking, ruledBefore([rule]), { git: forgetting });
  expect([dormant?.unread, ruled?.unread]).toEqual([[clicks], new Map()]);
  const askedBefore = asking.asked.length;
  expect((await expanded(asking, ruledBefore([rule]))).ruled?.unread).toEqual(new Map());
  expect(asking.asked.slice(askedBefore).map(([name]) => name)).not.toContain("ReadAssetColumns");
});

test("a signal ends it", async () => {
  const signal = AbortSignal.abort(new Error("stop"));
  const expanding = expanded(await askingCatalog(world), { rules: [tagging("r", pii, "*")] }, { signal });
  await expect(expanding).rejects.toThrow("stop");
});

test("where there are no rules a comparison stays as it is", async () => {
  const { reader } = await askingCatalog(world);
  const documents = { state: stateOf(tagged(orders, pii)), references: [] };
  const declarations = await expandRules(reader, documents, defaultPolicy, { git: lasting });
  const catalog = await readDeclared(reader, declarations, {});
  const comparison = compare(declarations.desired, catalog, declarations.policy);
  expect(comparison.changes).toHaveLength(1);
  expect(withRules(comparison, declarations, catalog)).toBe(comparison);
});

/** What is planned by rules, with their numbers. */
async function planned(
  rules: readonly Rule[],
  { failing = {}, ...inputs }: Inputs & { readonly failing?: Readonly<Record<string, readonly Urn[]>> } = {},
): Promise<ReturnType<typeof withRules>> {
  const asking = await askingCatalog(world, failing);
  const declarations = await expanded(asking, { rules, ...inputs });
  const catalog = await readDeclared(asking.reader, declarations, {});
  return withRules(compare(declarations.desired, catalog, declarations.policy), declarations, catalog);
}

const rules = [tagging("all", pii, "*"), tagging("none", gold, "none")];

test("a comparison has what each rule does, and the problems of rules beside its own", async () => {
  const { changes, problems, rules: counts } = await planned(rules);
  expect(changes.map(({ urn: of }) => of).toSorted()).toEqual([clicks, orders]);
  expect(counts).toMatchObject([
    { id: "all", matched: 2, matchedInPart: 2, changed: 2 },
    { id: "none", matched: 0, changed: 0 },
  ]);
  expect(counts?.map(({ incomplete }) => incomplete)).toEqual([undefined, undefined]);
  expect(problems).toMatchObject([{ code: "rule-matches-nothing", args: { rule: "none" } }]);
});

test("of a part only what rules do there is counted", async () => {
  const { rules: counts } = await planned(rules, { select: () => new Set([orders]) });
  expect(counts?.[0]).toMatchObject({ matched: 2, matchedInPart: 1, changed: 1 });
});

test.each<readonly [string, string, readonly (true | undefined)[]]>([
  ["which rules match an asset", "ReadAssetFacts", [true, true]],
  ["what an asset has that a rule matches", "ReadAssets", [true, undefined]],
])(
  "where it is not known %s, the rules are incomplete, and the plan says so",
  async (_, query, incomplete) => {
    const found = await planned(rules, { failing: { [query]: [orders] } });
    expect(found.rules?.map((each) => each.incomplete)).toEqual(incomplete);
    expect(found.problems.map(({ code, severity }) => [code, severity])).toContainEqual([
      "read-failed",
      "error",
    ]);
  },
);

import { describe, expect, test } from "vitest";
import type { LiftedViolation } from "../../src/model/catalog-policy.ts";
import type { Change } from "../../src/model/change.ts";
import type { Finding, Plan } from "../../src/model/plan.ts";
import type { RuleCount } from "../../src/model/rule-count.ts";
import type { Problem } from "../../src/model/problem.ts";
import { limitsFrom } from "../../src/plan/checks/guards/index.ts";
import { mergePlans } from "../../src/plan/merge.ts";
import type { Difference } from "../../src/plan/merge-fault.ts";
import { digestOf } from "../../src/plan/base/hash.ts";
import { liftedFindings } from "../../src/plan/policies/no-longer-stopped.ts";
import type { Urn } from "../../src/model/urn.ts";
import { planOf } from "../report/plans.ts";
import { datasetNamed, header, urn } from "../support/states.ts";

const [a, b] = [datasetNamed("a"), datasetNamed("b")];
const [finance, sales, emea] = [
  urn("urn:li:domain:finance"),
  urn("urn:li:domain:sales"),
  urn("urn:li:domain:emea"),
];
const [pii, old] = [urn("urn:li:tag:pii"), urn("urn:li:tag:old")];

function shardPlan(index: number, of: number, more: Parameters<typeof planOf>[0] = {}): Plan {
  return planOf({ shard: { index, of, inputs: "i" }, ...more });
}

const [one, two] = [shardPlan(1, 2), shardPlan(2, 2)];
const taken = planOf({ shard: { index: 2, of: 2 } });
const held: Problem = { code: "deletion-held", severity: "warning", args: { urns: [old] } };

describe("plans are not merged", () => {
  test.each<readonly [string, readonly Plan[], object]>([
    ["of which there are none", [], { fault: "no-shard", plan: 0 }],
    ["with that of the whole", [one, planOf()], { fault: "no-shard", plan: 1 }],
    ["after that of the whole", [planOf(), one], { fault: "no-shard", plan: 0 }],
    ["with a shard that was taken from a plan", [one, taken], { fault: "no-shard", plan: 1 }],
    ["after a shard that was taken from a plan", [taken, one], { fault: "no-shard", plan: 0 }],
    [
      "of other numbers of shards",
      [one, two, shardPlan(2, 3)],
      { fault: "other-number", plan: 2, of: [2, 3] },
    ],
    [
      "of which two are of one shard",
      [two, one, two],
      { fault: "twice", plans: [0, 2], shard: { index: 2, of: 2, inputs: "i" } },
    ],
    ["of which some are missing", [shardPlan(2, 4)], { fault: "missing", shards: [1, 3, 4], of: 4 }],
    ["of which one holds deletions back", [one, { ...two, problems: [held] }], { fault: "held", plan: 1 }],
    ["of which the first holds them back", [{ ...one, problems: [held] }, two], { fault: "held", plan: 0 }],
  ])("%s", (_, plans, fault) => {
    expect(mergePlans(plans)).toEqual(fault);
  });

  const scope = { directory: "catalog" };
  const vanished = { urns: [old], of: 3 };
  // What the first and the other plan say, the place where they differ, and what stands there.
  test.each<readonly [Partial<Plan>, Partial<Plan>, Difference]>([
    [
      {},
      { git: { ...header.git, commit: "c0ffee" } },
      { at: "git.commit", first: "null", other: '"c0ffee"' },
    ],
    [
      { target: "http://a", git: { ...header.git, dirty: true } },
      { target: "http://b" },
      { at: "git.dirty", first: "true", other: "false" },
    ],
    [
      { target: "http://a" },
      { target: "http://b" },
      { at: "target", first: '"http://a"', other: '"http://b"' },
    ],
    [{}, { tool: "another" }, { at: "tool", first: '"datahub-gitops/test"', other: '"another"' }],
    [{}, { writes: "conditional" }, { at: "writes", first: "null", other: '"conditional"' }],
    [{ writes: "conditional" }, {}, { at: "writes", first: '"conditional"', other: "null" }],
    [
      {},
      { limits: { deletes: { max_count: 9 } } },
      { at: "limits.deletes.max_count", first: "0", other: "9" },
    ],
    [
      { scope: { ...scope, targets: ["a", "b"] } },
      { scope: { ...scope, targets: ["a"] } },
      { at: "scope.targets", first: '["a","b"]', other: '["a"]' },
    ],
    [
      { settingsChanges: [] },
      { settingsChanges: [{ key: "x", before: null, after: "y" }] },
      { at: "settingsChanges", first: "[]", other: '[{"after":"y","before":null,"key":"x"}]' },
    ],
    [{}, { shard: { index: 2, of: 2, inputs: "j" } }, { at: "inputs", first: '"i"', other: '"j"' }],
    [
      { counts: { vanished } },
      { counts: { vanished: { ...vanished, of: 4 } } },
      { at: "vanished.of", first: "3", other: "4" },
    ],
    [{}, { counts: { vanished } }, { at: "vanished", first: "null", other: `{"of":3,"urns":["${old}"]}` }],
  ])("that differ in what all shards have in common, with the first such place: %j, %j", (own, other, at) => {
    const plans = [shardPlan(1, 2, own), shardPlan(2, 2, other)];
    expect(mergePlans(plans)).toEqual({ fault: "different", plan: 1, difference: at });
  });
});

const fingerprint = "f";

function losing(of: Urn, ...tags: readonly string[]): Change {
  return {
    action: "update",
    shape: "set",
    kind: "Dataset",
    urn: of,
    facet: "tags",
    add: [],
    remove: tags,
    fingerprint,
  };
}

const newTag: Change = { action: "create", shape: "entity", kind: "Tag", urn: pii, fingerprint };
const deletionOf = (domain: Urn): Change => {
  return { action: "delete", shape: "entity", kind: "Domain", urn: domain, fingerprint };
};
const inFinance: Change = {
  action: "update",
  shape: "scalar",
  kind: "Dataset",
  urn: b,
  facet: "domain",
  before: null,
  after: finance,
  fingerprint,
};

function missing(assets: number, columns: number): Finding {
  const flags = { flag: "--missing error", setting: "missing: error" };
  return { guard: "missing", severity: "warning", numbers: { assets, columns }, ...flags, changes: [] };
}

function counted(id: string, matched: number, [inPart, changed]: readonly [number, number]): RuleCount {
  const values = [{ facet: "tags", value: pii, on: inPart, new: changed, overruled: 1 }];
  return { id, kind: "Dataset", matched, matchedInPart: inPart, changed, values };
}

const unmanaged = (of: Urn, value: string): Plan["unmanaged"][number] => {
  return { urn: of, kind: "Dataset", facet: "tags", value, reason: "other-writer" };
};

function gone(name: string): Problem {
  const origin = { file: `${name}.yaml`, line: 1, column: 1 };
  return {
    code: "asset-missing",
    severity: "warning",
    args: { kind: "Dataset", urn: datasetNamed(name) },
    origin,
  };
}

const staleFinding: Finding = {
  ...missing(0, 0),
  guard: "deletes",
  severity: "error",
  numbers: { deletes: 9 },
};
const vanished = { urns: [emea, sales], of: 40 };
const limits = limitsFrom({ deletes: { max_count: 1 }, removals: { max_count: 1, max_percent: 50 } });
const scope = { directory: "catalog", ref: "refs/applied" };
const common = { limits, git: { commit: "c0ffee", dirty: false, base: "beef" } };

/** What stands in the plans of two shards, and in the plan of the whole. */
const first = shardPlan(1, 2, {
  ...common,
  createdAt: "2024-05-01T10:00:02.000Z",
  scope: { ...scope, left: { entities: [finance], values: 2 } },
  counts: { existing: { members: 7, tags: 1 }, vanished },
  summary: { create: 1, update: 0, delete: 2, unchanged: 5 },
  rules: [{ ...counted("r", 11, [1, 1]), incomplete: true }, counted("p", 2, [0, 0])],
  // Of two domains the one below goes first: that is no order of texts.
  changes: [newTag, deletionOf(sales), deletionOf(emea)],
  findings: [staleFinding, missing(1, 2)],
  unmanaged: [unmanaged(b, old)],
  problems: [gone("y"), held],
  names: { [sales]: "Sales", [finance]: "Finance" },
});

const second = shardPlan(2, 2, {
  ...common,
  createdAt: "2024-05-01T10:00:01.000Z",
  scope: { ...scope, left: { entities: [b, a], values: 3 } },
  counts: { existing: { tags: 3, owners: 8 }, vanished },
  summary: { create: 0, update: 2, delete: 0, unchanged: 10 },
  rules: [counted("r", 11, [10, 4]), counted("p", 2, [2, 0])],
  changes: [losing(a, "urn:li:tag:x", "urn:li:tag:y"), inFinance, losing(b, old)],
  findings: [missing(10, 20)],
  unmanaged: [unmanaged(a, "urn:li:tag:z")],
  problems: [gone("x"), held],
  names: { [finance]: "Finance & Tax", [emea]: "EMEA" },
});

const byGuards: readonly Finding[] = [
  {
    guard: "removals",
    severity: "error",
    facet: "tags",
    numbers: { removals: 3, existing: 4, max_count: 1 },
    flag: "--max-removals 3",
    setting: "guards.removals.max_count",
    changes: [
      { urn: a, facet: "tags" },
      { urn: b, facet: "tags" },
    ],
  },
  {
    guard: "deletes",
    severity: "error",
    numbers: { deletes: 2, max_count: 1 },
    flag: "--max-deletes 2",
    setting: "guards.deletes.max_count",
    changes: [{ urn: sales }, { urn: emea }],
  },
];

const content = {
  formatVersion: "1",
  target: header.target,
  limits,
  changes: [
    newTag,
    losing(a, "urn:li:tag:x", "urn:li:tag:y"),
    inFinance,
    losing(b, old),
    deletionOf(sales),
    deletionOf(emea),
  ],
  findings: [missing(11, 22), ...byGuards],
} as const;

const whole: Plan = {
  ...content,
  tool: header.tool,
  git: common.git,
  createdAt: "2024-05-01T10:00:01.000Z",
  scope: { ...scope, left: { entities: [a, b, finance], values: 5 } },
  counts: { existing: { tags: 4 }, vanished },
  digest: digestOf(content),
  summary: {
    create: 1,
    update: 2,
    delete: 2,
    unchanged: 15,
    additions: 1,
    replacements: 0,
    removals: 3,
    unmanaged: 2,
    conflicts: 0,
    blocked: 4,
    heldBack: 0,
  },
  rules: [
    { ...counted("p", 2, [2, 0]), values: [{ facet: "tags", value: pii, on: 2, new: 0, overruled: 2 }] },
    {
      ...counted("r", 11, [11, 5]),
      values: [{ facet: "tags", value: pii, on: 11, new: 5, overruled: 2 }],
      incomplete: true,
    },
  ],
  unmanaged: [unmanaged(a, "urn:li:tag:z"), unmanaged(b, old)],
  problems: [held, gone("x"), gone("y")],
  names: { [emea]: "EMEA", [finance]: "Finance & Tax", [sales]: "Sales" },
};

test("the plans of all shards are one that is judged as a whole, in whatever order they are given", () => {
  expect(mergePlans([first, second])).toStrictEqual({ plan: whole });
  expect(mergePlans([second, first])).toStrictEqual({ plan: whole });
});

test("what no shard says the whole does not say, and what one does not say is nothing", () => {
  const plans = [
    shardPlan(1, 3),
    shardPlan(2, 3, { counts: { existing: { tags: 5, owners: 2 } } }),
    shardPlan(3, 3, { changes: [losing(a, old)], summary: { update: 1 } }),
  ].map((plan) => ({ ...plan, scope: { directory: "catalog" } }));
  const expected = planOf({
    scope: { directory: "catalog" },
    counts: { existing: { tags: 5 } },
    changes: [losing(a, old)],
    summary: { update: 1, removals: 1 },
  });
  expect(mergePlans(plans)).toStrictEqual({ plan: { ...expected, digest: digestOf(expected) } });
});

test("shards that change nothing are a plan that changes nothing, and counts nothing", () => {
  const nothing = planOf();
  const plans = [one, { ...two, counts: { existing: { tags: 3 } } }];
  expect(mergePlans(plans)).toStrictEqual({ plan: { ...nothing, digest: digestOf(nothing) } });
});

test("a single shard is the whole", () => {
  const nothing = planOf();
  expect(mergePlans([shardPlan(1, 1)])).toStrictEqual({ plan: { ...nothing, digest: digestOf(nothing) } });
});

test("the whole says what no longer stops it, and which settings and policies changed", () => {
  const settingsChanges = [{ key: "max_deletes", before: "1", after: "2" }];
  const policyChanges = [{ key: "pii", before: "error", after: "warning" }];
  const lifted = (entity: Urn): LiftedViolation => ({
    policy: "pii",
    urn: entity,
    reasons: ["has no owner"],
  });
  const shards = [[b], [a]].map((urns, index) => ({
    ...shardPlan(index + 1, 2),
    settingsChanges,
    policyChanges,
    strictPolicies: true as const,
    noLongerStopped: urns.map(lifted),
    findings: liftedFindings(urns.map(lifted), true),
  }));
  const found = mergePlans(shards);
  const noLongerStopped = [lifted(a), lifted(b)];
  const findings = liftedFindings(noLongerStopped, true);
  const expected = planOf({
    settingsChanges,
    policyChanges,
    strictPolicies: true,
    noLongerStopped,
    findings,
    summary: { blocked: 2 },
  });
  expect(found).toStrictEqual({ plan: { ...expected, digest: digestOf(expected) } });
});

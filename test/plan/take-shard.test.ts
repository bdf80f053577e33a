import { expect, test } from "vitest";
import type { Change } from "../../src/model/change.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { Urn } from "../../src/model/urn.ts";
import { digestOf } from "../../src/plan/base/hash.ts";
import { awaitedBy, shardOfPlan } from "../../src/plan/shard.ts";
import { findings, planOf } from "../report/plans.ts";
import { datasetNamed, urn } from "../support/states.ts";

// Of four shards `f` is in the first, `c` in the second, and `b` in the last.
const [b, c, f] = [datasetNamed("b"), datasetNamed("c"), datasetNamed("f")];
const pii = urn("urn:li:tag:pii");
const [finance, sales] = [urn("urn:li:domain:finance"), urn("urn:li:domain:sales")];

function tagging(of: Urn, add: readonly Urn[], remove: readonly Urn[] = []): Change {
  const about = { action: "update", shape: "set", kind: "Dataset", urn: of, fingerprint: "f" } as const;
  return { ...about, facet: "tags", add, remove };
}

function inDomain(of: Urn, domain: Urn): Change {
  const about = { action: "update", shape: "scalar", kind: "Dataset", urn: of, fingerprint: "f" } as const;
  return { ...about, facet: "domain", before: null, after: domain };
}

const newTag: Change = { action: "create", shape: "entity", kind: "Tag", urn: pii, fingerprint: "f" };
const newDomain: Change = { ...newTag, kind: "Domain", urn: finance };
const restored: Change = {
  action: "update",
  shape: "scalar",
  kind: "Domain",
  urn: sales,
  facet: "removed",
  before: true,
  after: false,
  fingerprint: "f",
};

test("a shard of a plan has what belongs to it; what was found, and what stays as it is, is about the whole", () => {
  const own: readonly Change[] = [inDomain(c, finance), tagging(c, [pii], [finance])];
  const left = (of: Urn): Plan["unmanaged"][number] => {
    return { urn: of, kind: "Dataset", facet: "tags", value: "urn:li:tag:x", reason: "other-writer" };
  };
  const whole = planOf({
    findings: findings.map((finding) => ({ ...finding, changes: [{ urn: b }, { urn: f }] })),
    changes: [newTag, tagging(b, [pii]), ...own, tagging(f, [pii])],
    unmanaged: [left(b), left(c), left(f)],
    summary: { create: 1, update: 3, unchanged: 17, unmanaged: 3, additions: 4, removals: 1, blocked: 2 },
    shard: { index: 1, of: 1, inputs: "i" },
  });
  const cut = {
    ...whole,
    shard: { index: 2, of: 4 },
    changes: own,
    unmanaged: [left(c)],
    summary: { ...whole.summary, create: 0, update: 1, unmanaged: 1, additions: 2, removals: 1 },
  };
  expect(shardOfPlan(whole, { index: 2, of: 4 })).toStrictEqual({ ...cut, digest: digestOf(cut) });
});

test("a shard waits for what its changes refer to and other shards create or restore", () => {
  const own = [tagging(c, [pii], [finance]), inDomain(b, sales)];
  const all = [newTag, newDomain, restored, tagging(f, [finance]), ...own];
  expect(awaitedBy({ changes: own }, { changes: all })).toEqual(new Set([pii, sales]));
});

test("a shard does not wait for what it creates itself, or for what only changes", () => {
  const own = [newTag, tagging(c, [pii, finance])];
  const all = [...own, { ...restored, urn: finance, facet: "description", before: "a", after: "b" }];
  expect(awaitedBy({ changes: own }, { changes: all })).toEqual(new Set());
});

import { describe, expect, test } from "vitest";
import type { Live } from "../../src/model/live.ts";
import type { Finding } from "../../src/model/plan.ts";
import type { Problem } from "../../src/model/problem.ts";
import { type Entity, type KindName, scalarOf, setOf, type State } from "../../src/model/state.ts";
import type { Urn } from "../../src/model/urn.ts";
import { digestOf, sha256 } from "../../src/plan/base/hash.ts";
import { ignoring } from "../../src/plan/base/ignore.ts";
import { type Comparison } from "../../src/plan/compare.ts";
import { compareStates } from "../support/compare-states.ts";
import { applyGuards, type PlanContent, refusingProblems } from "../../src/plan/plan.ts";
import { makePlan } from "../support/make-plan.ts";
import { limitsFrom } from "../../src/plan/checks/guards/index.ts";
import { defaultPolicy, type Policy } from "../../src/plan/base/policy.ts";
import {
  datasetNamed,
  entityOf,
  header,
  knowing,
  liveOf,
  stateOf,
  urn,
  withGroups,
} from "../support/states.ts";

const a = datasetNamed("a");
const b = datasetNamed("b");
const c = datasetNamed("c");
const d = datasetNamed("d");
const origin = { file: "catalog/a.yaml", line: 4, column: 1 };

const tag = (id: string, more: Partial<Entity> = {}): Entity => {
  return { ...entityOf("Tag", urn(`urn:li:tag:${id}`), {}), ...more };
};

const tagThere = (id: string): Entity =>
  entityOf("Tag", urn(`urn:li:tag:${id}`), {
    owners: setOf([]),
    name: scalarOf(id),
    description: scalarOf("d"),
    color_hex: scalarOf(null),
    removed: scalarOf(false),
  });

interface Case {
  readonly desired?: State;
  readonly live?: State;
  readonly base?: State;
  readonly policy?: Partial<Policy>;
  readonly known?: Partial<Live>;
}

function compared({
  desired = new Map(),
  live = new Map(),
  base,
  policy: own,
  known,
}: Case): Comparison & Pick<PlanContent, "summary" | "findings"> {
  const found = { ...liveOf(live, desired), ...known };
  const policy = { ...defaultPolicy, ...(base && { base }), ...own };
  const comparison = compareStates(desired, found, policy);
  const { summary, findings } = applyGuards(comparison, policy);
  return { ...comparison, summary, findings };
}

const prune = new Set<KindName>(["Domain", "Tag", "Group"]);

describe("what is new", () => {
  test("is created with what it declares and its name", () => {
    const desired = stateOf(tag("t", { facets: new Map([["description", scalarOf("d", origin)]]), origin }));
    const about = {
      action: "create",
      shape: "scalar",
      kind: "Tag",
      urn: "urn:li:tag:t",
      fingerprint: sha256(null),
    };

    const { changes, problems, summary } = compared({ desired });

    expect(changes).toEqual([
      { ...about, facet: "description", before: null, after: "d", source: origin },
      { ...about, facet: "name", before: null, after: "t", source: origin },
    ]);
    expect(problems).toEqual([]);
    expect(summary).toMatchObject({ create: 1, update: 0, unchanged: 0 });
  });

  test("and declares nothing and has no name is one change without facet", () => {
    const user = urn("urn:li:corpuser:u");
    const about = {
      action: "create",
      shape: "entity",
      kind: "User",
      urn: user,
      fingerprint: sha256(null),
    };

    expect(compared({ desired: stateOf(entityOf("User", user, {})) }).changes).toStrictEqual([about]);
    expect(compared({ desired: stateOf({ ...entityOf("User", user, {}), origin }) }).changes).toStrictEqual([
      { ...about, source: origin },
    ]);
  });

  test("is not an asset: that is a problem", () => {
    const desired = stateOf(entityOf("Dataset", a, { tags: setOf(["t"]) }));

    expect(compared({ desired })).toMatchObject({
      changes: [],
      problems: [{ code: "asset-missing" }],
      summary: { create: 0, unchanged: 0 },
    });
  });
});

describe("what base declares and nobody declares any more", () => {
  const base = stateOf(tag("old", { facets: new Map([["description", scalarOf("d")]]) }));
  const live = stateOf(tagThere("old"));
  const listed = ({ unmanaged }: Comparison): readonly unknown[] =>
    unmanaged.map(({ facet, reason }) => [facet, reason]);

  test("stays and is listed, unless it is asked to be deleted", () => {
    const comparison = compared({ base, live });

    expect(comparison.changes).toEqual([]);
    expect(listed(comparison)).toEqual([["description", "no-longer-declared"]]);
    expect(comparison.summary).toMatchObject({ delete: 0, unmanaged: comparison.unmanaged.length });
  });

  test("is deleted where that is asked for, and then nothing of it is listed", () => {
    const comparison = compared({ base, live, policy: { prune } });

    expect(comparison.changes).toMatchObject([{ action: "delete", urn: "urn:li:tag:old" }]);
    expect(comparison.unmanaged).toEqual([]);
    expect(comparison.summary).toMatchObject({ delete: 1, update: 0, unchanged: 0, unmanaged: 0 });
  });

  test("is not deleted where no base is known", () => {
    const comparison = compared({ live, policy: { prune } });

    expect(comparison.changes).toEqual([]);
    expect(comparison.unmanaged).toEqual([]);
  });

  test("comes after all other changes", () => {
    const desired = stateOf(entityOf("Dataset", a, { tags: setOf(["t"]) }));
    const there = stateOf(entityOf("Dataset", a, { tags: setOf([]) }), tagThere("old"));

    const { changes } = compared({ desired, base, live: there, policy: { prune } });

    expect(changes.map(({ action }) => action)).toEqual(["update", "delete"]);
  });

  test("is a problem where it could not be read, and none where it is not there", () => {
    const unreadable = new Map([[urn("urn:li:tag:old"), "no"]]);
    const missing = new Map([[urn("urn:li:tag:old"), "absent" as const]]);

    expect(compared({ base, known: { unreadable } }).problems).toMatchObject([{ code: "read-failed" }]);
    expect(compared({ base, known: { missing } }).problems).toEqual([]);
  });

  test("blocks the plan where it is too much of base, but not what is still declared", () => {
    const limits = { ...defaultPolicy.limits, vanished: { max_percent: 50, min_existing: 2 } };
    const [one, other] = [tag("old"), tag("kept")];
    const blocked = (desired: State, ...more: readonly Entity[]): readonly Finding[] =>
      compared({ desired, policy: { base: stateOf(one, other, ...more), limits } }).findings;

    expect(blocked(new Map())).toMatchObject([
      {
        guard: "vanished",
        numbers: { vanished: 2, declared: 2 },
        changes: [{ urn: other.urn }, { urn: one.urn }],
      },
    ]);
    expect(blocked(stateOf(other))).toEqual([]);
    const more = [tag("a"), tag("b")];
    expect(blocked(stateOf(...more), ...more)).toEqual([]);
  });
});

describe("the summary", () => {
  test("counts entities by what becomes of them, and values", () => {
    const desired = stateOf(
      entityOf("Dataset", a, { tags: setOf(["x", "y"]), owners: setOf([]), domain: scalarOf("d") }),
      entityOf("Dataset", b, { tags: setOf(["x"]), domain: scalarOf("e") }),
      entityOf("Dataset", c, { domain: scalarOf(null) }),
      entityOf("Dataset", d, { tags: setOf(["x"]) }),
      entityOf("Tag", urn("urn:li:tag:new"), { name: scalarOf("New"), color_hex: scalarOf("#ff0000") }),
    );
    const live = stateOf(
      entityOf("Dataset", a, { tags: setOf(["z"]), owners: setOf(["u", "v"]), domain: scalarOf(null) }),
      entityOf("Dataset", b, { tags: setOf(["x"]), domain: scalarOf("d") }),
      entityOf("Dataset", c, { domain: scalarOf("d") }),
      entityOf("Dataset", d, { tags: setOf(["x"]) }),
      tagThere("old"),
    );

    expect(compared({ desired, live, base: stateOf(tag("old")), policy: { prune } }).summary).toEqual({
      create: 1,
      update: 3,
      delete: 1,
      unchanged: 1,
      additions: 5,
      replacements: 1,
      removals: 4,
      unmanaged: 0,
      conflicts: 0,
      blocked: 1,
      heldBack: 0,
    });
  });

  test("counts what is held back as that alone, whichever way it is settled for the live value", () => {
    const desired = stateOf(
      entityOf("Dataset", a, { domain: scalarOf("d") }),
      entityOf("Dataset", b, { domain: scalarOf(null), tags: setOf(["x"]) }),
      entityOf("Dataset", c, { domain: scalarOf("d") }),
    );
    const live = stateOf(
      entityOf("Dataset", a, { domain: scalarOf("e") }),
      entityOf("Dataset", b, { domain: scalarOf("e"), tags: setOf([]) }),
      entityOf("Dataset", c, { domain: scalarOf("d") }),
    );
    const counts = (onConflict?: Policy["onConflict"]): object =>
      compared({ desired, live, policy: { modes: { domain: "merge" }, ...(onConflict && { onConflict }) } })
        .summary;
    const held = { update: 1, unchanged: 1, additions: 1, replacements: 0, removals: 0, heldBack: 2 };

    expect(counts()).toMatchObject(held);
    expect(counts("live")).toMatchObject(held);
    expect(counts("desired")).toMatchObject({
      update: 2,
      unchanged: 1,
      additions: 1,
      replacements: 1,
      removals: 1,
      heldBack: 0,
    });
  });

  test("counts conflicts that are not settled for the manifests", () => {
    const desired = stateOf(entityOf("Dataset", a, { domain: scalarOf("d") }));
    const live = stateOf(entityOf("Dataset", a, { domain: scalarOf("e") }));
    const conflicts = (policy: Partial<Policy>): number =>
      compared({ desired, live, policy: { modes: { domain: "merge" }, ...policy } }).summary.conflicts;

    expect(conflicts({})).toBe(1);
    expect(conflicts({ onConflict: "live" })).toBe(1);
    expect(conflicts({ onConflict: "desired" })).toBe(0);
    expect(conflicts({ modes: {} })).toBe(0);
  });

  test("counts each change that is blocked", () => {
    const base = stateOf(tag("one"), tag("other"));
    const live = stateOf(tagThere("one"), tagThere("other"));

    expect(compared({ base, live, policy: { prune } }).summary).toMatchObject({ delete: 2, blocked: 2 });
  });

  test("counts a change that two limits block once", () => {
    const desired = stateOf(entityOf("Dataset", a, { tags: setOf([]), owners: setOf([]) }));
    const live = stateOf(entityOf("Dataset", a, { tags: setOf(["x", "y"]), owners: setOf(["u"]) }));
    const limits = {
      ...defaultPolicy.limits,
      removals: { max_percent: 50, max_count: 1, min_existing: 2 },
    };

    const { findings, summary } = compared({ desired, live, policy: { limits } });

    expect(findings.map(({ facet }) => facet)).toEqual(["tags", "tags"]);
    expect(summary.blocked).toBe(1);
  });
});

test("who leaves a group that is deleted falls with it", () => {
  const [alice, fin] = [urn("urn:li:corpuser:alice"), urn("urn:li:corpGroup:fin")];
  const user = entityOf("User", alice, {});
  const live = stateOf(
    { ...user, facets: new Map([["removed", scalarOf(false)]]) },
    entityOf("Group", fin, { members: setOf([]), removed: scalarOf(false) }),
  );
  const policy = {
    ...defaultPolicy,
    base: stateOf(entityOf("Group", fin, {})),
    prune,
  };

  const { changes } = compareStates(
    withGroups(stateOf(user), new Map([[alice, { origin, groups: new Set<Urn>() }]])),
    liveOf(live),
    policy,
    knowing({ groupsOf: new Map([[alice, new Set([fin])]]) }),
  );

  expect(changes.map(({ action, urn: of }) => [action, of])).toEqual([["delete", fin]]);
});

test("what is ignored is not listed", () => {
  const desired = stateOf(entityOf("Dataset", a, { tags: setOf([]) }));
  const live = stateOf(entityOf("Dataset", a, { tags: setOf(["dbt:x", "x"]) }));
  const ignored = ignoring([{ value: "dbt:*", reason: "r" }]);

  const { unmanaged, changes } = compared({ desired, live, policy: { ignored, modes: { tags: "merge" } } });

  expect(unmanaged).toMatchObject([{ value: "x", reason: "other-writer" }]);
  expect(changes).toEqual([]);
});

test("columns are named as in the catalog, in what is declared and in what was", () => {
  const path = "[version=2.0].[type=struct].[type=string].email";
  const columns = (column: string, ...tags: readonly string[]): State =>
    stateOf(
      entityOf("Dataset", a, { "columns.tags": { shape: "map", entries: new Map([[column, setOf(tags)]]) } }),
    );

  const { changes, problems } = compared({
    desired: columns("email"),
    base: columns("email", "x"),
    live: columns(path, "x", "y"),
    policy: { modes: { "columns.tags": "merge" } },
  });

  expect(problems).toEqual([]);
  expect(changes).toMatchObject([
    { path: [path], add: [], remove: ["x"], removed: [{ value: "x", declaredBefore: true }] },
  ]);
});

test("a column that is not there, and domains in a circle, are problems of the plan", () => {
  const columns = (column: string): State =>
    stateOf(
      entityOf("Dataset", a, { "columns.tags": { shape: "map", entries: new Map([[column, setOf([])]]) } }),
    );
  const domain = urn("urn:li:domain:d");
  const top = (parent: string | null): State =>
    stateOf(entityOf("Domain", domain, { parent_domain: scalarOf(parent, origin) }));

  const { problems } = compared({
    desired: new Map([...columns("x"), ...top(domain)]),
    live: new Map([...columns("y"), ...top(null)]),
  });

  expect(problems.map(({ code }) => code)).toEqual(["column-unknown", "parent-cycle"]);
});

describe("a plan", () => {
  const finding: Finding = {
    guard: "removals",
    severity: "error",
    facet: "tags",
    numbers: {},
    flag: "f",
    setting: "s",
    changes: [],
  };
  const desired = stateOf(entityOf("Dataset", a, { tags: setOf(["t"], origin) }));
  const live = stateOf(entityOf("Dataset", a, { tags: setOf([]) }));
  const found = (): ReturnType<typeof compared> => compared({ desired, live });
  const missing: Problem = { code: "asset-missing", severity: "error", args: { kind: "Dataset", urn: a } };
  const twice: Problem = { code: "duplicate-key", severity: "error", args: { key: "id" } };
  const unread: Problem = { code: "read-failed", severity: "error", args: { urn: a, error: "no" } };

  test("holds its header, its limits, what was found, and a digest of what is carried out", () => {
    const comparison = found();
    const { summary, changes } = comparison;
    const limits = { deletes: { max_count: 2 } };
    const sealed = {
      formatVersion: "1",
      target: header.target,
      limits,
      changes: changes.map(({ source: _, ...change }) => change),
      findings: [],
    };

    const policy = { ...defaultPolicy, limits: limitsFrom(limits) };
    expect(makePlan(header, comparison, policy)).toStrictEqual({
      formatVersion: "1",
      ...header,
      limits,
      digest: `sha256:${sha256(sealed)}`,
      summary,
      changes,
      findings: [],
      unmanaged: [],
    });
  });

  test("has another digest with another target, limit, change or finding, and the same from another line", () => {
    const plan = makePlan(header, found(), defaultPolicy);
    const moved = plan.changes.map((change) => ({
      ...change,
      source: { ...origin, line: 9 },
    }));
    const others = [
      { ...plan, target: "other" },
      { ...plan, limits: { vanished: { max_percent: 31 } } },
      { ...plan, changes: [] },
      { ...plan, findings: [finding] },
    ].map(digestOf);

    expect(new Set([plan.digest, ...others]).size).toBe(5);
    expect(digestOf({ ...plan, changes: moved, createdAt: "later" } as typeof plan)).toBe(plan.digest);
  });

  test("names what is gone as a finding before the others where it is left out", () => {
    const tagged = stateOf(entityOf("Dataset", a, { tags: setOf(["old"]) }));
    const { findings, problems } = makePlan(
      header,
      { ...compared({ desired, live: tagged }), problems: [missing] },
      { ...defaultPolicy, missing: "skip", limits: limitsFrom({ removals: { max_count: 0 } }) },
    );

    expect(findings.map(({ guard }) => guard)).toEqual(["missing", "removals"]);
    expect(problems).toMatchObject([{ code: "asset-missing", severity: "warning" }]);
  });

  test("is refused by default where something declared is gone", () => {
    const comparison = { ...found(), problems: [missing] };
    const { findings, problems } = makePlan(header, comparison, defaultPolicy);

    expect(findings).toEqual([]);
    expect(problems).toMatchObject([{ code: "asset-missing", severity: "error" }]);
  });

  test("is refused for its errors, but not for warnings and for what could not be read", () => {
    const problems: readonly Problem[] = [twice, { ...missing, severity: "warning" }, unread];

    expect(refusingProblems({ problems })).toEqual([twice]);
    expect(refusingProblems({})).toEqual([]);
  });
});

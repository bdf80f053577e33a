import { describe, expect, test } from "vitest";
import type { Live } from "../../src/model/live.ts";
import { type KnownEdges, noEdges } from "../../src/model/membership.ts";
import { type Entity, type Member, scalarOf, setOf, type State } from "../../src/model/state.ts";
import type { Urn } from "../../src/model/urn.ts";
import { type Comparison } from "../../src/plan/compare.ts";
import { compareStates } from "../support/compare-states.ts";
import { defaultPolicy, type Policy } from "../../src/plan/base/policy.ts";
import { datasetNamed, entityOf, knowing, liveOf, stateOf, urn, withGroups } from "../support/states.ts";

const [a, b] = [datasetNamed("a"), datasetNamed("b")];
const [ada, carl] = [urn("urn:li:corpuser:ada"), urn("urn:li:corpuser:carl")];
const fin = urn("urn:li:corpGroup:fin");

interface Case {
  readonly desired: State;
  readonly live: State;
  readonly known?: Partial<Live>;
  readonly policy?: Partial<Policy>;
  readonly edges?: KnownEdges;
}

function compared({ desired, live, known, policy, edges = noEdges }: Case): Comparison {
  return compareStates(
    desired,
    { ...liveOf(live, desired), ...known },
    { ...defaultPolicy, ...policy },
    edges,
  );
}

const tagged = (of: Urn, ...tags: readonly Member[]): Entity =>
  entityOf("Dataset", of, { tags: setOf(tags) });
const part = new Set([a]);

describe("of a part of the assets", () => {
  const desired = stateOf(tagged(a, "x"), tagged(b, "x", "y", "z"));

  test("guards count of those that were not read what is declared", () => {
    const live = stateOf(tagged(a, "x", "gone"));
    const known = { missing: new Map(), readUrns: part };

    expect(compared({ desired, live, known, policy: { part } }).counts).toEqual({ existing: { tags: 5 } });
  });

  test("guards count of a shard its own live values alone, of every facet", () => {
    const live = stateOf(tagged(a, "x"), tagged(b, "x", "y", "z"));
    const policy = { part, shard: { index: 1, of: 2 } };

    expect(compared({ desired, live, policy }).counts).toEqual({ existing: { tags: 1 } });
  });

  test("only those in it count as unchanged", () => {
    const live = stateOf(tagged(a, "x"), tagged(b, "x", "y", "z"));

    expect(compared({ desired, live }).unchanged).toBe(2);
    expect(compared({ desired, live, policy: { part } }).unchanged).toBe(1);
  });

  const deprecated = (of: Urn, line: number): Entity => {
    const origin = { file: "catalog/a.yaml", line, column: 1 };
    return entityOf("Dataset", of, { deprecation: scalarOf({ note: "x", replacement: b }, origin) });
  };
  const all = stateOf(deprecated(b, 1), deprecated(a, 2));

  test("what the server's release does not have is a problem of those in it", () => {
    const known = { fields: new Set(["Deprecation.note"]) };

    expect(compared({ desired: all, live: all, known, policy: { part } }).problems).toMatchObject([
      { code: "not-in-release", args: { urn: a, facet: "deprecation" } },
    ]);
  });
});

test("of an asset that was in sync and dropped while it was read there are no problems", () => {
  const desired = stateOf(entityOf("Dataset", b, { deprecation: scalarOf({ note: "x", replacement: a }) }));
  const known = { fields: new Set(["Deprecation.note"]), missing: new Map() };

  expect(compared({ desired, live: new Map(), known }).problems).toEqual([]);
});

test("assets that were in sync and dropped while they were read count once", () => {
  const inSync = { count: 1, present: 1, existing: {} };
  const desired = stateOf(tagged(a, "x"), tagged(b, "x"));

  const { unchanged } = compared({
    desired,
    live: stateOf(tagged(a, "x")),
    known: { missing: new Map(), inSync },
  });

  expect(unchanged).toBe(2);
});

describe("of a group that a user lists", () => {
  const group = (...members: readonly Urn[]): Entity => entityOf("Group", fin, { members: setOf(members) });
  const user = entityOf("User", ada, { removed: scalarOf(false) });
  const there = entityOf("Group", fin, { removed: scalarOf(false), incomplete: scalarOf(false) });
  const known = { missing: new Map() };

  test("nothing counts as unchanged, if only the user is declared", () => {
    const desired = withGroups(stateOf(entityOf("User", ada, {})), new Map([[ada, [fin]]]));
    const edges = knowing({ groupsOf: new Map([[ada, new Set([fin])]]) });

    const comparison = compared({ desired, live: stateOf(user, there), known, edges });

    expect(comparison.changes).toEqual([]);
    expect(comparison.unchanged).toBe(1);
  });

  test.each([
    ["without the group covers nothing but the user", [ada], { elements: [], except: ["*"] }],
    ["with the group covers the other members, too", [ada, fin], { elements: [carl], except: [] }],
  ])("a change in a part %s", (_, inPart, covers) => {
    const desired = withGroups(stateOf(group(carl), entityOf("User", ada, {})), new Map([[ada, [fin]]]));
    const edges = knowing({
      groupsOf: new Map([
        [ada, new Set()],
        [carl, new Set([fin])],
      ]),
    });
    const looked = new Set(inPart);
    const given = { desired, live: stateOf(user, there), edges };

    expect(
      compared({ ...given, known: { ...known, readUrns: looked }, policy: { part: looked } }).changes,
    ).toMatchObject([{ urn: fin, add: [ada], remove: [], covers }]);
  });
});

describe("a change sets back what others changed since", () => {
  const inDomain = (of: string): State => stateOf(entityOf("Dataset", a, { domain: scalarOf(of) }));
  const [desired, live] = [inDomain("urn:li:domain:ours"), inDomain("urn:li:domain:theirs")];

  test.each([
    ["the base, where that is what was applied", undefined, ["urn:li:domain:ours"]],
    ["the last applied commit, if that declares it", desired, ["urn:li:domain:ours"]],
    ["the last applied commit, if that declares another value", inDomain("urn:li:domain:old"), undefined],
  ])("%s", (_, applied, reverts) => {
    const [change] = compared({ desired, live, policy: { base: desired, applied } }).changes;

    expect(change?.reverts).toEqual(reverts);
  });
});

test("of a deleted domain, only what no other problem names is named as below it", () => {
  const [top, other] = [urn("urn:li:domain:top"), urn("urn:li:domain:other")];
  const [declared, held, left] = ["declared", "held", "left"].map((id) => urn(`urn:li:domain:${id}`)) as [
    Urn,
    Urn,
    Urn,
  ];
  const below = (of: Urn, parent: Urn | null): Entity =>
    entityOf("Domain", of, { parent_domain: scalarOf(parent), removed: scalarOf(false) });
  const live = stateOf(
    below(top, null),
    below(other, null),
    ...[declared, held, left].map((of) => below(of, top)),
  );
  const desired = stateOf(
    entityOf("Domain", declared, { parent_domain: scalarOf(top) }),
    entityOf("Domain", held, { parent_domain: scalarOf(other) }),
  );
  const policy: Partial<Policy> = {
    base: stateOf(entityOf("Domain", top, {})),
    prune: new Set(["Domain"]),
    modes: { parent_domain: "merge" },
  };

  expect(compared({ desired, live, policy }).problems).toEqual([
    { code: "deleted-value", severity: "error", args: { urn: top, on: held, facet: "parent_domain" } },
    { code: "deleted-parent", severity: "error", args: { urn: top, below: [left] } },
  ]);
});

test("a part that deletes a domain without what is deleted below it outside of the part is refused", () => {
  const [top, low] = [urn("urn:li:domain:top"), urn("urn:li:domain:low")];
  const below = (of: Urn, parent: Urn | null): Entity =>
    entityOf("Domain", of, { parent_domain: scalarOf(parent), removed: scalarOf(false) });
  const live = stateOf(below(top, null), below(low, top));
  const problemsOf = (...urns: readonly Urn[]): Comparison["problems"] => {
    const policy = { base: live, prune: new Set(["Domain"]), part: new Set(urns) };
    return compared({ desired: new Map(), live, policy }).problems;
  };

  expect(problemsOf(top)).toMatchObject([{ code: "deleted-parent", args: { urn: top, below: [low] } }]);
  expect(problemsOf(top, low)).toEqual([]);
});

test("a part deletes nothing that a value outside of it holds", () => {
  const [old, tag] = [urn("urn:li:corpGroup:old"), urn("urn:li:tag:t")];
  const owned = (...owners: readonly Urn[]): Entity =>
    entityOf("Tag", tag, {
      owners: setOf(owners.map((owner) => ({ owner, type: "t" }))),
      removed: scalarOf(false),
    });
  const group = entityOf("Group", old, { removed: scalarOf(false) });
  const policy: Partial<Policy> = {
    base: stateOf(group, owned()),
    prune: new Set(["Group"]),
    modes: { owners: "additive" },
    part: new Set([old]),
  };

  expect(
    compared({
      desired: stateOf(entityOf("Tag", tag, { owners: setOf([]) })),
      live: stateOf(group, owned(old)),
      policy,
    }).problems,
  ).toEqual([{ code: "deleted-value", severity: "error", args: { urn: old, on: tag, facet: "owners" } }]);
});

import { describe, expect, test } from "vitest";
import type { Live } from "../../src/model/live.ts";
import { noEdges } from "../../src/model/membership.ts";
import type { DeclaredReference, Existence } from "../../src/model/reference.ts";
import { scalarOf, setOf, type State } from "../../src/model/state.ts";
import type { Urn } from "../../src/model/urn.ts";
import { compare, type Comparison } from "../../src/plan/compare.ts";
import { referenceHash } from "../../src/plan/align/deletion.ts";
import { applyGuards, type PlanContent } from "../../src/plan/plan.ts";
import { defaultPolicy, type Policy } from "../../src/plan/base/policy.ts";
import { datasetNamed, entityOf, liveOf, stateOf, urn } from "../support/states.ts";

const [a, b] = [datasetNamed("a"), datasetNamed("b")];
const [pii, old] = [urn("urn:li:tag:pii"), urn("urn:li:tag:old")];
const origin = { file: "catalog/a.yaml", line: 4, column: 1 };

const tagThere = (of: Urn): State =>
  stateOf(
    entityOf("Tag", of, {
      owners: setOf([]),
      name: scalarOf("x"),
      description: scalarOf(null),
      color_hex: scalarOf(null),
      removed: scalarOf(false),
    }),
  );
const tagged = (of: Urn, ...tags: readonly Urn[]): State =>
  stateOf(entityOf("Dataset", of, { tags: setOf(tags) }));

interface Case {
  readonly desired?: State;
  readonly references?: readonly DeclaredReference[];
  readonly live?: State;
  readonly known?: Partial<Live>;
  readonly existence?: ReadonlyMap<Urn, Existence>;
  readonly policy?: Partial<Policy>;
}

function compared({
  desired = new Map(),
  live = new Map(),
  ...more
}: Case): Comparison & Pick<PlanContent, "summary"> {
  const { references = [], known, existence = new Map(), policy: own } = more;
  const found = { ...liveOf(live, desired), ...known };
  const catalog = { live: found, edges: noEdges, existence };
  const policy = { ...defaultPolicy, ...own };
  const comparison = compare({ state: desired, references }, catalog, policy);
  return { ...comparison, summary: applyGuards(comparison, policy).summary };
}

const codes = ({ problems }: Comparison): readonly string[] => problems.map(({ code }) => code);
const actions = ({ changes }: Comparison): readonly string[] => changes.map(({ action }) => action);

function referring(from: Urn, to: Urn): DeclaredReference {
  return { urn: to, entityType: "tag", from, facet: "tags", origin };
}

describe("what nobody declares any more, and is to be deleted,", () => {
  const base = new Map([...stateOf(entityOf("Tag", old, {})), ...tagged(a)]);
  const pruned = { base, prune: new Set(["Tag"]) } as const;
  const live = new Map([...tagThere(old), ...tagged(a)]);
  const desired = tagged(a);
  const unreadable = (of: Urn): Partial<Live> => ({ unreadable: new Map([[of, "timed out"]]) });

  test("is deleted where all was read", () => {
    const comparison = compared({ desired, live, policy: pruned });

    expect(actions(comparison)).toEqual(["delete"]);
    expect(codes(comparison)).toEqual([]);
  });

  test("stays where something declared could not be read: that may refer to it", () => {
    const comparison = compared({
      desired: new Map([...desired, ...tagged(b, pii)]),
      live,
      known: { ...unreadable(b), missing: new Map() },
      policy: pruned,
    });

    expect(actions(comparison)).toEqual([]);
    expect(codes(comparison)).toEqual(["read-failed", "deletion-held"]);
    expect(comparison.problems.at(-1)?.args).toEqual({ urns: [old] });
    expect(comparison.summary).toMatchObject({ delete: 0 });
  });

  test.each([
    ["is declared", { desired: new Map([...desired, ...tagged(b, pii)]) }],
    ["was declared", { desired, policy: { ...pruned, base: new Map([...base, ...tagged(b)]) } }],
  ])("stays where what could not be read %s, also outside of the part that is looked at", (_, more) => {
    const policy = { ...pruned, part: new Set([a, old]), ...("policy" in more && more.policy) };
    const comparison = compared({
      ...more,
      live,
      known: { ...unreadable(b), missing: new Map(), readUrns: new Set([a, old]) },
      policy,
    });

    expect(actions(comparison)).toEqual([]);
    expect(codes(comparison)).toContain("deletion-held");
  });

  test("is deleted where what could not be read was never declared", () => {
    expect(actions(compared({ desired, live, known: unreadable(b), policy: pruned }))).toEqual(["delete"]);
  });

  test("knows the references that the plan takes away, though the index does not show them", () => {
    const deletable = new Map([[old, { aspects: {}, referring: [], assignments: 0 }]]);
    const { changes } = compared({
      desired,
      live: new Map([...tagThere(old), ...tagged(a, old)]),
      known: { deletable },
      policy: pruned,
    });

    expect(changes).toMatchObject([
      { facet: "tags", remove: [old] },
      { action: "delete", references: [referenceHash("TaggedWith", a)] },
    ]);
  });
});

describe("a tag that is referred to", () => {
  const desired = tagged(a, pii);
  const references = [referring(a, pii)];
  const live = tagged(a);

  test("must be in the catalog", () => {
    const existence = new Map<Urn, Existence>([[pii, { status: "absent" }]]);
    const [problem, ...more] = compared({ desired, references, live, existence }).problems;

    expect(more).toEqual([]);
    expect(problem).toMatchObject({ code: "reference-missing", args: { urn: pii }, origin });
  });

  test("need not be where nothing is written of it", () => {
    const existence = new Map<Urn, Existence>([[pii, { status: "absent" }]]);

    expect(codes(compared({ desired, references, live: desired, existence }))).toEqual([]);
  });

  test("may be created by the plan itself", () => {
    const declared = new Map([...desired, ...stateOf(entityOf("Tag", pii, {}))]);

    expect(codes(compared({ desired: declared, references, live }))).toEqual([]);
  });

  test("and is declared outside of the part that is looked at must have been read", () => {
    const declared = new Map([...desired, ...stateOf(entityOf("Tag", pii, {}))]);
    const existence = new Map<Urn, Existence>([[pii, { status: "unreadable", error: "denied" }]]);
    const known = { missing: new Map(), readUrns: new Set([a]) };
    const policy = { part: new Set([a]) };

    expect(compared({ desired: declared, references, live, existence, known, policy }).problems).toEqual([
      { code: "read-failed", severity: "error", args: { urn: pii, error: "denied" }, origin },
    ]);
  });

  test("is perhaps another that is declared or referred to elsewhere", () => {
    const wrong = urn("urn:li:tag:pli");
    const existence = new Map<Urn, Existence>([[wrong, { status: "absent" }]]);
    const missing = tagged(a, wrong);
    const suggestions = [
      { desired: new Map([...missing, ...stateOf(entityOf("Tag", pii, {}))]), references: [] },
      { desired: missing, references: [referring(b, pii)] },
    ].map(({ desired: declared, references: others }) =>
      compared({
        desired: declared,
        references: [referring(a, wrong), ...others],
        live,
        existence,
      }).problems.map(({ args }) => ("suggestion" in args ? args.suggestion : undefined)),
    );

    expect(suggestions).toEqual([["pii"], ["pii"]]);
  });

  test("is not deleted", () => {
    const policy = { base: stateOf(entityOf("Tag", pii, {})), prune: new Set(["Tag"] as const) };
    const comparison = compared({
      desired,
      references,
      live: new Map([...desired, ...tagThere(pii)]),
      policy,
    });

    expect(codes(comparison)).toEqual(["deleted-reference"]);
  });
});

describe("of a part of the assets", () => {
  const several = [
    { urn: a, facet: "domain", values: ["urn:li:domain:x", "urn:li:domain:y"] },
    { urn: b, facet: "domain", values: ["urn:li:domain:x", "urn:li:domain:y"] },
  ];
  const domain = scalarOf("urn:li:domain:x");
  const both = stateOf(entityOf("Dataset", a, { domain }), entityOf("Dataset", b, { domain }));

  test("problems are told of what is in it", () => {
    const comparison = compared({
      desired: both,
      live: both,
      known: { several },
      policy: { part: new Set([a]) },
    });

    expect(comparison.problems).toMatchObject([{ code: "several-values", args: { urn: a } }]);
  });

  test("entities that were in sync and dropped while they were read count as unchanged", () => {
    const inSync = { count: 5, present: 4, existing: {} };

    expect(compared({ desired: both, live: both, known: { inSync } }).summary.unchanged).toBe(6);
  });
});

test("what a conflict holds back needs no reference, and closes no circle", () => {
  const [top, low, absent] = ["top", "low", "absent"].map((id) => urn(`urn:li:domain:${id}`)) as [
    Urn,
    Urn,
    Urn,
  ];
  const below = (of: Urn, parent: Urn | null): State =>
    stateOf(entityOf("Domain", of, { parent_domain: scalarOf(parent), removed: scalarOf(false) }));
  const live = new Map([...below(top, urn("urn:li:domain:theirs")), ...below(low, top)]);
  const found = (parent: Urn, onConflict?: "live" | "desired"): readonly string[] => {
    const reference = { urn: parent, entityType: "domain", from: top, facet: "parent_domain", origin };
    const policy = {
      base: below(top, null),
      modes: { parent_domain: "merge" },
      ...(onConflict && { onConflict }),
    } as const;
    const desired = stateOf(
      entityOf("Domain", top, { parent_domain: scalarOf(parent, origin) }),
      entityOf("Domain", low, {}),
    );
    const existence = new Map([[absent, { status: "absent" }]] as const);
    return codes(compared({ desired, references: [reference], live, existence, policy }));
  };

  expect([found(absent), found(absent, "live"), found(low), found(low, "live")]).toEqual([[], [], [], []]);
  expect(found(absent, "desired")).toEqual(["reference-missing"]);
  expect(found(low, "desired")).toContain("parent-cycle");
});

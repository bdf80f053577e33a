import { expect, test } from "vitest";
import type { Change } from "../../src/model/change.ts";
import type { Origin } from "../../src/model/origin.ts";
import { scalarOf, setOf, type State } from "../../src/model/state.ts";
import { nothingIgnored } from "../../src/plan/base/ignore.ts";
import { diff } from "../../src/plan/diff/diff.ts";
import { noted } from "../support/noted.ts";
import { liveProblems } from "../../src/plan/align/live-problems.ts";
import { compareStates } from "../support/compare-states.ts";
import { digestOf } from "../../src/plan/base/hash.ts";
import { makePlan } from "../support/make-plan.ts";
import { defaultPolicy } from "../../src/plan/base/policy.ts";
import { referenceProblems, referencesToCheck } from "../../src/plan/checks/references.ts";
import { matching } from "../../src/plan/align/select.ts";
import { datasetNamed, entityOf, header, liveOf, stateOf, urn } from "../support/states.ts";

const a = datasetNamed("a");
const origin: Origin = { file: "catalog/a.yaml", line: 4, column: 1 };

test("a change keeps the place that declared it, an inferred one has none", () => {
  const live = stateOf(entityOf("Dataset", a, { tags: setOf([]), domain: scalarOf(null) }));
  const desired = stateOf(
    entityOf("Dataset", a, { tags: setOf(["t"], origin), domain: scalarOf("urn:li:domain:d", origin) }),
  );
  const changes = (declared: State): readonly Change[] =>
    noted(
      diff(declared, live),
      { desired: declared, live },
      { modes: {}, ignored: nothingIgnored, base: undefined },
    );
  expect(changes(desired)).toMatchObject([{ source: origin }, { source: origin }]);
  const placeless = stateOf(entityOf("Dataset", a, { tags: setOf(["t"]), domain: scalarOf("d") }));
  for (const change of changes(placeless)) expect(change).not.toHaveProperty("source");
});

test.each([
  ["was not read at all", {}],
  ["was read in another shape", { tags: scalarOf(null) }],
])("a facet that %s is a fault of ours, never a difference", (_, facets) => {
  const desired = stateOf(entityOf("Dataset", a, { tags: setOf(["t"]) }));
  expect(() => diff(desired, stateOf(entityOf("Dataset", a, facets)))).toThrow(/not read/);
});

test("a column that was read in another shape is a fault of ours", () => {
  const columns = (
    value: ReturnType<typeof setOf> | ReturnType<typeof scalarOf>,
  ): ReturnType<typeof stateOf> =>
    stateOf(entityOf("Dataset", a, { "columns.tags": { shape: "map", entries: new Map([["x", value]]) } }));
  expect(() => diff(columns(setOf([])), columns(scalarOf(null)))).toThrow(/has a different shape/);
});

test("an entity that is not there is no difference but a problem", () => {
  const b = datasetNamed("b");
  const c = datasetNamed("c");
  const desired = stateOf(
    { ...entityOf("Dataset", a, {}), origin },
    entityOf("Dataset", b, { tags: setOf(["t"]) }),
    entityOf("Dataset", c, {}),
  );
  const live = {
    ...liveOf(new Map()),
    missing: new Map([
      [a, "absent" as const],
      [b, "soft-deleted" as const],
    ]),
    unreadable: new Map([[c, "no right to see it"]]),
  };
  expect(diff(desired, live.state)).toEqual([]);
  expect(liveProblems([...desired.values()], live)).toEqual([
    { code: "asset-missing", severity: "error", args: { kind: "Dataset", urn: a }, origin },
    { code: "asset-removed", severity: "error", args: { kind: "Dataset", urn: b } },
    {
      code: "read-failed",
      severity: "error",
      args: { kind: "Dataset", urn: c, error: "no right to see it" },
    },
  ]);
});

test("changes are in order of kind, URN, facet and column", () => {
  const empty = (kind: "Dataset" | "Container", of: typeof a): ReturnType<typeof entityOf> =>
    entityOf(kind, of, { tags: setOf([]), domain: scalarOf(null) });
  const full = (kind: "Dataset" | "Container", of: typeof a): ReturnType<typeof entityOf> =>
    entityOf(kind, of, { tags: setOf(["t"]), domain: scalarOf("d") });
  const container = urn("urn:li:container:0");
  const desired = stateOf(
    full("Container", container),
    full("Dataset", datasetNamed("b")),
    full("Dataset", a),
  );
  const live = stateOf(
    empty("Container", container),
    empty("Dataset", a),
    empty("Dataset", datasetNamed("b")),
  );
  const { changes } = compareStates(desired, liveOf(live), defaultPolicy);
  expect(changes.map(({ urn: of, facet }) => [of, facet])).toEqual(
    [a, datasetNamed("b"), container].flatMap((of) => [
      [of, "domain"],
      [of, "tags"],
    ]),
  );
});

test("ingested values are listed where their column is managed and they are not declared anyway, in order", () => {
  const columns = { shape: "map", entries: new Map([["x", setOf(["urn:li:tag:declared"])]]) } as const;
  const state = stateOf(entityOf("Dataset", a, { "columns.tags": columns }));
  const ingested = { urn: a, kind: "Dataset", facet: "columns.tags", reason: "ingested" } as const;
  const listed = [
    { ...ingested, path: ["x"], value: "urn:li:tag:b" },
    { ...ingested, path: ["x"], value: "urn:li:tag:a" },
  ];
  const unmanaged = [
    ...listed,
    { ...ingested, path: ["x"], value: "urn:li:tag:declared" },
    { ...ingested, path: ["other"], value: "urn:li:tag:a" },
  ];
  const comparison = compareStates(state, { ...liveOf(state), unmanaged }, defaultPolicy);
  expect(comparison.unmanaged).toEqual(listed.toReversed());
  expect(makePlan(header, comparison, defaultPolicy).summary.unmanaged).toBe(2);
});

test("the digest sees every change of what is applied, and not where it is declared", () => {
  const live = liveOf(stateOf(entityOf("Dataset", a, { tags: setOf([]) })));
  const planned = (tag: string, at?: Origin): ReturnType<typeof makePlan> =>
    makePlan(
      header,
      compareStates(stateOf(entityOf("Dataset", a, { tags: setOf([tag], at) })), live, defaultPolicy),
      defaultPolicy,
    );
  const empty = compareStates(new Map(), live, defaultPolicy);
  expect(planned("t", origin).digest).toBe(planned("t").digest);
  expect(planned("u").digest).not.toBe(planned("t").digest);
  const other = makePlan({ ...header, target: "http://other" }, empty, defaultPolicy);
  expect(other.digest).not.toBe(makePlan(header, empty, defaultPolicy).digest);
  expect(digestOf(planned("t"))).toBe(planned("t").digest);
});

test("problems of both sorts stand in the plan, in order", () => {
  const live = { ...liveOf(new Map()), missing: new Map([[a, "absent" as const]]) };
  const declared = stateOf({ ...entityOf("Dataset", a, {}), origin });
  const comparison = compareStates(declared, live, defaultPolicy);
  const other = {
    code: "reference-missing",
    severity: "error",
    args: { urn: "urn:li:tag:x", what: "Tag" },
    origin: { ...origin, line: 1 },
  } as const;
  const both = { ...comparison, problems: [...comparison.problems, other] };
  expect(makePlan(header, both, defaultPolicy).problems?.map(({ code }) => code)).toEqual([
    "reference-missing",
    "asset-missing",
  ]);
  const nothing = compareStates(new Map(), live, defaultPolicy);
  expect(makePlan(header, nothing, defaultPolicy)).not.toHaveProperty("problems");
});

test("only references that the changes add are looked up, each problem once and at its first place", () => {
  const tag = urn("urn:li:tag:t");
  const owner = urn("urn:li:corpuser:u");
  const there = urn("urn:li:tag:there");
  const live = stateOf(
    entityOf("Dataset", a, { tags: setOf([there]), owners: setOf([]), domain: scalarOf("d") }),
  );
  const desired = stateOf(
    entityOf("Dataset", a, {
      tags: setOf([tag, there]),
      owners: setOf([{ owner, type: "urn:li:ownershipType:x" }]),
      domain: scalarOf(null),
    }),
  );
  const reference = (to: typeof tag, entityType: string, facet: string, line: number) =>
    ({ urn: to, entityType, from: a, facet, origin: { ...origin, line } }) as const;
  const found = referencesToCheck(
    [
      reference(tag, "tag", "tags", 1),
      reference(there, "tag", "tags", 2),
      reference(owner, "corpuser", "owners", 3),
      reference(urn("urn:li:ownershipType:x"), "ownershipType", "owners", 4),
      reference(tag, "tag", "tags", 5),
      reference(tag, "tag", "glossary", 6),
    ],
    diff(desired, live).map((each) => ({ ...each, fingerprint: "" })),
    () => false,
  );
  expect(found.map(({ origin: { line } }) => line)).toEqual([1, 3, 4, 5]);
  const existence = new Map([
    [tag, { status: "absent" as const }],
    [owner, { status: "soft-deleted" as const }],
  ]);
  expect(referenceProblems(found, existence)).toMatchObject([
    { code: "reference-missing", args: { urn: tag, what: "Tag" }, origin: { line: 1 } },
    { code: "reference-removed", args: { urn: owner, what: "User" }, origin: { line: 3 } },
    { code: "read-failed", args: { urn: "urn:li:ownershipType:x" }, origin: { line: 4 } },
  ]);
  expect(referenceProblems(found.slice(0, 1), new Map([[tag, { status: "present" }]]))).toEqual([]);
  expect(
    referenceProblems(found.slice(0, 1), new Map([[tag, { status: "unreadable", error: "no" }]])),
  ).toMatchObject([{ code: "read-failed", args: { error: "no" } }]);
});

test.each([
  ["*", 2],
  ["urn:li:dataset:*", 1],
  ["*snowflake,a,*", 1],
  ["urn:li:container:?", 0],
  [a, 1],
  ["snowflake", 0],
])("the pattern %s matches %i entities", (pattern, number) => {
  const state = stateOf(entityOf("Dataset", a, {}), entityOf("Container", urn("urn:li:container:1"), {}));
  expect([...state.keys()].filter(matching([pattern])).length).toBe(number);
});

test("a plan says of what it is, how it is written, and what each rule does, where there is something to say", () => {
  const live = liveOf(stateOf(entityOf("Dataset", a, { tags: setOf([]) })));
  const desired = stateOf(entityOf("Dataset", a, { tags: setOf(["t"]) }));
  const found = compareStates(desired, live, defaultPolicy);
  const values = [{ facet: "tags", value: "t", on: 3, new: 1, overruled: 0 }];
  const rules = [{ id: "finance", kind: "Dataset", matched: 3, matchedInPart: 3, changed: 1, values }];
  const scope = { directory: "catalog", targets: [a] };
  const shard = { index: 1, of: 2 };

  const whole = makePlan(header, found, defaultPolicy);
  const told = makePlan(
    { ...header, scope, writes: "conditional", shard },
    { ...found, rules },
    defaultPolicy,
  );

  for (const name of ["scope", "writes", "shard", "rules"]) expect(whole).not.toHaveProperty(name);
  expect(makePlan(header, { ...found, rules: [] }, defaultPolicy)).not.toHaveProperty("rules");
  expect(told).toMatchObject({ scope, writes: "conditional", shard, rules });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Change, DriftClass } from "../../../src/model/change.ts";
import { type FacetValue, type KindName, scalarOf, setOf, type State } from "../../../src/model/state.ts";
import { compareStates } from "../../support/compare-states.ts";
import { driftClass } from "../../../src/plan/notes/drift.ts";
import { addDeclaration } from "../../../src/plan/base/declared-before.ts";
import { makePlan } from "../../support/make-plan.ts";
import { defaultPolicy, type Policy } from "../../../src/plan/base/policy.ts";
import {
  applied,
  datasetNamed,
  desiredStates,
  entityOf,
  header,
  liveOf,
  liveStates,
  membershipsIn,
  stateOf,
  urn,
} from "../../support/states.ts";
import { counted, runsOf } from "../../support/runs.ts";

const numRuns = runsOf(72);
const orders = datasetNamed("orders");
const pii = urn("urn:li:tag:pii");
const policy: Policy = { ...defaultPolicy, classifyDrift: true };

interface Case {
  readonly kind?: KindName;
  readonly facet?: string;
  readonly want: FacetValue;
  /** Without a value the entity is not there. */
  readonly have: FacetValue | undefined;
  /** What the last applied commit declares of the facet; `entity` where it declares another one. */
  readonly base?: FacetValue | "nothing" | "entity";
  /** What a later commit declares, which may have been applied in part. */
  readonly later?: FacetValue;
  readonly merges?: true;
}

/** The classes of the changes of one facet; a tag's name is always declared. */
function classesOf({ kind = "Dataset", facet = "tags", want, have, base, later, merges }: Case): unknown {
  const of = kind === "Tag" ? pii : orders;
  const state = (value: FacetValue | undefined): State =>
    stateOf(entityOf(kind, of, value ? { [facet]: value, removed: scalarOf(false) } : {}));
  const desired = stateOf(entityOf(kind, of, { [facet]: want }));
  const before = typeof base === "object" ? state(base) : base === "entity" ? state(undefined) : stateOf();
  const since = new Map(before);
  if (later) addDeclaration(since, entityOf(kind, of, { [facet]: later }));
  const { changes } = compareStates(desired, liveOf(have ? state(have) : stateOf(), desired), {
    ...policy,
    modes: merges ? { [facet]: "merge" } : {},
    ...(base !== undefined && { base: since, applied: before }),
  });
  return changes.map((change) => change.class);
}

const [x, y] = [scalarOf("urn:li:domain:x"), scalarOf("urn:li:domain:y")];
const none = scalarOf(null);

describe("the class of a change of a set, whose base is", () => {
  test.each<readonly [string, Case, DriftClass]>([
    [
      "the live one, is pending: addition",
      { want: setOf(["a"]), have: setOf([]), base: setOf([]) },
      "pending",
    ],
    ["the live one: removal", { want: setOf([]), have: setOf(["a"]), base: setOf(["a"]) }, "pending"],
    [
      "the live one: addition and removal",
      { want: setOf(["b"]), have: setOf(["a"]), base: setOf(["a"]) },
      "pending",
    ],
    [
      "the desired one: a lost element",
      { want: setOf(["a"]), have: setOf([]), base: setOf(["a"]) },
      "missing",
    ],
    [
      "another: a lost element and a new one",
      { want: setOf(["a", "b"]), have: setOf([]), base: setOf(["a"]) },
      "missing",
    ],
    [
      "another: a lost element and one that Git took back",
      { want: setOf(["a"]), have: setOf(["b"]), base: setOf(["a", "b"]) },
      "missing",
    ],
    [
      "the desired one: a foreign element",
      { want: setOf([]), have: setOf(["a"]), base: setOf([]) },
      "changed",
    ],
    [
      "the desired one: a lost element and a foreign one",
      { want: setOf(["a"]), have: setOf(["b"]), base: setOf(["a"]) },
      "changed",
    ],
    [
      "another: a new element and a foreign one",
      { want: setOf(["a"]), have: setOf(["b"]), base: setOf([]) },
      "changed",
    ],
    [
      "another, and what others removed is declared no longer",
      { want: setOf(["b"]), have: setOf([]), base: setOf(["a"]) },
      "pending",
    ],
    [
      "the live one, and a later commit declared the new element, too",
      { want: setOf(["a", "b"]), have: setOf(["a"]), base: setOf(["a"]), later: setOf(["a", "b"]) },
      "pending",
    ],
    [
      "another, and a later commit declared what was taken back",
      { want: setOf([]), have: setOf(["a"]), base: setOf([]), later: setOf(["a"]) },
      "pending",
    ],
    [
      "the desired one, and a later commit declared a lost element again",
      { want: setOf(["a"]), have: setOf([]), base: setOf(["a"]), later: setOf(["a"]) },
      "missing",
    ],
    ["unknown: an addition", { want: setOf(["a"]), have: setOf([]) }, "missing"],
    ["unknown: a removal", { want: setOf([]), have: setOf(["a"]) }, "changed"],
    ["without the facet", { want: setOf(["a"]), have: setOf(["b"]), base: "entity" }, "pending"],
    ["without the entity", { want: setOf(["a"]), have: setOf(["b"]), base: "nothing" }, "pending"],
    [
      "of owners: another type is another element",
      {
        facet: "owners",
        want: setOf([{ owner: "u", type: "t" }]),
        have: setOf([{ owner: "u", type: "s" }]),
        base: setOf([{ owner: "u", type: "t" }]),
      },
      "changed",
    ],
    [
      "under merge: others' elements stay",
      { want: setOf(["a", "b"]), have: setOf(["a", "z"]), base: setOf(["a"]), merges: true },
      "pending",
    ],
  ])("%s", (_, given, expected) => {
    expect(classesOf(given)).toEqual([expected]);
  });
});

describe("the class of a change of a single value, whose base is", () => {
  test.each<readonly [string, Case, DriftClass]>([
    ["the live one", { facet: "domain", want: y, have: x, base: x }, "pending"],
    ["the live one, unset", { facet: "domain", want: y, have: none, base: none }, "pending"],
    ["the live one, to be unset", { facet: "domain", want: none, have: x, base: x }, "pending"],
    ["the desired one, and it was unset", { facet: "domain", want: x, have: none, base: x }, "missing"],
    ["another, and it was unset", { facet: "domain", want: y, have: none, base: x }, "missing"],
    ["the desired one, and it was replaced", { facet: "domain", want: x, have: y, base: x }, "changed"],
    ["unset, and it was set", { facet: "domain", want: none, have: x, base: none }, "changed"],
    [
      "the desired one, and a later commit declared the live one",
      { facet: "domain", want: x, have: y, base: x, later: y },
      "pending",
    ],
    [
      "the desired one, it was unset, and a later commit declared another",
      { facet: "domain", want: x, have: none, base: x, later: y },
      "missing",
    ],
    ["unknown, and it is unset", { facet: "domain", want: x, have: none }, "missing"],
    ["unknown", { facet: "domain", want: x, have: y }, "changed"],
    ["without the facet", { facet: "domain", want: x, have: y, base: "entity" }, "pending"],
    ["in conflict", { facet: "domain", want: x, have: y, base: "entity", merges: true }, "changed"],
  ])("%s", (_, given, expected) => {
    expect(classesOf(given)).toEqual([expected]);
  });
});

test.each<readonly [string, Case, DriftClass]>([
  [
    "is missing if the base declares it",
    { want: scalarOf("PII"), have: undefined, base: "entity" },
    "missing",
  ],
  ["is pending if the base does not", { want: scalarOf("PII"), have: undefined, base: "nothing" }, "pending"],
  ["is missing without a base", { want: scalarOf("PII"), have: undefined }, "missing"],
])("an entity to be created %s", (_, given, expected) => {
  expect(classesOf({ kind: "Tag", facet: "name", ...given })).toEqual([expected]);
});

test("an entity to be created that declares nothing has a class, and one to be deleted is pending", () => {
  const about = { shape: "entity", kind: "Tag", urn: pii, fingerprint: "" } as const;
  const changes: readonly Change[] = [
    { ...about, action: "create" },
    { ...about, action: "delete" },
  ];
  const known = stateOf(entityOf("Tag", pii, {}));
  const classes = (base?: State): unknown =>
    changes.map((change) => driftClass.of(change, base && { applied: base, since: base })?.class);
  expect(classes(known)).toEqual(["missing", "pending"]);
  expect(classes(stateOf())).toEqual(["pending", "pending"]);
});

test("a column has a class of its own", () => {
  const columns = (entries: Readonly<Record<string, readonly string[]>>): FacetValue => ({
    shape: "map",
    entries: new Map(Object.entries(entries).map(([column, tags]) => [column, setOf(tags)])),
  });
  const given: Case = {
    facet: "columns.tags",
    want: columns({ a: ["1"], b: ["1"], c: ["1"] }),
    have: columns({ a: [], b: [], c: ["2"] }),
    base: columns({ a: ["1"], c: ["1"] }),
  };
  expect(classesOf(given)).toEqual(["missing", "pending", "changed"]);
});

describe("for every desired and live state", () => {
  const changesOf = (desired: State, live: State, base?: State): readonly Change[] =>
    compareStates(desired, liveOf(live, desired), { ...policy, ...(base && { base }) }, membershipsIn(live))
      .changes;

  test("nothing is pending if Git did not move", counted, () => {
    fc.assert(
      fc.property(desiredStates, liveStates, (desired, live) => {
        const classes = changesOf(desired, live, desired).map((change) => change.class);
        expect(classes).not.toContain("pending");
        expect(classes).not.toContain(undefined);
      }),
      { numRuns },
    );
  });

  test("all is pending if nobody touched the catalog since the base was applied", counted, () => {
    fc.assert(
      fc.property(desiredStates, desiredStates, liveStates, (desired, base, before) => {
        const live = applied(before, changesOf(base, before));
        const classes = new Set(changesOf(desired, live, base).map((change) => change.class));
        expect([...classes].filter((each) => each !== "pending")).toEqual([]);
      }),
      { numRuns },
    );
  });

  test("nothing is pending without a base", counted, () => {
    fc.assert(
      fc.property(desiredStates, liveStates, (desired, live) => {
        expect(changesOf(desired, live).map((change) => change.class)).not.toContain("pending");
      }),
      { numRuns },
    );
  });

  test("a plan of drift has the changes and the digest of the plan", counted, () => {
    fc.assert(
      fc.property(desiredStates, liveStates, (desired, live) => {
        const planOf = (under: Policy): ReturnType<typeof makePlan> =>
          makePlan(header, compareStates(desired, liveOf(live, desired), under, membershipsIn(live)), under);
        const drift = planOf(policy);
        const plan = planOf(defaultPolicy);
        expect(drift.changes.map(({ class: _, ...change }) => change)).toEqual(plan.changes);
        expect(drift.digest).toBe(plan.digest);
      }),
      { numRuns },
    );
  });
});

import { describe, expect, test } from "vitest";
import { type Change, type DriftClass, isFacetChange } from "../../../src/model/change.ts";
import type { Report } from "../../../src/model/report.ts";
import { type FacetValue, scalarOf, setOf, type State } from "../../../src/model/state.ts";
import { compareStates } from "../../support/compare-states.ts";
import { operationsOf } from "../../../src/plan/order/operations.ts";
import { makePlan } from "../../support/make-plan.ts";
import { defaultPolicy, type Policy } from "../../../src/plan/base/policy.ts";
import { collectWritten, type WrittenSince } from "../../../src/plan/base/written-since.ts";
import { datasetNamed, entityOf, header, liveOf, stateOf, urn } from "../../support/states.ts";

const orders = datasetNamed("orders");
const pii = urn("urn:li:tag:pii");

const ofOrders = (facet: string, value: FacetValue): State =>
  stateOf(entityOf("Dataset", orders, { [facet]: value, removed: scalarOf(false) }));

/** The report of an apply that made one state of another. */
function reportOf(desired: State, live: State, source = "a.yaml"): Report {
  const { changes } = compareStates(desired, liveOf(live, desired), defaultPolicy);
  const made = changes.map((change): Change => ({ ...change, source: { file: source, line: 1, column: 1 } }));
  const comparison = { ...compareStates(desired, liveOf(live, desired), defaultPolicy), changes: made };
  const plan = makePlan(header, comparison, defaultPolicy);
  const outcomes = operationsOf(plan).map((operation) => ({ status: "applied" as const, operation }));
  return { plan, outcomes };
}

function writtenBy(...reports: readonly Report[]): WrittenSince {
  const { add, written } = collectWritten();
  for (const report of reports) add(report);
  return written;
}

const [x, y, none] = [scalarOf("urn:li:domain:x"), scalarOf("urn:li:domain:y"), scalarOf(null)];

interface Case {
  readonly facet?: string;
  readonly want: FacetValue;
  readonly have: FacetValue;
  readonly base: FacetValue;
  /** What applies since made of what. */
  readonly wrote: readonly (readonly [after: FacetValue, before: FacetValue, source?: string | undefined])[];
}

function changesOf({ facet = "tags", want, have, base, wrote }: Case): readonly Change[] {
  const state = (value: FacetValue): State => ofOrders(facet, value);
  const reports = wrote.map(([after, before, source]) => reportOf(state(after), state(before), source));
  const policy: Policy = {
    ...defaultPolicy,
    classifyDrift: true,
    base: state(base),
    applied: state(base),
    written: writtenBy(...reports),
  };
  const desired = stateOf(entityOf("Dataset", orders, { [facet]: want }));
  return compareStates(desired, liveOf(state(have), desired), policy).changes;
}

const [a, ab, empty] = [setOf(["a"]), setOf(["a", "b"]), setOf([])];

describe("the class of a change where an apply wrote since the base", () => {
  test.each<readonly [string, Case, DriftClass]>([
    ["an element that is gone", { want: ab, have: a, base: a, wrote: [[ab, a]] }, "missing"],
    [
      "an element that it removed and that is back",
      { want: empty, have: a, base: a, wrote: [[empty, a]] },
      "changed",
    ],
    ["an element that Git took back", { want: a, have: ab, base: a, wrote: [[ab, a]] }, "pending"],
    [
      "an element that a later one removed, and that is declared again",
      {
        want: ab,
        have: a,
        base: a,
        wrote: [
          [ab, a],
          [a, ab],
        ],
      },
      "pending",
    ],
    [
      "an element that a rollback removed",
      {
        want: ab,
        have: a,
        base: a,
        wrote: [
          [ab, a],
          [a, ab, "37875eb"],
        ],
      },
      "pending",
    ],
    ["another element", { want: ab, have: a, base: a, wrote: [[setOf(["a", "c"]), a]] }, "pending"],
    ["a value that is unset", { facet: "domain", want: y, have: none, base: x, wrote: [[y, x]] }, "missing"],
    [
      "a value that is as in the base again",
      { facet: "domain", want: y, have: x, base: x, wrote: [[y, x]] },
      "changed",
    ],
    [
      "a value that is still there",
      { facet: "domain", want: x, have: y, base: x, wrote: [[y, x]] },
      "pending",
    ],
  ])("%s", (_, given, expected) => {
    expect(changesOf(given).map((change) => change.class)).toEqual([expected]);
  });

  test("an entity that it created, or that it deleted and that is back", () => {
    const tag = stateOf(entityOf("Tag", pii, { name: scalarOf("pii") }));
    const base = { ...defaultPolicy, classifyDrift: true, base: stateOf(), applied: stateOf() };
    const created = reportOf(tag, stateOf());
    const classesOf = (reports: readonly Report[]): unknown =>
      compareStates(tag, liveOf(stateOf(), tag), { ...base, written: writtenBy(...reports) }).changes.map(
        (change) => change.class,
      );
    expect(classesOf([])).toEqual(["pending"]);
    expect(classesOf([created])).toEqual(["missing"]);
    expect(classesOf([created, reportOf(tag, stateOf(), "37875eb")])).toEqual(["pending"]);
  });
});

test("a value that an apply wrote is not one that nobody declared before, but what a rollback put back is", () => {
  const removed = (source?: string): unknown =>
    changesOf({ want: a, have: ab, base: a, wrote: [[ab, a, source]] })
      .filter(isFacetChange)
      .flatMap((change) => change.removed?.map(({ declaredBefore }) => declaredBefore));
  expect(removed()).toEqual([true]);
  expect(removed("37875eb")).toEqual([false]);
});

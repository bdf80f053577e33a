import { expect, test } from "vitest";
import type { Change, Conflict } from "../../src/model/change.ts";
import { hasOpenConflict, isInConflict } from "../../src/model/conflicts.ts";
import { heldBackIn, pendingIn, withLiveValues } from "../../src/model/held-back.ts";
import { scalarOf } from "../../src/model/state.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../support/states.ts";
import { skippedOutcomes } from "../../src/plan/order/skipped-outcomes.ts";

const about = { action: "update", kind: "Dataset", urn: datasetNamed("a"), fingerprint: "" } as const;

function scalar(conflict?: Partial<Conflict>): Change {
  const domains = { before: "urn:li:domain:live", after: "urn:li:domain:desired" };
  const sides = { base: null, live: domains.before, desired: domains.after };
  return {
    ...about,
    shape: "scalar",
    facet: "domain",
    ...domains,
    ...(conflict && { conflict: { ...sides, ...conflict } }),
  };
}

const set: Change = { ...about, shape: "set", facet: "tags", add: ["urn:li:tag:a"], remove: [] };
const deletion: Change = {
  action: "delete",
  shape: "entity",
  kind: "Tag",
  urn: urn("urn:li:tag:a"),
  fingerprint: "",
};

// A change, whether it is in conflict and so held back, and whether the plan has an open conflict because of it.
test.each<readonly [string, Change, boolean, boolean]>([
  ["an undisputed value", scalar(), false, false],
  ["a disputed value", scalar({}), true, true],
  ["a disputed value that desired wins", scalar({ winner: "desired" }), false, false],
  ["a disputed value that live wins", scalar({ winner: "live" }), true, false],
  ["a set", set, false, false],
  ["a deletion", deletion, false, false],
])("%s: held back %j, open %j", (_, change, isHeld, isOpen) => {
  expect(isInConflict(change)).toBe(isHeld);
  expect(hasOpenConflict({ changes: [set, change, deletion] })).toBe(isOpen);
  expect(pendingIn([change])).toEqual(isHeld ? [] : [change]);
  expect(heldBackIn([change])).toEqual(isHeld ? [change] : []);
});

test.each<readonly [string, Partial<Conflict>, string]>([
  ["without a winner", {}, "--force-conflicts"],
  ["that was accepted", { winner: "live" }, "--skip-conflicts"],
])("what a conflict %s holds back is skipped in the report, with why", (_, conflict, flag) => {
  const held = scalar(conflict);

  const outcomes = skippedOutcomes({ changes: [held] });

  expect(outcomes).toMatchObject([
    {
      status: "skipped",
      operation: { id: "held-1", changes: [held] },
      because: expect.stringContaining(flag),
    },
  ]);
  expect(skippedOutcomes({ changes: [] })).toEqual([]);
});

test("a value that a conflict holds back is the live one in the state that is left, and the others are as planned", () => {
  const origin = { file: "catalog/a.yaml", line: 1, column: 1 };
  const adopted = stateOf(
    entityOf("Dataset", about.urn, {
      domain: scalarOf("urn:li:domain:desired", origin),
      title: scalarOf("t"),
    }),
  );

  expect(withLiveValues(adopted, [scalar({})]).get(about.urn)?.facets).toEqual(
    new Map([
      ["domain", scalarOf("urn:li:domain:live", origin)],
      ["title", scalarOf("t")],
    ]),
  );
  expect(withLiveValues(adopted, [])).toEqual(adopted);
  expect(withLiveValues(adopted, [scalar(), set, deletion])).toEqual(adopted);
  expect(withLiveValues(new Map(), [scalar({})])).toEqual(new Map());
});

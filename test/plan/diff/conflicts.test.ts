import { expect, test } from "vitest";
import type { Change, Conflict } from "../../../src/model/change.ts";
import {
  hasOpenConflict,
  isInConflict,
  partitionConflicts,
  skippedOutcomes,
} from "../../../src/plan/diff/conflicts.ts";
import { datasetNamed, urn } from "../../support/states.ts";

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
  expect(partitionConflicts({ changes: [change] })).toEqual(
    isHeld ? { pending: [], skipped: [change] } : { pending: [change], skipped: [] },
  );
});

test.each<readonly [string, Partial<Conflict>, string]>([
  ["without a winner", {}, "--force-conflicts"],
  ["that was accepted", { winner: "live" }, "--skip-conflicts"],
])("what a conflict %s holds back is skipped in the report, with why", (_, conflict, flag) => {
  const held = scalar(conflict);

  const outcomes = skippedOutcomes([held]);

  expect(outcomes).toMatchObject([
    {
      status: "skipped",
      operation: { id: "held-1", changes: [held] },
      because: expect.stringContaining(flag),
    },
  ]);
  expect(skippedOutcomes([])).toEqual([]);
});

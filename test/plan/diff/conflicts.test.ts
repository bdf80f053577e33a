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

// A change, whether it is in conflict, whether the plan waits because of it, whether it is held back.
test.each<readonly [string, Change, boolean, boolean, boolean]>([
  ["an undisputed value", scalar(), false, false, false],
  ["a disputed value", scalar({}), true, true, false],
  ["a disputed value that desired wins", scalar({ winner: "desired" }), false, false, false],
  ["a disputed value that live wins", scalar({ winner: "live" }), true, false, true],
  ["a set", set, false, false, false],
  ["a deletion", deletion, false, false, false],
])("%s: in conflict %j, waited for %j, held back %j", (_, change, isDisputed, isOpen, isHeld) => {
  expect(isInConflict(change)).toBe(isDisputed);
  expect(hasOpenConflict({ changes: [set, change, deletion] })).toBe(isOpen);
  expect(partitionConflicts({ changes: [change] })).toEqual(
    isHeld ? { pending: [], skipped: [change] } : { pending: [change], skipped: [] },
  );
});

test("what is held back is skipped in the report, with why", () => {
  const held = scalar({ winner: "live" });

  const outcomes = skippedOutcomes([held]);

  expect(outcomes).toMatchObject([
    {
      status: "skipped",
      operation: { id: "held-1", changes: [held] },
      because: expect.stringContaining("--skip-conflicts"),
    },
  ]);
  expect(skippedOutcomes([])).toEqual([]);
});

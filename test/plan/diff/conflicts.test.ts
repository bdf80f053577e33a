import { expect, test } from "vitest";
import type { Change, Conflict } from "../../../src/model/change.ts";
import { hasOpenConflict, heldOutcomes, isInConflict, settled } from "../../../src/plan/diff/conflicts.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const about = { action: "update", kind: "Dataset", urn: datasetNamed("a"), fingerprint: "" } as const;

function scalar(conflict?: Partial<Conflict>): Change {
  const domains = { before: "urn:li:domain:live", after: "urn:li:domain:desired" };
  const sides = { base: null, live: domains.before, desired: domains.after };
  return { ...about, facet: "domain", ...domains, ...(conflict && { conflict: { ...sides, ...conflict } }) };
}

const set: Change = { ...about, facet: "tags", add: ["urn:li:tag:a"], remove: [] };
const deletion: Change = { action: "delete", kind: "Tag", urn: urn("urn:li:tag:a"), fingerprint: "" };

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
  expect(settled({ changes: [change] })).toEqual(
    isHeld ? { due: [], held: [change] } : { due: [change], held: [] },
  );
});

test("what is held back is skipped in the report, with why", () => {
  const held = scalar({ winner: "live" });

  const outcomes = heldOutcomes([held]);

  expect(outcomes).toMatchObject([
    {
      status: "skipped",
      operation: { id: "held-1", changes: [held] },
      because: expect.stringContaining("--skip-conflicts"),
    },
  ]);
  expect(heldOutcomes([])).toEqual([]);
});

import { expect, test } from "vitest";
import type { Change, ScalarChange } from "../../../src/model/change.ts";
import { type FacetValue, scalarOf, setOf } from "../../../src/model/state.ts";
import { rollbackConflict } from "../../../src/plan/notes/rollback-conflict.ts";
import { datasetNamed, entityOf, stateOf } from "../../support/states.ts";

const a = datasetNamed("a");
const about = { action: "update", kind: "Dataset", urn: a, facet: "domain", fingerprint: "" } as const;

function change(before: string | null, more: Partial<ScalarChange> = {}): Change {
  return { ...about, shape: "scalar", before, after: "past", ...more };
}

const conflict = { base: "x", live: "theirs", desired: "past", winner: "live" } as const;

// What a run left, a change of its rollback, and the values that the conflict names then.
test.each<readonly [string, FacetValue, Change, object]>([
  [
    "somebody else's value",
    scalarOf("left"),
    change("theirs", { conflict }),
    { base: "left", live: "theirs", desired: "past", moved: true },
  ],
  [
    "a value that somebody took away",
    scalarOf("left"),
    change(null),
    { base: "left", live: null, desired: "past", moved: true },
  ],
])("a rollback is in conflict over %s", (_, left, given, expected) => {
  const state = stateOf(entityOf("Dataset", a, { domain: left }));

  expect(rollbackConflict.of(given, state)).toEqual({ conflict: expected });
});

test.each<readonly [string, FacetValue, Change]>([
  ["what the run left", scalarOf("left"), change("left")],
  ["what the run left unset", scalarOf(null), change(null)],
  ["a set", setOf(["left"]), { ...about, shape: "set", add: [], remove: ["theirs"] }],
  ["what the run left as a set", setOf(["left"]), change(null)],
  ["what it makes", scalarOf("left"), change(null, { action: "create" })],
  [
    "an entity",
    scalarOf("left"),
    { action: "delete", shape: "entity", kind: "Dataset", urn: a, fingerprint: "" },
  ],
])("a rollback is in no conflict over %s", (_, left, given) => {
  const state = stateOf(entityOf("Dataset", a, { domain: left }));

  expect(rollbackConflict.of(given, state)).toBeUndefined();
});

test("a rollback is in no conflict over what the run did not leave", () => {
  expect(rollbackConflict.of(change(null), new Map())).toBeUndefined();
});

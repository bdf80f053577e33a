import { expect, test } from "vitest";
import type { EntityChange, FacetChange } from "../../../src/model/change.ts";
import { heldBackIn } from "../../../src/model/held-back.ts";
import type { Origin } from "../../../src/model/origin.ts";
import type { UnmanagedValue } from "../../../src/model/plan.ts";
import { setOf } from "../../../src/model/state.ts";
import { deletedValues, ignoredDeletions } from "../../../src/plan/checks/deletions.ts";
import { ignoring } from "../../../src/plan/base/ignore.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const a = datasetNamed("a");
const sales = urn("urn:li:domain:sales");
const old = urn("urn:li:tag:old");
const at = (line: number): Origin => ({ file: "catalog/a.yaml", line, column: 1 });
const deletions: readonly EntityChange[] = [
  { action: "delete", shape: "entity", kind: "Domain", urn: sales, fingerprint: "" },
  { action: "delete", shape: "entity", kind: "Tag", urn: old, fingerprint: "" },
];
const desired = stateOf({
  ...entityOf("Dataset", a, {
    tags: setOf([], at(2)),
    owners: setOf([]),
    "columns.tags": { shape: "map", entries: new Map([["email", setOf([], at(3))]]) },
  }),
  origin: at(1),
});

function conflict(winner: "desired" | "live", live: string): FacetChange {
  const values = { base: null, live, desired: "urn:li:domain:new" };
  const change = { action: "update", kind: "Dataset", urn: a, facet: "domain", before: live } as const;
  return {
    ...change,
    shape: "scalar",
    after: "urn:li:domain:new",
    conflict: { ...values, winner },
    source: at(9),
    fingerprint: "",
  };
}

function kept(facet: string, value: string, more: Partial<UnmanagedValue> = {}): UnmanagedValue {
  return { urn: a, kind: "Dataset", facet, value, reason: "other-writer", ...more };
}

const problem = (of: string, facet: string, origin: Origin, column?: string): object => ({
  code: "deleted-value",
  severity: "error",
  args: { urn: of, on: a, facet, ...(column !== undefined && { column }) },
  origin,
});

test.each([
  [
    "the live value of a conflict that it won",
    [conflict("live", sales)],
    [],
    [problem(sales, "domain", at(9))],
  ],
  ["not where what is declared won", [conflict("desired", sales)], [], []],
  ["not where another value stays", [conflict("live", "urn:li:domain:other")], [], []],
  ["a value that a mode keeps, at its facet", [], [kept("tags", old)], [problem(old, "tags", at(2))]],
  [
    "a column's value, at the column",
    [],
    [kept("columns.tags", old, { path: ["email"] })],
    [problem(old, "columns.tags", at(3), "email")],
  ],
  [
    "a value without a place of its own, at the entity",
    [],
    [kept("owners", old)],
    [problem(old, "owners", at(1))],
  ],
  ["nothing of what an identity provider owns", [], [kept("tags", old, { reason: "external" })], []],
  ["nothing of an entity that is deleted itself", [], [kept("tags", old, { urn: sales })], []],
  ["nothing that is not deleted", [], [kept("tags", "urn:li:tag:other")], []],
])("what stays and is deleted is told: %s", (_, updates, unmanaged, expected) => {
  const heldBack = heldBackIn(updates);
  expect(deletedValues(deletions, heldBack, unmanaged, desired)).toEqual(expected);
  expect(deletedValues([], heldBack, unmanaged, desired)).toEqual([]);
});

test("an element that stays is found by each of its texts, also without an entity", () => {
  const owner = { owner: "urn:li:corpuser:u", type: old };
  const found = deletedValues(deletions, [], [{ ...kept("owners", ""), value: owner }], stateOf());
  expect(found).toEqual([
    { code: "deleted-value", severity: "error", args: { urn: old, on: a, facet: "owners" } },
  ]);
});

test.each([
  ["of any facet", { value: "urn:li:tag:o*" }, [old]],
  ["of a facet that holds such values", { facet: "tags", value: "urn:li:tag:*" }, [old]],
  ["of a facet that holds others", { facet: "domain", value: "*" }, [sales]],
  ["of a facet that names nothing", { facet: "description", value: "*" }, []],
  ["of other values", { facet: "tags", value: "urn:li:tag:new" }, []],
])("a deletion is refused, at the rule, for one that covers values %s", (_, rule, expected) => {
  const found = ignoredDeletions(deletions, ignoring([{ ...rule, reason: "theirs", origin: at(5) }]));
  expect(found).toEqual(
    expected.map((of) => ({
      code: "deletion-ignored",
      severity: "error",
      args: { urn: of, reason: "theirs" },
      origin: at(5),
    })),
  );
});

test("a rule without a place refuses a deletion without one", () => {
  const [found] = ignoredDeletions(deletions, ignoring([{ value: old, reason: "theirs" }]));
  expect(found).not.toHaveProperty("origin");
});

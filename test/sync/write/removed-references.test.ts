import { expect, test } from "vitest";
import type { Change, EntityChange } from "../../../src/model/change.ts";
import type { Operation } from "../../../src/model/operation.ts";
import { referenceHash, referencesRemovedBy } from "../../../src/plan/align/deletion.ts";
import {
  deletionGroups,
  deletionsIn,
  removedReferences,
} from "../../../src/sync/write/removed-references.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const [pii, old] = [urn("urn:li:tag:pii"), urn("urn:li:tag:old")];
const [orders, clicks] = [datasetNamed("orders"), datasetNamed("clicks")];

const untagging = (of: string, ...tags: readonly string[]): Change =>
  ({
    action: "update",
    kind: "Dataset",
    urn: of,
    shape: "set",
    facet: "tags",
    add: [],
    remove: tags,
  }) as never;

function operationOf(...changes: readonly Change[]): Operation {
  return { id: "1", request: { type: "mutation", field: "x", args: [] }, locks: [], after: [], changes };
}

const [removal] = referencesRemovedBy(untagging(orders, pii));
const type = removal?.type ?? "";

const deletionOf = (of: string, ...from: readonly (typeof orders)[]): EntityChange =>
  ({
    action: "delete",
    kind: "Tag",
    urn: of,
    shape: "entity",
    ...(from.length > 0 && { references: from.map((each) => referenceHash(type, each)) }),
  }) as never;

test("of the references that a plan saw those are removed that its operations take away, each once", () => {
  const untagged = untagging(clicks, pii, old);
  const operations = [operationOf(untagging(orders, pii), untagged), operationOf(untagged)];
  const deletions = [deletionOf(pii, orders, clicks), deletionOf(old, orders)];
  expect(removedReferences(deletions, operations)).toEqual(
    new Map([[pii, new Set([`${type} ${orders}`, `${type} ${clicks}`])]]),
  );
});

test("a deletion of which no reference was seen has none that are removed", () => {
  expect(removedReferences([deletionOf(pii)], [operationOf(untagging(orders, pii))])).toEqual(new Map());
  expect(removedReferences([], [operationOf(untagging(orders, pii))])).toEqual(new Map());
});

test("the deletions of operations are their changes that delete an entity", () => {
  const creation = { ...deletionOf(old), action: "create" } as EntityChange;
  const operations = [operationOf(untagging(orders, pii), creation), operationOf(deletionOf(pii))];
  expect(deletionsIn(operations)).toEqual([deletionOf(pii)]);
});

/** The ids of the deletions that are sent together. */
function groupsOf(
  deletions: readonly (readonly [id: string, change: EntityChange, after?: readonly string[]])[],
  operations: readonly Operation[] = [],
): readonly (readonly string[])[] {
  const all = deletions.map(([id, change, after = []]) => ({ ...operationOf(change), id, after }));
  return deletionGroups(all, operations).map((group) => group.map(({ id }) => id));
}

function tagged(of: string, ...from: readonly (typeof orders)[]): EntityChange {
  return { ...deletionOf(of, ...from), assignedTo: from, assignments: from.length };
}

test("deletions after which the server changes the same entity are sent one after the other, the others together", () => {
  const third = tagged("urn:li:tag:third", clicks);
  expect(
    groupsOf([
      ["pii", tagged(pii, orders)],
      ["old", tagged(old, orders, clicks)],
      ["third", third],
      ["unused", tagged("urn:li:tag:unused")],
    ]),
  ).toEqual([["pii", "third", "unused"], ["old"]]);
});

test("what operations removed the server does not change", () => {
  const both = [
    ["pii", tagged(pii, orders)],
    ["old", tagged(old, orders)],
  ] as const;
  expect(groupsOf(both, [operationOf(untagging(orders, old))])).toEqual([["pii", "old"]]);
  expect(groupsOf(both, [operationOf(untagging(clicks, old))])).toEqual([["pii"], ["old"]]);
});

test.each<readonly [string, Partial<EntityChange>]>([
  ["are too many to count", { assignments: undefined as never }],
  ["are not all named", { assignments: 2 }],
])("a deletion whose references %s is sent apart from all others with references", (_, more) => {
  expect(
    groupsOf([
      ["pii", { ...tagged(pii, orders), ...more }],
      ["old", tagged(old, clicks)],
      ["unused", tagged("urn:li:tag:unused")],
    ]),
  ).toEqual([["pii", "unused"], ["old"]]);
});

test("a deletion is never sent before one that it comes after", () => {
  expect(
    groupsOf([
      ["pii", tagged(pii, orders)],
      ["old", tagged(old, orders)],
      ["above", tagged("urn:li:tag:above"), ["old"]],
    ]),
  ).toEqual([["pii"], ["old", "above"]]);
});

import { expect, test } from "vitest";
import type { Change, EntityChange } from "../../../src/model/change.ts";
import type { Operation } from "../../../src/model/operation.ts";
import { referenceHash, referencesRemovedBy } from "../../../src/plan/diff/deletion.ts";
import { deletionsIn, removedReferences } from "../../../src/run/write/removed-references.ts";
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

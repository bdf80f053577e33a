import { expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { KindName } from "../../../src/model/state.ts";
import { orderChanges } from "../../../src/plan/base/changes.ts";
import { urn } from "../../support/states.ts";

// By kind, then URN, then facet, then column; what names no facet or column comes first.
const inOrder: readonly (readonly [KindName, string, string?, string?])[] = [
  ["Domain", "z", "name"],
  ["Tag", "y", "name"],
  ["User", "x", "title"],
  ["Group", "w", "members"],
  ["Dataset", "a"],
  ["Dataset", "a", "A"],
  ["Dataset", "a", "columns.tags"],
  ["Dataset", "a", "columns.tags", "B"],
  ["Dataset", "a", "columns.tags", "a"],
  ["Dataset", "a", "domain"],
  ["Dataset", "b", "columns.tags", "a"],
  ["Container", "a", "domain"],
];

const changes = inOrder.map(([kind, id, facet, column]): Change => {
  const about = { action: "update", kind, urn: urn(`urn:li:x:${id}`), fingerprint: "" } as const;
  const place = { ...(facet !== undefined && { facet }), ...(column !== undefined && { path: [column] }) };
  return { ...about, ...place, add: [], remove: [] } as unknown as Change;
});

test.each([
  ["in order", changes],
  ["in the opposite order", changes.toReversed()],
  [
    "in another",
    [...changes.filter((_, index) => index % 3 === 1), ...changes.filter((_, index) => index % 3 !== 1)],
  ],
])("changes that come %s are shown by kind, URN, facet and column", (_, given) => {
  expect(orderChanges(given)).toEqual(changes);
});

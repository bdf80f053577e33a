import { expect, test } from "vitest";
import type { Change, ScalarChange, SetChange } from "../../../src/model/change.ts";
import { scalarOf, setOf } from "../../../src/model/state.ts";
import { plannedEntities } from "../../../src/plan/listing/planned.ts";
import { planOf } from "../../report/plans.ts";
import { datasetNamed, entityOf, urn } from "../../support/states.ts";

const [table, other, tag] = [datasetNamed("a"), datasetNamed("b"), urn("urn:li:tag:t")];
const fingerprint = "";
const toX: ScalarChange = {
  action: "update",
  shape: "scalar",
  kind: "Dataset",
  urn: table,
  facet: "domain",
  before: null,
  after: "x",
  fingerprint,
};
const tagged: SetChange = {
  action: "update",
  shape: "set",
  kind: "Dataset",
  urn: table,
  facet: "tags",
  add: ["b"],
  remove: ["a"],
  fingerprint,
};
const named: Change = { ...toX, action: "create", kind: "Tag", urn: tag, facet: "name" };
const deleted: Change = { action: "delete", shape: "entity", kind: "Dataset", urn: table, fingerprint };
const live = entityOf("Dataset", table, { tags: setOf(["a"]), description: scalarOf("d") });

test("an entity is as its own changes leave it", () => {
  const { after } = plannedEntities(planOf({ changes: [toX, { ...toX, urn: other, after: "y" }, tagged] }));
  expect(after(live)).toEqual(
    entityOf("Dataset", table, { tags: setOf(["b"]), description: scalarOf("d"), domain: scalarOf("x") }),
  );
});

test("an entity that is deleted is gone, and one of which a facet is taken away is not", () => {
  expect(plannedEntities(planOf({ changes: [tagged, deleted] })).after(live)).toBeUndefined();
  const cleared: Change = { ...toX, action: "delete", facet: "description", after: null };
  expect(plannedEntities(planOf({ changes: [cleared] })).after(live)).toEqual(
    entityOf("Dataset", table, { tags: setOf(["a"]), description: scalarOf(null) }),
  );
});

test("what is created has what its changes give it", () => {
  const group = urn("urn:li:corpGroup:g");
  const bare: Change = { action: "create", shape: "entity", kind: "Group", urn: group, fingerprint };
  const described: Change = { ...named, action: "update", facet: "description", after: "d" };
  const { created } = plannedEntities(planOf({ changes: [toX, described, named, bare] }));
  expect(created).toEqual([
    entityOf("Tag", tag, { description: scalarOf("d"), name: scalarOf("x") }),
    entityOf("Group", group, {}),
  ]);
});

test("what a conflict holds back does not happen", () => {
  const held: Change = { ...toX, conflict: { base: "b", live: null, desired: "x" } };
  const { after, changes, created } = plannedEntities(planOf({ changes: [held, tagged, named] }));
  expect(after(live)?.facets.has("domain")).toBe(false);
  expect([...changes]).toEqual([
    [table, [tagged]],
    [tag, [named]],
  ]);
  expect(created.map(({ urn: of }) => of)).toEqual([tag]);
  expect(plannedEntities(planOf()).after(live)).toEqual(live);
});

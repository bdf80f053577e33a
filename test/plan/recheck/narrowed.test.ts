import { expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { Operation } from "../../../src/model/operation.ts";
import { operationsOf } from "../../../src/plan/order/operations.ts";
import { narrowed } from "../../../src/plan/recheck/recheck.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const a = datasetNamed("a");
const group = urn("urn:li:corpGroup:fin");
const newGroup = { action: "create", kind: "Group", urn: group, fingerprint: "" } as const;

const field = (facet: string, after: string): Change => ({
  ...newGroup,
  shape: "scalar",
  facet,
  before: null,
  after,
});

const tagged = (column: string, add: string, remove: string): Change => ({
  action: "update",
  kind: "Dataset",
  urn: a,
  fingerprint: "",
  shape: "set",
  facet: "columns.tags",
  path: [column],
  add: [add],
  remove: [remove],
});

const [named, email] = [field("display_name", "Finance"), field("email", "f@acme.com")];
const members: Change = {
  ...newGroup,
  shape: "set",
  facet: "members",
  add: ["urn:li:corpuser:alice"],
  remove: ["urn:li:corpuser:bob"],
};

test("an operation for all of its changes is as it was, and so is a mutation", () => {
  const [, info, mutation] = operationsOf({ changes: [members, named] }) as [Operation, Operation, Operation];

  expect(narrowed(info, [named])).toBe(info);
  expect(mutation.request.type).toBe("mutation");
  expect(narrowed(mutation, [])).toBe(mutation);
});

test("a proposal for some of its changes writes their fields of its aspect, and what the aspect must hold", () => {
  const [, info] = operationsOf({ changes: [named, email, members] }) as [Operation, Operation];

  expect(info).toMatchObject({ id: "2", after: ["1"], changes: [named, email] });
  expect(narrowed(info, [email])).toEqual({
    id: "2",
    request: {
      type: "proposal",
      urn: group,
      aspect: "corpGroupInfo",
      initial: { admins: [], members: [], groups: [] },
      set: { email: "f@acme.com" },
    },
    locks: [group],
    after: ["1"],
    changes: [email],
  });
});

test("the edit of an aspect for some of its changes has their edits, in their order", () => {
  const changes = ["id", "email", "amount"].map((column) => tagged(column, "urn:li:tag:n", "urn:li:tag:o"));
  const [first, , third] = changes as [Change, Change, Change];
  const [edit] = operationsOf({ changes, writes: "conditional" }) as [Operation];
  const edits = edit.request.type === "proposal" ? (edit.request.edits ?? []) : [];

  expect(edits).toHaveLength(3);
  expect(narrowed(edit, [first, third])).toEqual({
    ...edit,
    request: { ...edit.request, edits: [edits[0], edits[2]] },
    changes: [first, third],
  });
  expect(edits[2]).toMatchObject({
    at: ["editableSchemaFieldInfo", { fieldPath: "amount" }, "globalTags", "tags"],
  });
});

import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/model/json.ts";
import type { ListEdit, Proposal } from "../../../src/model/operation.ts";
import { applyEdits, type Stamp } from "../../../src/run/write/apply-edits.ts";
import { urn } from "../../support/states.ts";

const tag: ListEdit = { at: ["tags"], add: [{ element: { tag: "a" } }], remove: [] };
const nothing: ListEdit = { at: ["tags"], add: [], remove: [{ tag: "a" }] };
const below: ListEdit = {
  at: ["fields", { path: "id" }, "tags", "list"],
  add: ["x"].map(elementOf),
  remove: [],
};
const stamp: Stamp = {
  actor: "urn:li:corpuser:ci",
  source: "s",
  detail: {},
  keeps: new Set(["Tag.a"]),
  time: 7,
};

function elementOf(element: string): ListEdit["add"][number] {
  return { element };
}

/** The aspect after a proposal of these parts. */
function after(parts: Partial<Proposal>, stored?: JsonObject, by?: Stamp): JsonObject | undefined {
  const proposal: Proposal = {
    type: "proposal",
    urn: urn("urn:li:tag:x"),
    aspect: "x",
    initial: {},
    set: {},
  };
  return applyEdits({ ...proposal, ...parts }, stored, by);
}

test.each<readonly [string, Partial<Proposal>, JsonObject | undefined]>([
  ["it comes about with what is added", { edits: [tag] }, { tags: [{ tag: "a" }] }],
  ["one addition among removals is enough", { edits: [nothing, tag] }, { tags: [{ tag: "a" }] }],
  [
    "it comes about with a field that is set",
    { set: { name: "n" }, edits: [nothing] },
    { name: "n", tags: [] },
  ],
  ["it comes about with its initial fields", { initial: { name: "n" } }, { name: "n" }],
  ["removals do not create it", { edits: [nothing] }, undefined],
])("where there is no aspect, %s", (_, parts, expected) => {
  expect(after(parts)).toEqual(expected);
});

test("a field that is set to null is removed, and others stay", () => {
  expect(after({ set: { title: null, name: "n" } }, { title: "t", other: 1 })).toEqual({
    name: "n",
    other: 1,
  });
});

test("URNs in a list are added once, and removed", () => {
  const edit: ListEdit = { at: ["groups"], add: ["a", "b"].map(elementOf), remove: ["c"] };
  expect(after({ edits: [edit] }, { groups: ["a", "c", "d"] })).toEqual({ groups: ["a", "d", "b"] });
});

test("a removal leaves an entry without a list as it is", () => {
  const removal: ListEdit = { ...below, add: [], remove: ["x"] };
  const stored = { fields: [{ path: "id", note: "n" }] };
  expect(after({ edits: [removal] }, stored)).toEqual(stored);
});

test("an object or a list that is stored as null is as good as missing", () => {
  const expected = { fields: [{ path: "id", tags: { list: ["x"] } }] };
  expect(after({ edits: [below] }, { fields: [{ path: "id", tags: null }] })).toEqual(expected);
  expect(after({ edits: [below] }, { fields: [{ path: "id", tags: { list: null } }] })).toEqual(expected);
});

test.each<readonly [string, JsonObject]>([
  ["fields", { fields: { path: "id" } }],
  ["tags", { fields: [{ path: "id", tags: "x" }] }],
  ["list", { fields: [{ path: "id", tags: { list: 1 } }] }],
])("an aspect that is malformed at %s is not written", (field, stored) => {
  expect(() => after({ edits: [below] }, stored)).toThrow(
    expect.objectContaining({
      failure: "answer",
      message: `the stored aspect is malformed at \`${field}\`, so it was not written`,
    }),
  );
});

test("values are attributed only where the writer is known and the server keeps attributions of them", () => {
  const attributed = { ...tag, attribution: "Tag.a" };
  const written = { tags: [{ tag: "a" }] };
  expect(after({ edits: [attributed] }, {})).toEqual(written);
  expect(after({ edits: [tag] }, {}, stamp)).toEqual(written);
  expect(after({ edits: [{ ...tag, attribution: "Owner.a" }] }, {}, stamp)).toEqual(written);
  const attribution = { time: 7, actor: "urn:li:corpuser:ci", source: "s", sourceDetail: {} };
  expect(after({ edits: [attributed] }, {}, stamp)).toEqual({ tags: [{ tag: "a", attribution }] });
});

test("an edit for attributions is left out where the server keeps none", () => {
  const edit: ListEdit = { ...tag, attribution: "Tag.a", isForAttribution: true };
  expect(after({ edits: [edit] }, {})).toEqual({});
  expect(after({ edits: [edit] }, {}, { ...stamp, keeps: new Set() })).toEqual({});
});

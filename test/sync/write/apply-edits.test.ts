import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Edit, ListEdit, Proposal } from "../../../src/model/operation.ts";
import { applyEdits, type Stamp } from "../../../src/sync/write/apply-edits.ts";
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

test("elements that have to be one become one with the values of all, also those that are not edited", () => {
  const edit: ListEdit = { ...below, remove: ["y"], unites: ["path", "list"] };
  const [twice, once] = [
    [
      { path: "id", tags: { list: ["z"] }, list: ["a"] },
      { path: "other", list: ["b"] },
      { path: "id", list: ["a", "c"] },
      { path: "other", list: [] },
    ],
    [
      { path: "id", tags: { list: ["z", "x"] }, list: ["a", "c"] },
      { path: "other", list: ["b"] },
    ],
  ];
  expect(after({ edits: [edit] }, { fields: twice })).toEqual({ fields: once });
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
      message: `the stored aspect has a malformed field \`${field}\`, so the aspect was not changed`,
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

const properties = (field: string, list: readonly string[]): JsonObject => ({
  properties: [{ name: "p", [field]: list }, { name: "q" }],
});
const emptying = (emptied: ListEdit["emptied"], parts: Partial<ListEdit>): ListEdit => ({
  at: ["properties", { name: "p" }, "values"],
  add: [],
  remove: [],
  ...(emptied && { emptied }),
  ...parts,
});
const ours = { time: 7, actor: "urn:li:corpuser:ci", source: "s", sourceDetail: {} };

test.each<readonly [string, Edit, JsonObject, JsonObject]>([
  [
    "an element that exists for its list goes with the last of it",
    emptying("element", { remove: ["a"] }),
    properties("values", ["a"]),
    { properties: [{ name: "q" }] },
  ],
  [
    "an element that exists for its list is ours as a whole",
    emptying("element", { add: ["b"].map(elementOf), attribution: "Tag.a" }),
    properties("values", ["a"]),
    { properties: [{ name: "p", values: ["a", "b"], attribution: ours }, { name: "q" }] },
  ],
  [
    "a field goes with the last of its list",
    { at: ["tags"], add: [], remove: ["a"], emptied: "field" },
    { tags: ["a"], name: "n" },
    { name: "n" },
  ],
  [
    "a field of a list stays where something is left",
    { at: ["tags"], add: [], remove: ["a"], emptied: "field" },
    { tags: ["a", "b"] },
    { tags: ["b"] },
  ],
  [
    "an empty list stays where nothing says otherwise",
    { at: ["tags"], add: [], remove: ["a"] },
    { tags: ["a"] },
    { tags: [] },
  ],
  [
    "a list has when and by whom it was written beside it",
    { ...tag, stamp: "lastModified" },
    {},
    { tags: [{ tag: "a" }], lastModified: { time: 7, actor: "urn:li:corpuser:ci" } },
  ],
  [
    "a new element has when and by whom it was put there",
    { ...tag, created: "created" },
    { tags: [{ tag: "b" }] },
    { tags: [{ tag: "b" }, { tag: "a", created: { time: 7, actor: "urn:li:corpuser:ci" } }] },
  ],
  [
    "an element is not added beside one that stands for it",
    { at: ["tags"], add: [{ element: { tag: "a" }, unless: [{ tag: "x" }, { old: "a" }] }], remove: [] },
    { tags: [{ old: "a" }] },
    { tags: [{ old: "a" }] },
  ],
  [
    "an object in a pattern is compared as a whole",
    { at: ["tags"], add: [], remove: [{ of: { a: 1, b: null } }, { of: "x" }, { of: null }] },
    { tags: [{ of: { b: null, a: 1 } }, { of: { a: 1 } }, { of: "x" }, { of: "y" }, {}, "z"] },
    { tags: [{ of: { a: 1 } }, { of: "y" }, "z"] },
  ],
  ["a list is replaced", { ...tag, remove: "all" }, { tags: ["x", "y"] }, { tags: [{ tag: "a" }] }],
  [
    "a field is set with who wrote it",
    { at: ["note", "text"], value: "t", actor: "actor" },
    {},
    { note: { text: "t", actor: "urn:li:corpuser:ci" } },
  ],
  [
    "a field is taken away with null",
    { at: ["fields", { path: "id" }, "note"], value: null },
    { fields: [{ path: "id", note: "n", more: 1 }] },
    { fields: [{ path: "id", more: 1 }] },
  ],
  [
    "a field is not taken away from an element that is not there",
    { at: ["fields", { path: "id" }, "note"], value: null },
    { fields: [] },
    { fields: [] },
  ],
  [
    "a field is set at an element that comes about",
    { at: ["fields", { path: "id" }, "note"], value: "n" },
    { fields: [{ path: "x" }] },
    { fields: [{ path: "x" }, { path: "id", note: "n" }] },
  ],
])("%s", (_, edit, stored, expected) => {
  expect(after({ edits: [edit] }, stored, stamp)).toEqual(expected);
});

test("without a writer nothing says who wrote what", () => {
  const field: Edit = { at: ["text"], value: "t", actor: "actor" };
  const list: ListEdit = { ...tag, created: "created", stamp: "lastModified" };
  expect(after({ edits: [field, list] }, {})).toEqual({ text: "t", tags: [{ tag: "a" }] });
});

test("taking a field away does not create an aspect, and setting one does", () => {
  expect(after({ edits: [{ at: ["text"], value: null }] })).toBeUndefined();
  expect(after({ edits: [{ at: ["text"], value: "t" }] })).toEqual({ text: "t" });
});

test("of a list that is replaced, what is added again stays with what others keep in it", () => {
  const edits: readonly Edit[] = [{ at: ["list"], remove: "all", add: [{ element: { domain: "b" } }] }];
  const stored = { list: [{ domain: "a" }, { domain: "b", context: "x" }] };
  expect(after({ edits }, stored)).toEqual({ list: [{ domain: "b", context: "x" }] });
});

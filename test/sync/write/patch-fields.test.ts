import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { Edit, ListEdit, Proposal } from "../../../src/model/operation.ts";
import { patchOf } from "../../../src/sync/write/patch.ts";
import { datasetNamed } from "../../support/states.ts";

const since = "Column.note";

function patchFor(
  edits: readonly Edit[],
  stored: JsonObject | undefined,
  after: JsonObject,
  more: Partial<Proposal> = {},
): Json | undefined {
  const proposal: Proposal = {
    type: "proposal",
    urn: datasetNamed("a"),
    aspect: "x",
    initial: {},
    set: {},
    edits,
    ...more,
  };
  return patchOf(proposal, { stored, after }, new Set([since]));
}

const note = (value: Json, more: object = {}): Edit => ({
  at: ["fields", { path: "a/b" }, "note"],
  value,
  patch: { since },
  ...more,
});
const noted = {
  fields: [
    { path: "x", note: "other" },
    { path: "a/b", note: "n" },
  ],
};
const unnoted = { fields: [{ path: "x", note: "other" }, { path: "a/b" }] };
const add = (path: string, value: Json): Json => ({ op: "add", path, value });
const remove = (path: string): Json => ({ op: "remove", path });
const made = add("/fields/a~1b/path", "a/b");

test.each<readonly [string, Json | undefined, Json | undefined]>([
  [
    "is set, with the element that it is in",
    patchFor([note("n")], undefined, noted),
    [made, add("/fields/a~1b/note", "n")],
  ],
  ["is taken away where it is", patchFor([note(null)], noted, unnoted), [remove("/fields/a~1b/note")]],
  ["is not taken away where it is not", patchFor([note(null)], unnoted, unnoted), []],
  [
    "of an aspect without a template has a patch that names no keys",
    patchFor([note("n"), note("n", { patch: { since, isGeneric: true } })], undefined, noted),
    {
      patch: [made, add("/fields/a~1b/note", "n")],
      arrayPrimaryKeys: {},
      forceGenericPatch: true,
    },
  ],
  [
    "is written with the whole aspect where the server does not take it",
    patchFor([note("n", { patch: { since: "Other.note" } })], undefined, noted),
    undefined,
  ],
  [
    "is written with the whole aspect where no patch is known for it",
    patchFor([{ at: ["note"], value: "n" }], undefined, { note: "n" }),
    undefined,
  ],
])("a field %s", (_, patch, expected) => {
  expect(patch).toEqual(expected);
});

const property = (values: readonly string[], id = "p"): JsonObject => ({ urn: id, values });
const ofProperty: ListEdit = {
  at: ["properties", { urn: "p" }, "values"],
  add: [],
  remove: [],
  emptied: "element",
  keys: { template: ["urn"] },
};
const own = (...properties: readonly JsonObject[]): JsonObject => ({
  properties: [...properties, property(["o", "o"], "other")],
});

test.each<readonly [string, JsonObject | undefined, JsonObject, readonly Json[]]>([
  [
    "is written as a whole",
    own(property(["a"])),
    own(property(["b"])),
    [add("/properties/p", property(["b"]))],
  ],
  [
    "is written where there was none",
    undefined,
    own(property(["b"])),
    [add("/properties/p", property(["b"]))],
  ],
  ["is not written where it stays the same", own(property(["a"])), own(property(["a"])), []],
  ["is taken away where it was", own(property(["a"])), own(), [remove("/properties/p")]],
  ["is not taken away where it was not", own(), own(), []],
])("an element that exists for its list %s", (_, stored, after, expected) => {
  expect(patchFor([ofProperty], stored, after)).toEqual(expected);
});

test("an element that gets another value is not removed before", () => {
  const list: ListEdit = { at: ["tags"], add: [], remove: [], keys: { template: ["tag"] } };
  const stored = { tags: [{ tag: "a", by: 1 }, { tag: "b" }] };
  expect(patchFor([list], stored, { tags: [{ tag: "a", by: 2 }] })).toEqual([
    remove("/tags/b"),
    add("/tags/a", { tag: "a", by: 2 }),
  ]);
});

test("a patch names keys of its own for a list of the aspect, and not for one below", () => {
  const keys = { template: ["tag"], own: ["source", "tag"] };
  const list: ListEdit = { at: ["tags"], add: [], remove: [], keys };
  const after = { tags: [{ tag: "a", source: "s" }] };
  const any = { isForAnyVersion: true } as const;
  expect(patchFor([list], {}, after, any)).toEqual({
    patch: [add("/tags/s/a", { tag: "a", source: "s" })],
    arrayPrimaryKeys: { tags: ["source", "tag"] },
  });
  const below = { ...list, at: ["of", "tags"] };
  expect(patchFor([below], {}, { of: after }, any)).toEqual([add("/of/tags/a", { tag: "a", source: "s" })]);
  expect(patchFor([list, note("n")], {}, { ...after, ...noted }, any)).toEqual([
    add("/tags/a", { tag: "a", source: "s" }),
    made,
    add("/fields/a~1b/note", "n"),
  ]);
});

import { expect, test } from "vitest";
import { definitionsMentioned, textsDeep } from "../../../src/sync/snapshot/mentioned.ts";
import { datasetNamed } from "../../support/states.ts";

test.each<readonly [string, unknown, readonly string[]]>([
  ["lists, sets and maps", [["a"], new Set(["b"]), new Map([["c", "d"]])], ["a", "b", "c", "d"]],
  ["the fields of objects", { a: "b", c: { d: "e" } }, ["b", "e"]],
  ["an aspect, whose JSON is a text", { aspectName: "a", payload: '{"b":["c"]}' }, ["a", "c"]],
  ["an aspect that is no JSON, as it is", { aspectName: "a", payload: "{" }, ["a", "{"]],
  ["nothing but texts", [1, true, null, undefined, { payload: 1 }], []],
])("texts are found in %s", (_, value, texts) => {
  expect(textsDeep(value)).toEqual(texts);
});

test("definitions are those whose URN is a whole text, each once, and no assets", () => {
  const value = ["urn:li:tag:a", { payload: "urn:li:tag:a" }, "see urn:li:tag:b", datasetNamed("a")];
  expect(definitionsMentioned([value, "urn:li:ownershipType:a"])).toEqual([
    "urn:li:tag:a",
    "urn:li:ownershipType:a",
  ]);
});

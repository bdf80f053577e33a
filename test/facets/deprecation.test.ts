import { describe, expect, test } from "vitest";
import { deprecation } from "../../src/facets/deprecation.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { type Fields, scalarOf } from "../../src/model/state.ts";
import { dataset as a, editsOf, scalarChange, sentFor } from "./changes.ts";

const b = "urn:li:dataset:(urn:li:dataPlatform:snowflake,b,PROD)";
const day = Date.UTC(2027, 5, 30);
const all = { note: "Use b.", decommission_time: "2027-06-30", replacement: b };

test.each<readonly [string, Json, Json, readonly object[]]>([
  ["nothing more", {}, {}, []],
  ["a note without the line end of a block", { note: " Use b.\n" }, { note: " Use b." }, []],
  ["a note of blanks alone", { note: " \n" }, { note: " \n" }, []],
  ["a date", { decommission_time: "2027-06-30" }, { decommission_time: "2027-06-30" }, []],
  [
    "a time, which is shown in UTC",
    { decommission_time: "2027-06-30T12:00:00+02:00" },
    { decommission_time: "2027-06-30T10:00:00Z" },
    [],
  ],
  ["all of it", all, all, [{ urn: b, entityType: "dataset", at: ["replacement"] }]],
])("a deprecation takes %s", (_, written, value, references) => {
  expect(deprecation.parse(written)).toStrictEqual({ value, references });
});

test.each<readonly [string, Json, object]>([
  ["a text", "yes", { code: "wrong-type", args: { expected: "object", found: "string" }, at: [] }],
  [
    "what is no date",
    { decommission_time: "soon" },
    { code: "malformed-date", args: { text: "soon" }, at: ["decommission_time"] },
  ],
  ...["2027-02-30", "30.6.2027", "2027-06-30T12:00"].map((text): readonly [string, Json, object] => [
    `${text}, which is no day`,
    { decommission_time: text },
    { code: "malformed-date", args: { text }, at: ["decommission_time"] },
  ]),
  [
    "what is no URN",
    { replacement: "b" },
    { code: "malformed-urn", args: { text: "b", reason: "prefix" }, at: ["replacement"] },
  ],
])("a deprecation refuses %s", (_, written, refusal) => {
  expect(deprecation.parse(written)).toEqual({ refusal });
});

describe("a stored deprecation", () => {
  const observed = (aspect: JsonObject): unknown => deprecation.observe({ deprecation: aspect }, "Dataset");

  test.each<readonly [string, JsonObject, Fields | null]>([
    ["without more", { deprecated: true, note: "" }, {}],
    [
      "with all of it",
      { deprecated: true, note: "Use b.", decommissionTime: day, replacement: b, actor: "x" },
      all,
    ],
    ["with nulls", { deprecated: true, note: null, decommissionTime: null, replacement: null }, {}],
    ["that says it is not deprecated", { deprecated: false, note: "Use b." }, null],
    ["that does not say it", { note: "Use b." }, null],
  ])("%s is read", (_, aspect, value) => {
    expect(observed(aspect)).toStrictEqual({ value: scalarOf(value) });
  });

  test.each<readonly [JsonObject, string]>([
    [{ note: 7 }, "deprecation.note is not a string"],
    [{ decommissionTime: "soon" }, "deprecation.decommissionTime is not a number"],
    [{ decommissionTime: 1e20 }, "deprecation.decommissionTime is not a time"],
    [{ replacement: {} }, "deprecation.replacement is not a string"],
  ])("with %j is malformed", (more, message) => {
    expect(() => observed({ deprecated: true, ...more })).toThrow(
      `the server returned a malformed response: ${message}`,
    );
  });
});

test.each<readonly [string, Fields | null, JsonObject]>([
  ["none", null, { deprecated: false }],
  ["one without more", {}, { deprecated: true }],
  ["all of it", all, { deprecated: true, note: "Use b.", decommissionTime: day, replacement: b }],
])("a mutation gets all that a deprecation has: %s", (_, after, input) => {
  const value = { urn: a, ...input };
  const args = [{ name: "input", type: "UpdateDeprecationInput!", value }];

  expect(sentFor(scalarChange("deprecation", after))).toStrictEqual([
    { request: { type: "mutation", field: "updateDeprecation", args } },
  ]);
});

test.each<readonly [string, Fields | null, JsonObject]>([
  ["none", null, { deprecated: false, note: "", decommissionTime: null, replacement: null }],
  ["all of it", all, { deprecated: true, note: "Use b.", decommissionTime: day, replacement: b }],
])("an edit of the aspect sets every field, and says who did: %s", (_, after, fields) => {
  expect(editsOf(scalarChange("deprecation", after))).toEqual(
    Object.entries(fields).map(([field, value]) => ({ at: [field], value, actor: "actor" })),
  );
});

test.each<readonly [string, Fields | null, string | undefined]>([
  ["Container", {}, "a deprecation on a container"],
  ["Container", null, "a deprecation on a container"],
  ["Dataset", { replacement: b }, "`replacement` in a deprecation"],
  ["Dataset", { note: "Use b." }, undefined],
  ["Dataset", null, undefined],
])("a %s deprecated with %j needs a server that has %s", (kind, value, what) => {
  const feature = { field: "Deprecation.replacement", release: "1.0", what };

  expect(deprecation.needs?.(kind, value)).toEqual(what === undefined ? undefined : feature);
});

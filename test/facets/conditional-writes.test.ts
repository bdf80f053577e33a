import { describe, expect, test } from "vitest";
import { aspectOf, valueInAspect, writesFor } from "../../src/facets/writes.ts";
import type { Change, FacetChange } from "../../src/model/change.ts";
import { scalarOf, setOf } from "../../src/model/state.ts";
import { schemaFieldUrn } from "../../src/model/urn.ts";
import { urn } from "../support/states.ts";
import { dataset, scalarChange, sentFor, setChange } from "./changes.ts";

const [pii, old] = ["urn:li:tag:pii", "urn:li:tag:old"];
const retention = "urn:li:structuredProperty:retention";
const user = urn("urn:li:corpuser:alice");
const link = { url: "https://acme.com", label: "Runbook" };

describe("where a change takes away what only others put there", () => {
  const leavingOthers = (change: FacetChange): FacetChange =>
    ({ ...change, covers: { elements: [], except: ["*"] } }) as FacetChange;
  const isForAnyVersion = (change: FacetChange): boolean =>
    writesFor(change, "conditional").some(
      ({ request }) => request.type === "proposal" && request.isForAnyVersion === true,
    );

  test("an edit is written whichever version the aspect has, unless the set may be one of its element", () => {
    const tags = setChange("tags", [pii], [old]);
    const property = setChange("structured_properties", ["x"], ["y"], { path: [retention] });

    expect([leavingOthers(tags), tags].map(isForAnyVersion)).toEqual([true, false]);
    expect([leavingOthers(property), property].map(isForAnyVersion)).toEqual([false, false]);
  });

  test("a value that has the place of all others is written on its version", () => {
    expect(isForAnyVersion(scalarChange("domain", "urn:li:domain:a"))).toBe(false);
  });
});

test("an edit is the same as without a condition where a set is always edited", () => {
  const change = setChange("assets", [dataset], [], { urn: "urn:li:dataProduct:a" });

  expect(writesFor(change, "conditional")).toEqual(sentFor(change));
});

test("what cannot be edited is written with mutations, and fields with proposals, on whatever condition", () => {
  const members = setChange("members", [user], [user], { urn: "urn:li:corpGroup:g" });
  const name = scalarChange("name", "PII", { kind: "Tag", urn: pii });

  expect(writesFor(members, "conditional")).toEqual(sentFor(members));
  expect(writesFor(name, "conditional")).toEqual(sentFor(name));
});

test("nothing is sent for the side of a change that has no elements", () => {
  expect(sentFor(setChange("links", [link], [])).map(({ adds }) => adds)).toEqual([[link]]);
  expect(sentFor(setChange("links", [], [link])).map(({ removes }) => removes)).toEqual([[link]]);
  expect(sentFor(setChange("tags", [], [old])).map(({ removes }) => removes)).toEqual([[old]]);
  expect(sentFor(setChange("tags", [pii], [])).map(({ adds }) => adds)).toEqual([[pii]]);
  expect(sentFor(setChange("tags", [], []))).toEqual([]);
});

test.each<readonly [string, Change, readonly object[]]>([
  ["tags", setChange("tags", [], []), [{ urn: dataset, aspect: "globalTags" }]],
  ["owners", setChange("owners", [], []), [{ urn: dataset, aspect: "ownership" }]],
  ["a domain", scalarChange("domain", null), [{ urn: dataset, aspect: "domains" }]],
  [
    "a property of a column, which is of another entity",
    scalarChange("columns.structured_properties", 7, { path: ["id", retention] }),
    [{ urn: schemaFieldUrn(dataset, "id"), aspect: "structuredProperties" }],
  ],
  ["a field, which is not edited", scalarChange("name", "x", { kind: "Tag", urn: pii }), []],
  ["the description of a definition", scalarChange("description", "x", { kind: "Tag", urn: pii }), []],
  [
    "a deletion",
    { action: "delete", shape: "entity", kind: "Tag", urn: urn(pii), fingerprint: "" } as unknown as Change,
    [],
  ],
])("the aspect that has the value of a change can be edited: %s", (_, change, aspects) => {
  expect(aspectOf(change)).toEqual(aspects);
});

test.each(["columns.description", "structured_properties", "columns.structured_properties"])(
  "a change of %s that names no key is a fault of ours",
  (facet) => {
    const fault = "a place in a map has no key";

    for (const after of ["x", null]) {
      expect(() => writesFor(scalarChange(facet, after), "conditional")).toThrow(fault);
      expect(() => valueInAspect([scalarChange(facet, after)], "", {})).toThrow(fault);
    }
  },
);

test.each(["columns.tags", "columns.glossary_terms"])(
  "a change of %s that names no column is a fault of ours",
  (facet) => {
    const change = setChange(facet, [pii], []);

    expect(() => writesFor(change, "conditional")).toThrow("a place in a map has no key");
    expect(() => valueInAspect([change], "", {})).toThrow("a place in a map has no key");
  },
);

describe("an aspect by itself tells", () => {
  test("what a user says of themselves, which is a field, and no description of an asset", () => {
    const change = scalarChange("description", "x", { kind: "User", urn: user });

    expect(valueInAspect([change], "corpUserEditableInfo", { aboutMe: "x", description: "y" })).toEqual(
      scalarOf("x"),
    );
  });

  test("a deprecation, and none", () => {
    const change = scalarChange("deprecation", null);

    expect(valueInAspect([change], "deprecation", { deprecated: true, note: "x" })).toEqual(
      scalarOf({ note: "x" }),
    );
    expect(valueInAspect([change], "deprecation", undefined)).toEqual(scalarOf(null));
  });

  test("whether a group is complete, which it is not without the aspect", () => {
    const change = scalarChange("incomplete", false, { kind: "Group", urn: "urn:li:corpGroup:g" });

    expect(valueInAspect([change], "corpGroupInfo", {})).toEqual(scalarOf(false));
    expect(valueInAspect([change], "corpGroupInfo", undefined)).toEqual(scalarOf(true));
  });

  test("nothing of members, who have the edges themselves", () => {
    const change = setChange("members", [user], [], { urn: "urn:li:corpGroup:g" });

    expect(valueInAspect([change], "origin", { type: "NATIVE" })).toEqual(setOf([]));
  });
});

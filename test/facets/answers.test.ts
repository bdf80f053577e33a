import { expect, test } from "vitest";
import { answeredUrn, storedList } from "../../src/model/answer.ts";
import {
  canHaveDisplayName,
  displayNameIn,
  displayNames,
  displayNamesOf,
} from "../../src/facets/display-names.ts";
import { urn } from "../support/states.ts";

test("the URN of an answered entity is taken, and one without is malformed", () => {
  expect(answeredUrn({ urn: "urn:li:tag:a" }, "a tag")).toBe("urn:li:tag:a");
  for (const entity of [null, undefined, {}, { urn: null }, { urn: 1 }]) {
    expect(() => answeredUrn(entity, "a tag")).toThrow(
      "the server returned a malformed response: a tag has no URN",
    );
  }
});

test("an answered list is taken, null is empty, and what holds no objects is malformed", () => {
  const list = [{ a: 1 }];
  expect(storedList(list, "the owners")).toBe(list);
  expect(storedList(null, "the owners")).toEqual([]);
  expect(storedList(undefined, "the owners")).toEqual([]);
  for (const wrong of [{}, "text", [null], [1], [{}, "a"]]) {
    expect(() => storedList(wrong, "the owners")).toThrow(
      "the server returned a malformed response: the owners are not a list of objects",
    );
  }
});

test.each([
  ["urn:li:domain:a", { aspects: { domainProperties: { name: "A" } } }],
  ["urn:li:tag:a", { aspects: { tagProperties: { name: "A" } } }],
  ["urn:li:corpuser:a", { aspects: { corpUserInfo: { displayName: "A" } } }],
  ["urn:li:corpGroup:a", { aspects: { corpGroupInfo: { displayName: "A" } } }],
  ["urn:li:ownershipType:a", { info: { name: "A" } }],
])("the display name of %s is read from its own place", (text, entity) => {
  expect(canHaveDisplayName(urn(text))).toBe(true);
  expect(displayNameIn(urn(text), entity)).toBe("A");
  expect(displayNameIn(urn(text), {})).toBeUndefined();
  expect(displayNameIn(urn(text), { aspects: null, info: [] })).toBeUndefined();
});

test.each([
  "urn:li:container:a",
  "urn:li:chart:(looker,a)",
  "urn:li:ownershipType:__system__technical_owner",
])("%s has no display name", (text) => {
  expect(canHaveDisplayName(urn(text))).toBe(false);
});

test("the names of ownership types are searched for and selected, since these have no raw aspects", () => {
  expect(displayNamesOf("ownershipType")).toEqual({
    entityType: "ownershipType",
    typename: "OwnershipTypeEntity",
    searchType: "CUSTOM_OWNERSHIP_TYPE",
    plural: "ownership types",
    selection: "info { name }",
    path: ["info", "name"],
  });
  expect(displayNamesOf("structuredProperty")?.selection).toMatch(/^__typename definition \{ displayName /);
  expect(displayNamesOf("chart")).toBeUndefined();
});

test("a name that is no string is none", () => {
  expect(displayNameIn(urn("urn:li:tag:a"), { aspects: { tagProperties: { name: 1 } } })).toBeUndefined();
});

test("each type is asked for its name in one way, an aspect or a selection", () => {
  for (const { aspect, selection } of displayNames)
    expect([aspect, selection].filter((way) => way !== undefined)).toHaveLength(1);
});

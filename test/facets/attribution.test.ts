import { describe, expect, test } from "vitest";
import { attributionIn } from "../../src/facets/attribution.ts";
import type { Facet } from "../../src/facets/facet.ts";
import { facetNamed, facets, otherEndOf } from "../../src/facets/index.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import type { KindName, Member } from "../../src/model/state.ts";
import { setChange } from "./changes.ts";

const system = "urn:li:ownershipType:__system__";
const by = (actor: string, time?: number): JsonObject => ({ actor, ...(time !== undefined && { time }) });

describe("of several entries for a value", () => {
  const entry = (attribution?: Json, tag = "x"): JsonObject => ({
    tag,
    ...(attribution !== undefined && { attribution }),
  });

  test.each<readonly [string, Json | undefined, JsonObject | undefined]>([
    ["the only one counts", [entry(by("a", 1))], by("a", 1)],
    ["the newest counts", [entry(by("a", 1)), entry(by("b", 3)), entry(by("c", 2))], by("b", 3)],
    ["one without a time is older than any", [entry(by("a")), entry(by("b", 1))], by("b", 1)],
    ["a time that is no number is none", [entry({ actor: "a", time: "9" }), entry(by("b", 1))], by("b", 1)],
    ["those of other values do not count", [entry(by("a", 9), "y"), entry(by("b", 1))], by("b", 1)],
    ["those without an attribution do not count", [entry(), entry(null), entry(by("b", 1))], by("b", 1)],
    ["what is no entry does not count", [null, "x", [], entry(by("b", 1))], by("b", 1)],
    ["none of which is attributed leave nobody", [entry()], undefined],
    ["an empty list leaves nobody", [], undefined],
    ["what is no list leaves nobody", { 0: entry(by("a", 1)) }, undefined],
    ["what is not there leaves nobody", undefined, undefined],
  ])("%s", (_, list, expected) => {
    expect(attributionIn(setChange("tags", []), "x", list === undefined ? {} : { tags: list })).toEqual(
      expected,
    );
  });
});

describe("where a value is stored", () => {
  test.each<readonly [string, KindName, string]>([
    ["domain", "Dataset", "domains"],
    ["owners", "Domain", "ownership"],
    ["tags", "Container", "globalTags"],
    ["columns.tags", "Dataset", "editableSchemaMetadata"],
    ["name", "Tag", "tagProperties"],
    ["name", "Domain", "domainProperties"],
    ["description", "User", "corpUserEditableInfo"],
    ["columns.description", "Dataset", "editableSchemaMetadata"],
    ["deprecation", "Dataset", "deprecation"],
    ["links", "Dataset", "institutionalMemory"],
    ["structured_properties", "Dataset", "structuredProperties"],
    ["assets", "DataProduct", "dataProductProperties"],
  ])("%s of a %s is in %s", (name, kind, aspect) => {
    expect(facetNamed(name).storedIn?.(kind)).toBe(aspect);
  });

  test("a field of a kind that does not have it is a fault of ours", () => {
    expect(() => facetNamed("name").storedIn?.("User")).toThrow("a User has no field name");
  });

  test.each(["members", "groups", "incomplete", "removed"])(
    "of %s is not said: more than one aspect holds it, or it is no value that somebody writes",
    (name) => {
      expect(facetNamed(name).storedIn).toBeUndefined();
    },
  );

  test("of whatever a manifest declares of one entity alone is said", () => {
    const declared = facets.filter(
      ({ name, schema }) => schema !== undefined && otherEndOf(name) === undefined,
    );
    const ofOthers = (facet: Facet): boolean => facet.shape === "map" && facet.storedInColumns !== undefined;
    const unsaid = declared.filter((facet) => !facet.storedIn && !ofOthers(facet));
    expect(unsaid.map(({ name }) => name)).toEqual([]);
  });
});

describe("who put a value into an aspect is said beside the value", () => {
  const attributed = (name: string, aspect: JsonObject, value: Member, column?: string): Json | undefined =>
    attributionIn(setChange(name, [], [], column === undefined ? {} : { path: [column] }), value, aspect);
  const tags = (...names: readonly string[]): JsonObject => ({
    tags: names.map((tag) => ({ tag, attribution: by(tag) })),
  });
  const owner = (type: JsonObject): JsonObject => ({ owner: "u", attribution: by("a"), ...type });

  test.each<readonly [string, string, JsonObject, Member, string | undefined, string | undefined]>([
    [
      "a domain",
      "domain",
      { domainAssociations: [{ domain: "d", attribution: by("a") }] },
      "d",
      undefined,
      "a",
    ],
    [
      "another domain",
      "domain",
      { domainAssociations: [{ domain: "e", attribution: by("a") }] },
      "d",
      undefined,
      undefined,
    ],
    ["a domain of the older form", "domain", { domains: ["d"] }, "d", undefined, undefined],
    ["a tag", "tags", tags("x", "y"), "y", undefined, "y"],
    ["another tag", "tags", tags("x"), "y", undefined, undefined],
    ["an owner", "owners", { owners: [owner({ typeUrn: "t" })] }, { owner: "u", type: "t" }, undefined, "a"],
    [
      "an owner in another role",
      "owners",
      { owners: [owner({ typeUrn: "t" })] },
      { owner: "u", type: "s" },
      undefined,
      undefined,
    ],
    [
      "another owner",
      "owners",
      { owners: [owner({ typeUrn: "t" })] },
      { owner: "v", type: "t" },
      undefined,
      undefined,
    ],
    [
      "an owner of the older enum",
      "owners",
      { owners: [owner({ type: "DATA_STEWARD" })] },
      { owner: "u", type: `${system}data_steward` },
      undefined,
      "a",
    ],
    [
      "an owner with both, of which the URN counts",
      "owners",
      { owners: [owner({ type: "DATA_STEWARD", typeUrn: "t" })] },
      { owner: "u", type: "t" },
      undefined,
      "a",
    ],
    [
      "an owner without a type",
      "owners",
      { owners: [owner({})] },
      { owner: "u", type: `${system}none` },
      undefined,
      "a",
    ],
  ])("%s (%s)", (_, name, aspect, value, column, actor) => {
    expect(attributed(name, aspect, value, column)).toEqual(actor === undefined ? undefined : by(actor));
  });

  const infos = [
    null,
    { fieldPath: "x", globalTags: tags("t") },
    { fieldPath: "y" },
    { fieldPath: "z", globalTags: tags("u") },
  ];
  test.each<readonly [string, JsonObject, string, string, string | undefined]>([
    ["a tag of a column", { editableSchemaFieldInfo: infos }, "t", "x", "t"],
    ["a tag of the last column", { editableSchemaFieldInfo: infos }, "u", "z", "u"],
    ["a tag of another column", { editableSchemaFieldInfo: infos }, "t", "z", undefined],
    ["a tag of a column without tags", { editableSchemaFieldInfo: infos }, "t", "y", undefined],
    ["a tag of a column that is not there", { editableSchemaFieldInfo: infos }, "t", "w", undefined],
    ["a tag where there are no columns", {}, "t", "x", undefined],
    ["a tag where columns are no list", { editableSchemaFieldInfo: { fieldPath: "x" } }, "t", "x", undefined],
  ])("%s", (_, aspect, tag, column, actor) => {
    expect(attributed("columns.tags", aspect, tag, column)).toEqual(
      actor === undefined ? undefined : by(actor),
    );
  });
});

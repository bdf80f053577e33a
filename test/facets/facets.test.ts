import { describe, expect, test } from "vitest";
import { facetNamed, facets, facetsOf } from "../../src/facets/index.ts";
import { kinds } from "../../src/kinds/index.ts";
import { nameOfOwnershipType } from "../../src/facets/ownership-types.ts";
import type { FacetChange } from "../../src/model/change.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { setOf } from "../../src/model/state.ts";
import { datasetNamed, requestsFor } from "../support/states.ts";
import { answeredIn } from "./answers.ts";

const about = { action: "update", kind: "Dataset", urn: datasetNamed("a"), fingerprint: "" } as const;
const system = "urn:li:ownershipType:__system__";

test.each([
  ["domain", "finance", "urn:li:domain:finance"],
  ["domain", "urn:li:domain:finance", "urn:li:domain:finance"],
  ["tags", "pii", "urn:li:tag:pii"],
  ["tags", "dbt:finance", "urn:li:tag:dbt:finance"],
  ["columns.tags", "f(x)", "urn:li:tag:f%28x%29"],
  ["owners", { user: "alice" }, { owner: "urn:li:corpuser:alice", type: `${system}technical_owner` }],
  ["owners", { group: "g", type: "DATAOWNER" }, { owner: "urn:li:corpGroup:g", type: `${system}dataowner` }],
  [
    "owners",
    { user: "a", type: "architect" },
    { owner: "urn:li:corpuser:a", type: "urn:li:ownershipType:architect" },
  ],
  [
    "owners",
    { user: "a", type: "urn:li:ownershipType:X" },
    { owner: "urn:li:corpuser:a", type: "urn:li:ownershipType:X" },
  ],
])("%s takes %o as %o", (name, written, value) => {
  expect(facetNamed(name).parse(written as Json)).toMatchObject({ value });
});

test.each([
  ["domain", "urn:li:tag:pii", "wrong-reference", []],
  ["domain", "urn:li:domain:", "malformed-urn", []],
  ["tags", "urn:li:corpuser:a", "wrong-reference", []],
  ["owners", { user: "urn:li:corpGroup:g" }, "wrong-reference", ["user"]],
  ["owners", { group: "a ", type: "NONE" }, "malformed-urn", ["group"]],
  ["owners", { user: "a", type: "CUSTOM" }, "custom-ownership-type", ["type"]],
  ["owners", { user: "a", type: "TECHNICAL_OWNR" }, "unknown-ownership-type", ["type"]],
  ["owners", { user: "a", type: "urn:li:tag:x" }, "wrong-reference", ["type"]],
])("%s refuses %o as %s", (name, written, code, at) => {
  expect(facetNamed(name).parse(written as Json)).toMatchObject({ refusal: { code, at } });
});

test.each([
  ["domain", { aspects: {} }, { shape: "scalar", value: null }],
  ["domain", {}, { shape: "scalar", value: null }],
  ["tags", { tags: null }, setOf([])],
  ["tags", { tags: { tags: null } }, setOf([])],
  ["owners", { ownership: null }, setOf([])],
  ["owners", { ownership: { owners: null } }, setOf([])],
  [
    "owners",
    {
      ownership: {
        owners: [{ owner: { urn: "u" }, type: "PRODUCER", ownershipType: null }, { owner: { urn: "v" } }],
      },
    },
    setOf([
      { owner: "u", type: `${system}producer` },
      { owner: "v", type: `${system}none` },
    ]),
  ],
  [
    "columns.tags",
    { schemaMetadata: null, editableSchemaMetadata: null },
    { shape: "map", entries: new Map() },
  ],
])("%s reads %o as %o", (name, answered, value) => {
  expect(answeredIn(facetNamed(name), answered as JsonObject)).toMatchObject({ value });
});

describe("tags of columns", () => {
  const tagged = (...urns: readonly string[]): JsonObject => ({
    tags: urns.map((urn) => ({ tag: { urn } })),
  });
  const observed = () =>
    answeredIn(facetNamed("columns.tags"), {
      schemaMetadata: {
        fields: [
          { fieldPath: "email", tags: tagged("i", "both") },
          { fieldPath: "id", tags: null },
        ],
      },
      editableSchemaMetadata: {
        editableSchemaFieldInfo: [
          { fieldPath: "email", tags: tagged("e", "both") },
          { fieldPath: "gone", tags: tagged("e") },
        ],
      },
    });

  test("are those that can be edited, of the columns that the schema has", () => {
    expect(observed().value).toEqual({
      shape: "map",
      entries: new Map([
        ["email", setOf(["both", "e"])],
        ["id", setOf([])],
      ]),
    });
  });

  test("from ingestion stand beside", () => {
    expect(observed().ingested).toEqual([{ path: ["email"], value: "i" }]);
  });
});

test.each([
  ["domain", { before: null, after: "d" }, ["setDomain"]],
  ["domain", { before: "d", after: null }, ["unsetDomain"]],
  ["tags", { add: ["a", "b"], remove: [] }, ["addTags"]],
  ["tags", { add: [], remove: ["a", "b"] }, ["removeTag", "removeTag"]],
  [
    "owners",
    {
      add: [{ owner: "urn:li:corpuser:a", type: "t" }],
      remove: [
        { owner: "urn:li:corpuser:b", type: "t" },
        { owner: "urn:li:corpuser:c", type: "t" },
        { owner: "urn:li:corpuser:b", type: "u" },
      ],
    },
    ["addOwner", "batchRemoveOwners", "batchRemoveOwners"],
  ],
])("a change of %s %o is written by %o", (facet, delta, fields) => {
  const shape = "add" in delta ? "set" : "scalar";
  const requests = requestsFor({ ...about, shape, facet, ...delta } as FacetChange);
  expect(requests.map((request) => request.type === "mutation" && request.field)).toEqual(fields);
});

test.each([
  ["domain", { shape: "set", add: [], remove: [] }],
  ["tags", { shape: "scalar", before: null, after: "x" }],
  ["owners", { shape: "scalar", before: null, after: "x" }],
])("a change of %s in the shape of %o is a fault of ours", (facet, delta) => {
  expect(() => requestsFor({ ...about, facet, ...delta } as FacetChange)).toThrow(
    `unexpected shape of a change to ${facet}: ${delta.shape}`,
  );
});

test.each([
  [`${system}technical_owner`, { type: "TECHNICAL_OWNER", ownershipTypeUrn: `${system}technical_owner` }],
  [`${system}none`, { type: "NONE", ownershipTypeUrn: `${system}none` }],
  [`${system}consumer`, { type: "CONSUMER" }],
  ["urn:li:ownershipType:architect", { ownershipTypeUrn: "urn:li:ownershipType:architect" }],
])("an owner of type %s is added with %o", (type, input) => {
  const add = [{ owner: "urn:li:corpGroup:g", type }];
  const [request] = requestsFor({ ...about, shape: "set", facet: "owners", add, remove: [] });
  expect(request?.type === "mutation" && request.args[0]?.value).toEqual({
    ownerUrn: "urn:li:corpGroup:g",
    ownerEntityType: "CORP_GROUP",
    resourceUrn: about.urn,
    ...input,
  });
});

test("what is removed of owners always names its type", () => {
  const remove = [{ owner: "urn:li:corpuser:b", type: `${system}data_steward` }];
  const [request] = requestsFor({ ...about, shape: "set", facet: "owners", add: [], remove });
  expect(request?.type === "mutation" && request.args[0]?.value).toMatchObject({
    ownershipTypeUrn: `${system}data_steward`,
  });
});

const asIs = (value: string): string => value;

test("a plan shows values as people write them", () => {
  expect(facetNamed("tags").format("urn:li:tag:a", asIs)).toBe("urn:li:tag:a");
  expect(facetNamed("domain").format(null, asIs)).toBe("null");
  expect(facetNamed("owners").format({ owner: "u", type: `${system}data_steward` }, asIs)).toBe(
    "u as DATA_STEWARD",
  );
  const named = (of: string): string => `the name of ${of}`;
  expect(facetNamed("domain").format("d", named)).toBe("the name of d");
  expect(facetNamed("owners").format({ owner: "u", type: `${system}data_steward` }, named)).toBe(
    "the name of u as DATA_STEWARD",
  );
  expect(facetNamed("owners").format({ owner: "u", type: "urn:li:ownershipType:x" }, named)).toBe(
    "the name of u as the name of urn:li:ownershipType:x",
  );
  expect(nameOfOwnershipType("urn:li:ownershipType:x")).toBe("urn:li:ownershipType:x");
});

test("a facet belongs to its kinds, and a name that is none is an error", () => {
  for (const { name } of kinds) {
    expect(facetsOf(name)).toEqual(facets.filter((facet) => facet.kinds.includes(name)));
  }
  expect(facetsOf("Container").map(({ name }) => name)).toEqual(
    expect.arrayContaining(["domain", "owners", "tags"]),
  );
  expect(facetsOf("Container")).not.toContain(facetNamed("columns.tags"));
  expect(facetsOf("glossary")).toEqual([]);
  expect(() => facetNamed("glossary")).toThrow("glossary");
});

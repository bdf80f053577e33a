import { parse } from "graphql";
import { expect, test } from "vitest";
import { facetsOf } from "../../../src/facets/index.ts";
import { assetKinds, definitionKinds, kindOf } from "../../../src/kinds/index.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import {
  assetsDocument,
  definitionsDocument,
  numbered,
  rawAspectsIn,
  storedAspects,
  rawAspectsOf,
} from "../../../src/sync/read/entities-document.ts";
import { entityOf, urn } from "../../support/states.ts";

const [pii, gold] = [urn("urn:li:tag:pii"), urn("urn:li:tag:gold")];
const all = new Map(
  assetKinds.map(({ name }) => [name, new Set(facetsOf(name).map((facet) => facet.name))] as const),
);
const definitions = definitionKinds.map(({ name }) => entityOf(name, pii, {}));

test.each([
  ["assets", assetsDocument(all)],
  [
    "assets with others beside them",
    assetsDocument(all, "... on SchemaFieldEntity { tags { tags { tag { urn } } } }"),
  ],
  ["definitions", definitionsDocument(definitions)],
])("the query for %s is GraphQL in which each part is parted from the next by a blank", (_, document) => {
  expect(() => parse(document)).not.toThrow();
  expect(document).not.toMatch(/[})\]!][\w$.]/);
  expect(document).not.toMatch(/\S {2,}\S/);
});

test("definitions are asked for together, and whether each exists", () => {
  const document = definitionsDocument([entityOf("Tag", pii, {}), entityOf("Tag", gold, {})]);
  expect(document).toContain(
    "($urns: [String!]!, $u0: String!, $u1: String!) { e0: entityExists(urn: $u0) e1: entityExists(urn: $u1) entities(urns: $urns) { urn __typename ... on Tag { ",
  );
  expect(document.match(/\.\.\. on (?:Tag|Domain) /g)).toHaveLength(1);
  expect(numbered([pii, gold])).toEqual({ u0: pii, u1: gold });
});

test("from what is stored what is declared is known, and what is always asked for", () => {
  const [dataset, declared] = [kindOf("Dataset"), new Map([["Dataset", new Set(["tags"])]])];
  const aspects = storedAspects(dataset, declared);
  expect(aspects).toEqual(expect.arrayContaining(["status", "globalTags", "domains"]));
  expect(aspects).not.toContain("ownership");
  expect(aspects.filter((name) => !/^[a-z]+$/i.test(name))).toEqual([]);
  expect(storedAspects(undefined, declared)).toEqual(["status"]);
});

const aspect = (aspectName: unknown, payload: unknown = "{}"): JsonObject =>
  ({ aspectName, payload }) as JsonObject;

test("raw aspects are known by their names", () => {
  const aspects = [aspect("status", '{"removed":true}'), aspect("x_1")];
  const byName = { status: { removed: true }, x_1: {} };
  expect(rawAspectsOf({ urn: pii, aspects })).toEqual(byName);
  expect(rawAspectsOf({ urn: pii, aspects: byName })).toEqual(byName);
  expect(rawAspectsOf({ urn: pii, aspects: null })).toEqual({});
  expect(rawAspectsIn({ urn: pii, aspects })).toEqual(byName);
  expect(rawAspectsIn({ urn: pii, aspects: byName })).toEqual(byName);
  expect(rawAspectsIn({ urn: pii, aspects: null })).toBe(
    "the server's response does not contain this entity",
  );
});

const longest = `a${"b".repeat(99)}`;

test.each<readonly [string, readonly JsonObject[], string]>([
  ["that begins with a digit", [aspect("1a")], "an aspect has no name"],
  ["that begins on another line", [aspect("\na")], "an aspect has no name"],
  ["with a blank", [aspect("a b")], "an aspect has no name"],
  ["that is too long", [aspect(`${longest}b`)], "an aspect has no name"],
  ["that is no text", [aspect(7)], "an aspect has no name"],
  ["that is there twice", [aspect(longest), aspect(longest)], `aspect ${longest} occurs twice`],
])("an aspect with a name %s is malformed", (_, aspects, why) => {
  const message = `the server returned a malformed response: ${why}`;
  expect(() => rawAspectsOf({ urn: pii, aspects })).toThrow(message);
  expect(rawAspectsIn({ urn: pii, aspects })).toBe(message);
});

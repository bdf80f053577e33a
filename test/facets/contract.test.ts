import { expect, test } from "vitest";
import { facetNamed, facets, memberships, valueInAspect, writesFor } from "../../src/facets/index.ts";
import { isOwnershipTypeName } from "../../src/facets/ownership-types.ts";
import type { FacetChange } from "../../src/model/change.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { type FacetValue, type Member, type Scalar, scalarOf, setOf } from "../../src/model/state.ts";
import { datasetNamed, urn } from "../support/states.ts";

const a = datasetNamed("a");
const technical = "urn:li:ownershipType:__system__technical_owner";
const inDomains = { gains: "gets", loses: "loses", noun: "domain" };
const ofTags = { gains: "is put on", loses: "is taken off", noun: "tag" };

test("what a token needs, and how sentences tell of what happens, is said by each facet for itself", () => {
  const told = facets.flatMap(({ name, privilege, told: telling }) =>
    privilege || telling ? [[name, privilege?.name, privilege?.title, telling]] : [],
  );

  expect(told).toEqual([
    ["domain", "EDIT_DOMAINS_PRIVILEGE", "Edit Domain", inDomains],
    [
      "owners",
      "EDIT_ENTITY_OWNERS",
      "Edit Owners",
      { gains: "becomes owner of", loses: "is no longer owner of", subjectOf: expect.any(Function) },
    ],
    ["tags", "EDIT_ENTITY_TAGS", "Edit Tags", ofTags],
    ["columns.tags", "EDIT_DATASET_COL_TAGS", "Edit Dataset Column Tags", ofTags],
    ["parent_domain", undefined, undefined, inDomains],
    ["members", "EDIT_GROUP_MEMBERS", "Edit Group Members", { gains: "joins", loses: "leaves" }],
  ]);
});

test("a sentence about an owner tells of the owner, and not of its type", () => {
  const { told } = facetNamed("owners");

  expect(told?.subjectOf?.({ owner: "urn:li:corpuser:a", type: technical })).toBe("urn:li:corpuser:a");
  expect(told?.subjectOf?.("urn:li:corpuser:a")).toBe("");
});

test("facets name the types of what they refer to, and what else sets them apart", () => {
  const references = facets.flatMap(({ name, refersTo }) => (refersTo.length > 0 ? [[name, refersTo]] : []));
  const having = (has: (facet: (typeof facets)[number]) => boolean): readonly string[] =>
    facets.filter(has).map(({ name }) => name);

  expect(references).toEqual([
    ["domain", ["domain"]],
    ["owners", ["corpuser", "corpGroup", "ownershipType"]],
    ["tags", ["tag"]],
    ["columns.tags", ["tag"]],
    ["parent_domain", ["domain"]],
    ["manager_urn", ["corpuser"]],
    ["members", ["corpuser"]],
    ["groups", ["corpGroup"]],
  ]);
  expect(having(({ isHome }) => isHome === true)).toEqual(["domain"]);
  expect(having(({ holdsOwners }) => holdsOwners === true)).toEqual(["owners"]);
  expect(having(({ readWhenDeclared }) => readWhenDeclared)).toEqual(["columns.tags"]);
  expect(having(({ makesReferenceable }) => makesReferenceable)).toEqual(["removed"]);
  expect(having(({ lock }) => lock !== undefined)).toEqual(["members"]);
  expect(having(({ inlineKind }) => inlineKind === "User")).toEqual(["members"]);
  expect(having(({ searchField }) => searchField === "domains")).toEqual(["domain"]);
});

test("memberships are edges from groups to users", () => {
  const { facet, inverse, query, kind, inverseKind } = memberships;

  expect([facet, inverse, query]).toEqual(["members", "groups", "corpGroup"]);
  expect([kind.name, inverseKind.name]).toEqual(["Group", "User"]);
});

function setChange(facet: string, add: readonly Member[], remove: readonly Member[] = []): FacetChange {
  const about = { action: "update", shape: "set", kind: "Dataset", urn: a, fingerprint: "" } as const;
  return { ...about, facet, add, remove };
}

function scalarChange(facet: string, after: Scalar, kind = "Dataset", of = a): FacetChange {
  const about = { action: "update", shape: "scalar", kind, urn: of, fingerprint: "" } as const;
  return { ...about, facet, before: null, after };
}

test("of a user's groups nothing is read and nothing written: the group has them as members", () => {
  const answer = { groups: ["urn:li:corpGroup:g"] };

  expect(facetNamed("groups").observe(answer, "User").value).toEqual(setOf([]));
  expect(writesFor(setChange("groups", ["urn:li:corpGroup:g"], ["urn:li:corpGroup:h"]), "graphql")).toEqual(
    [],
  );
});

test.each<readonly [string, readonly Member[]]>([
  ["tags", ["urn:li:tag:a", "urn:li:tag:b"]],
  ["owners", [{ owner: "urn:li:corpuser:a", type: technical }]],
  ["members", ["urn:li:corpuser:a", "urn:li:corpuser:b"]],
])("each write of %s names the elements that it adds or removes", (facet, elements) => {
  const added = writesFor(setChange(facet, elements), "graphql").flatMap(({ adds = [] }) => adds);
  const removed = writesFor(setChange(facet, [], elements), "graphql").flatMap(({ removes = [] }) => removes);

  expect(added).toEqual(elements);
  expect([...new Set(removed)]).toEqual(elements);
});

test.each(["graphql", "conditional"] as const)(
  "a change of another shape than its facet's is refused, written by %s",
  (writes) => {
    expect(() => writesFor({ ...setChange("tags", []), facet: "domain" }, writes)).toThrow(
      "a change of domain has the shape of a set",
    );
    expect(() => writesFor(scalarChange("tags", "x"), writes)).toThrow(
      "a change of tags has the shape of a scalar",
    );
  },
);

const tagged = (...tags: readonly string[]): JsonObject => ({ tags: tags.map((tag) => ({ tag })) });
const edited = { editableSchemaFieldInfo: [{ fieldPath: "id", globalTags: tagged("urn:li:tag:a") }] };
const tag = urn("urn:li:tag:t");

test.each<readonly [string, FacetChange, string, JsonObject | undefined, FacetValue]>([
  ["a set", setChange("tags", []), "globalTags", tagged("urn:li:tag:a"), setOf(["urn:li:tag:a"])],
  ["an empty set, without the aspect", setChange("tags", []), "globalTags", undefined, setOf([])],
  [
    "a column alone",
    { ...setChange("columns.tags", []), column: "id" },
    "editableSchemaMetadata",
    edited,
    { shape: "map", entries: new Map([["id", setOf(["urn:li:tag:a"])]]) },
  ],
  [
    "a column of which nothing was edited",
    { ...setChange("columns.tags", []), column: "email" },
    "editableSchemaMetadata",
    edited,
    { shape: "map", entries: new Map([["email", setOf([])]]) },
  ],
  [
    "a value",
    scalarChange("domain", null),
    "domains",
    { domains: ["urn:li:domain:d"] },
    scalarOf("urn:li:domain:d"),
  ],
  ["no value, without the aspect", scalarChange("domain", null), "domains", undefined, scalarOf(null)],
  [
    "a field",
    scalarChange("description", null, "Tag", tag),
    "tagProperties",
    { description: "x" },
    scalarOf("x"),
  ],
])("an aspect by itself tells of the facet of a change: %s", (_, change, name, aspect, expected) => {
  expect(valueInAspect(change, name, aspect)).toEqual(expected);
});

test.each<readonly [string, boolean]>([
  ["TECHNICAL_OWNER", true],
  ["technical_owner", true],
  ["Data Steward", true],
  ["data-steward", true],
  ["Data   Steward", true],
  ["Data - Steward", true],
  ["DataSteward", false],
  ["data.steward", false],
  ["architect", false],
])("%s is a name of an ownership type, in whatever spelling: %s", (text, expected) => {
  expect(isOwnershipTypeName(text)).toBe(expected);
});

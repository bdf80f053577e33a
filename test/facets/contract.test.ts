import { expect, test } from "vitest";
import { aspectsIn } from "../../src/facets/answered-aspects.ts";
import type { Facet } from "../../src/facets/facet.ts";
import { facetNamed, facets, plannedFacets } from "../../src/facets/index.ts";
import { valueInAspect, writesFor } from "../../src/facets/writes.ts";
import { isOwnershipTypeName } from "../../src/facets/ownership-types.ts";
import type { FacetChange } from "../../src/model/change.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { type FacetValue, type Member, scalarOf, setOf } from "../../src/model/state.ts";
import { memberships } from "../support/states.ts";
import { scalarChange, setChange } from "./changes.ts";

const technical = "urn:li:ownershipType:__system__technical_owner";

test.each<readonly [string, string | undefined, string, string]>([
  ["domain", "EDIT_DOMAINS_PRIVILEGE Edit Domain", "domain gets", "domain loses"],
  ["owners", "EDIT_ENTITY_OWNERS Edit Owners", "becomes an owner of", "is no longer an owner of"],
  ["tags", "EDIT_ENTITY_TAGS Edit Tags", "tag is added to", "tag is removed from"],
  [
    "columns.tags",
    "EDIT_DATASET_COL_TAGS Edit Dataset Column Tags",
    "tag is added to",
    "tag is removed from",
  ],
  [
    "glossary_terms",
    "EDIT_ENTITY_GLOSSARY_TERMS Edit Glossary Terms",
    "glossary term is added to",
    "glossary term is removed from",
  ],
  ["parent_domain", undefined, "domain gets", "domain loses"],
  ["members", "EDIT_GROUP_MEMBERS Edit Group Members", "joins", "leaves"],
])("a change of %s needs %s, and reads “%s” and “%s”", (name, privilege, gains, loses) => {
  const { privilege: needed, wording } = facetNamed(name);
  const sentence = (verb: string | undefined): string => [wording?.noun, verb].filter(Boolean).join(" ");

  expect(needed && `${needed.name} ${needed.title}`).toBe(privilege);
  expect([sentence(wording?.gains), sentence(wording?.loses)]).toEqual([gains, loses]);
});

test("each privilege is called as in DataHub, by name and title", () => {
  for (const { privilege } of facets) {
    if (privilege)
      expect(privilege).toEqual({
        name: expect.stringMatching(/^EDIT_[A-Z_]+$/),
        title: expect.stringMatching(/^Edit /),
      });
  }
});

test("an answer without a value is an aspect that is not there, for whatever GraphQL answers in typed fields", () => {
  const answered = facets.flatMap((facet) => facet.kinds.flatMap((kind) => facet.answered(kind)));

  expect(answered.length).toBeGreaterThan(5);
  expect(aspectsIn({}, answered, {})).toEqual({});
  expect(aspectsIn({ tags: null }, answered, { status: {} })).toEqual({ status: {} });
});

test("only what names an entity, by itself or as a part of its values, has a wording for sentences", () => {
  for (const { wording, refersTo } of facets) if (wording) expect(refersTo).not.toEqual([]);
});

test("a sentence about an owner tells of the owner, and not of its type", () => {
  const { wording } = facetNamed("owners");

  expect(wording?.subjectOf?.({ owner: "urn:li:corpuser:a", type: technical })).toBe("urn:li:corpuser:a");
  expect(wording?.subjectOf?.("urn:li:corpuser:a")).toBe("");
});

test.each<readonly [string, Partial<Facet>]>([
  ["domain", { refersTo: ["domain"], isPlacement: true, searchField: "domains" }],
  ["owners", { refersTo: ["corpuser", "corpGroup", "ownershipType"], isOwnership: true }],
  ["tags", { refersTo: ["tag"] }],
  ["columns.tags", { refersTo: ["tag"], readWhenDeclared: true }],
  ["parent_domain", { refersTo: ["domain"] }],
  ["manager_urn", { refersTo: ["corpuser"] }],
  ["members", { refersTo: ["corpuser"], inlineKind: "User", lock: "memberships" }],
  ["groups", { refersTo: ["corpGroup"] }],
  ["removed", { makesReferenceable: true }],
  ["description", { refersTo: [], isProse: true }],
  ["columns.description", { refersTo: [], isProse: true }],
  ["deprecation", { referringFields: ["replacement"], flag: "deprecated", isProse: true }],
  ["assets", { relationship: "DataProductContains", wording: { gains: "joins", loses: "leaves" } }],
  ["owners", { relationship: "OwnedBy" }],
  ["domain", { relationship: "AssociatedWith" }],
])("%s says what it refers to, and what sets it apart: %o", (name, traits) => {
  expect(facetNamed(name)).toMatchObject(traits);
});

test("only a restored entity becomes one that others can refer to", () => {
  expect(facets.filter((facet) => facet.makesReferenceable).map(({ name }) => name)).toEqual(["removed"]);
});

test("plans show all facets but those that declare edges from their other end", () => {
  const others = facets.filter((facet) => !plannedFacets.includes(facet)).map(({ name }) => name);

  expect(others.toSorted()).toEqual(["data_products", "groups"]);
});

test("what a facet takes refers to entities of the types that it names", () => {
  for (const facet of facets.filter(({ refersTo }) => refersTo.length > 0)) {
    const { examples = [] } = facet.schema ?? {};
    const [written] = [examples].flat(2) as readonly Json[];
    const parsed = facet.parse(written ?? null);
    const references = "references" in parsed ? parsed.references : [];

    expect(references.length).toBeGreaterThan(0);
    expect(facet.refersTo).toEqual(expect.arrayContaining(references.map(({ entityType }) => entityType)));
  }
});

test("memberships are edges from groups to users", () => {
  const { facet, inverse, kind, inverseKinds, storedByMembers } = memberships;

  expect([facet, inverse, storedByMembers.query]).toEqual(["members", "groups", "corpGroup"]);
  expect([kind, ...inverseKinds].map(({ name }) => name)).toEqual(["Group", "User"]);
});

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
      "unexpected shape of a change to domain: set",
    );
    expect(() => writesFor(scalarChange("tags", "x"), writes)).toThrow(
      "unexpected shape of a change to tags: scalar",
    );
  },
);

const tagged = (...tags: readonly string[]): JsonObject => ({ tags: tags.map((tag) => ({ tag })) });
const edited = { editableSchemaFieldInfo: [{ fieldPath: "id", globalTags: tagged("urn:li:tag:a") }] };

test.each<readonly [string, FacetChange, string, JsonObject | undefined, FacetValue]>([
  ["a set", setChange("tags", []), "globalTags", tagged("urn:li:tag:a"), setOf(["urn:li:tag:a"])],
  ["an empty set, without the aspect", setChange("tags", []), "globalTags", undefined, setOf([])],
  [
    "a column alone",
    setChange("columns.tags", [], [], { path: ["id"] }),
    "editableSchemaMetadata",
    edited,
    { shape: "map", entries: new Map([["id", setOf(["urn:li:tag:a"])]]) },
  ],
  [
    "a column of which nothing was edited",
    setChange("columns.tags", [], [], { path: ["email"] }),
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
    scalarChange("description", null, { kind: "Tag", urn: "urn:li:tag:t" }),
    "tagProperties",
    { description: "x" },
    scalarOf("x"),
  ],
])("an aspect by itself tells of the facet of a change: %s", (_, change, name, aspect, expected) => {
  expect(valueInAspect([change], name, aspect)).toEqual(expected);
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

import { describe, expect, test } from "vitest";
import { selectionOf } from "../../src/facets/answered-aspects.ts";
import { facetNamed, facets, facetsOf } from "../../src/facets/index.ts";
import { kinds } from "../../src/kinds/index.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { type FacetValue, type KindName, scalarOf, setOf } from "../../src/model/state.ts";
import { answeredIn } from "./answers.ts";

const system = "urn:li:ownershipType:__system__";

const selected = (name: string): string =>
  selectionOf(facetNamed(name).answered("Dataset")).replaceAll(/\s+/g, " ");

test.each(kinds.map(({ name }) => [name]))("a %s has the facets that are on it, and no others", (kind) => {
  expect(facetsOf(kind)).toEqual(facets.filter((facet) => facet.kinds.includes(kind)));
});

describe("of an entity is asked", () => {
  test.each([
    ["domain", ""],
    ["tags", "tags { tags { tag { urn } } }"],
    [
      "owners",
      "ownership { owners { owner { ... on CorpUser { urn } ... on CorpGroup { urn } } type ownershipType { urn } } }",
    ],
    [
      "columns.tags",
      "schemaMetadata { fields { fieldPath tags { tags { tag { urn } } } } } " +
        "editableSchemaMetadata { editableSchemaFieldInfo { fieldPath tags { tags { tag { urn } } } } }",
    ],
    ["name", ""],
    ["members", ""],
    ["removed", ""],
  ])("for %s: %s", (name, text) => {
    expect(selected(name)).toBe(text);
  });

  test("only where it is declared what the server looks up for each column, or for each asset as one more aspect", () => {
    const ofAssets = facets.filter(
      (facet) => facet.kinds.includes("Dataset") && facet.aspects("Dataset").length > 0,
    );
    for (const { name, shape, readWhenDeclared } of facets) {
      const isOneMore = name !== "domain" && ofAssets.some((facet) => facet.name === name);
      expect(readWhenDeclared, name).toBe(shape === "map" || isOneMore);
    }
  });

  test.each<readonly [string, KindName, readonly string[]]>([
    ["domain", "Dataset", ["domains"]],
    ["owners", "Tag", []],
    ["tags", "Dataset", []],
    ["columns.tags", "Dataset", []],
    ["members", "Group", []],
    ["removed", "User", ["status"]],
  ])("for %s of a %s the raw aspects %j", (name, kind, aspects) => {
    expect(facetNamed(name).aspects(kind)).toEqual(aspects);
  });
});

test.each(facets.map((facet) => [facet.name, facet] as const))("%s is read in its own shape", (_, facet) => {
  for (const kind of facet.kinds) expect(facet.observe({}, kind).value.shape).toBe(facet.shape);
});

describe("an answer is read:", () => {
  const observed = (name: string, answer: JsonObject): FacetValue =>
    answeredIn(facetNamed(name), answer).value;

  test.each<readonly [string, string, JsonObject, FacetValue]>([
    [
      "the domain of the first association, whatever GraphQL shows",
      "domain",
      { domain: null, aspects: { domains: { domains: ["e", "d"], domainAssociations: [{ domain: "d" }] } } },
      scalarOf("d"),
    ],
    [
      "the first domain where there is no association, as DataHub stored it before 1.7",
      "domain",
      { domain: null, aspects: { domains: { domains: ["d", "e"] } } },
      scalarOf("d"),
    ],
    [
      "no domain",
      "domain",
      { aspects: { domains: { domains: [], domainAssociations: [] } } },
      scalarOf(null),
    ],
    ["tags", "tags", { tags: { tags: [{ tag: { urn: "y" } }, { tag: { urn: "x" } }] } }, setOf(["x", "y"])],
    [
      "an owner by the URN of the type, whatever the enum says",
      "owners",
      { ownership: { owners: [{ owner: { urn: "u" }, type: "NONE", ownershipType: { urn: "t" } }] } },
      setOf([{ owner: "u", type: "t" }]),
    ],
    [
      "an owner by the enum where there is no URN",
      "owners",
      { ownership: { owners: [{ owner: { urn: "u" }, type: "CONSUMER" }] } },
      setOf([{ owner: "u", type: `${system}consumer` }]),
    ],
    [
      "an owner without any type",
      "owners",
      { ownership: { owners: [{ owner: { urn: "u" }, type: null, ownershipType: null }] } },
      setOf([{ owner: "u", type: `${system}none` }]),
    ],
    ["no ownership", "owners", {}, setOf([])],
    ["no tags", "tags", {}, setOf([])],
    ["the members of a group, which its users hold", "members", { relationships: [] }, setOf([])],
  ])("%s", (_, name, answer, value) => {
    expect(observed(name, answer)).toEqual(value);
  });

  test("columns of an entity without a schema are none, and what was edited is beside them", () => {
    const editableSchemaMetadata = {
      editableSchemaFieldInfo: [{ fieldPath: "x", tags: { tags: [{ tag: { urn: "t" } }] } }],
    };

    expect(answeredIn(facetNamed("columns.tags"), { editableSchemaMetadata })).toEqual({
      value: { shape: "map", entries: new Map() },
      ingested: [],
      dormant: { shape: "map", entries: new Map([["x", setOf(["t"])]]) },
    });
  });

  test("a column of which nothing was edited has no tags of ours", () => {
    const schemaMetadata = { fields: [{ fieldPath: "x", tags: { tags: [{ tag: { urn: "t" } }] } }] };

    expect(answeredIn(facetNamed("columns.tags"), { schemaMetadata })).toEqual({
      value: { shape: "map", entries: new Map([["x", setOf([])]]) },
      ingested: [{ path: ["x"], value: "t" }],
    });
  });

  test.each<readonly [string, JsonObject, readonly string[] | undefined]>([
    [
      "that of the first association first",
      { domains: ["e", "d"], domainAssociations: [{ domain: "d" }] },
      ["d", "e"],
    ],
    ["as they are stored where none is associated", { domains: ["e", "d"] }, ["e", "d"]],
    ["not where there is one", { domains: ["d"], domainAssociations: [{ domain: "d" }] }, undefined],
    ["not where there is none", {}, undefined],
  ])("all domains are told, %s", (_, domains, several) => {
    expect(facetNamed("domain").observe({ domains }, "Dataset")).toEqual({
      value: scalarOf(several?.[0] ?? (domains["domains"] ? "d" : null)),
      ...(several && { several }),
    });
  });

  test.each<readonly [JsonObject]>([
    [{ aspects: { status: {} } }],
    [{ aspects: { status: null } }],
    [{ aspects: null }],
    [{ status: { removed: true } }],
  ])("%j is not soft-deleted", (answer) => {
    expect(observed("removed", answer)).toEqual(scalarOf(false));
  });

  test.each<readonly [JsonObject]>([
    [{ status: { removed: "true" } }],
    [{ status: { removed: 0 } }],
    [{ status: "ACTIVE" }],
  ])("%j does not say whether an entity is soft-deleted, and is malformed", (aspects) => {
    expect(() => observed("removed", { aspects })).toThrow("malformed response: the status does not state");
  });
});

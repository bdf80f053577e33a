import { describe, expect, test } from "vitest";
import type { MapFacet } from "../../src/facets/facet.ts";
import { facetNamed } from "../../src/facets/index.ts";
import { attributionIn } from "../../src/facets/attribution.ts";
import { valueInAspect } from "../../src/facets/writes.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { setOf } from "../../src/model/state.ts";
import { schemaFieldUrn } from "../../src/model/urn.ts";
import { dataset, editsOf, sentFor, setChange } from "./changes.ts";
import { answeredIn } from "./answers.ts";

const [pii, old] = ["urn:li:glossaryTerm:pii", "urn:li:glossaryTerm:old"];
const column = { subResourceType: "DATASET_FIELD", subResource: "id" };

/** An edit of glossary terms, and one of tags. */
const edits = {
  glossary_terms: {
    at: ["terms"],
    add: [{ element: { urn: pii } }],
    remove: [{ urn: old }],
    attribution: "GlossaryTermAssociation.attribution",
    stamp: "auditStamp",
    keys: { template: ["urn"], own: ["attribution\u241Fsource", "urn"] },
  },
  tags: {
    at: ["tags"],
    add: [{ element: { tag: pii } }],
    remove: [{ tag: old }],
    attribution: "TagAssociation.attribution",
    keys: { template: ["tag"], own: ["attribution\u241Fsource", "tag"] },
  },
};

test.each([
  ["glossary_terms", "glossaryTerms", edits.glossary_terms],
  ["tags", "globalTags", edits.tags],
])("%s are edited in the aspect %s, and those of a column in its entry", (name, aspect, edit) => {
  const at = ["editableSchemaFieldInfo", { fieldPath: "id" }, aspect, ...edit.at];

  expect(editsOf(setChange(name, [pii], [old]))).toStrictEqual([edit]);
  expect(editsOf(setChange(`columns.${name}`, [pii], [old], { path: ["id"] }))).toStrictEqual([
    { ...edit, at },
  ]);
});

test.each([
  ["glossary_terms", {}],
  ["columns.glossary_terms", column],
])("mutations add all %s at once, and take each away by itself", (name, place) => {
  const input = (type: string, value: JsonObject): readonly object[] => [
    { name: "input", type, value: { ...value, resourceUrn: dataset, ...place } },
  ];

  expect(sentFor(setChange(name, [pii], [old], name === "glossary_terms" ? {} : { path: ["id"] }))).toEqual([
    {
      request: { type: "mutation", field: "addTerms", args: input("AddTermsInput!", { termUrns: [pii] }) },
      adds: [pii],
    },
    {
      request: {
        type: "mutation",
        field: "removeTerm",
        args: input("TermAssociationInput!", { termUrn: old }),
      },
      removes: [old],
    },
  ]);
});

describe("glossary terms", () => {
  const terms = facetNamed("glossary_terms");
  const stored = { terms: [{ urn: pii, actor: "a", attribution: { actor: "x" } }] };

  test("are read as they are stored, because GraphQL leaves out those that the token may not view", () => {
    expect([terms.answered("Dataset"), terms.aspects("Dataset")]).toEqual([[], ["glossaryTerms"]]);
    expect(terms.observe({ glossaryTerms: stored }, "Dataset")).toEqual({ value: setOf([pii]) });
    expect(terms.observe({}, "Dataset")).toEqual({ value: setOf([]) });
  });

  test("are in an aspect, which says who put them there", () => {
    expect([terms.storedIn?.("Dataset"), terms.searchField]).toEqual(["glossaryTerms", undefined]);
    expect(attributionIn(setChange("glossary_terms", [], []), pii, stored)).toEqual({ actor: "x" });
    expect(valueInAspect([setChange("glossary_terms", [], [])], "glossaryTerms", stored)).toEqual(
      setOf([pii]),
    );
  });

  test.each<readonly [JsonObject, string]>([
    [{ glossaryTerms: { terms: "x" } }, "the terms are not a list of objects"],
    [{ glossaryTerms: { terms: [{}] } }, "a term has no URN"],
  ])("that are stored as %j are malformed", (aspects, message) => {
    expect(() => terms.observe(aspects, "Dataset")).toThrow(
      `the server returned a malformed response: ${message}`,
    );
  });
});

describe("of columns", () => {
  const ofColumns = (name: string): MapFacet => {
    const facet = facetNamed(name);
    if (facet.shape !== "map") throw new Error(`${name} is no map`);
    return facet;
  };

  test("glossary terms that people edited are read as they are stored", () => {
    const facet = ofColumns("columns.glossary_terms");
    const editedColumns = [{ fieldPath: "id", glossaryTerms: { terms: [{ urn: pii }] } }];
    const aspects = { editableSchemaMetadata: { editableSchemaFieldInfo: editedColumns } };
    const redacted = {
      schemaMetadata: { fields: [{ fieldPath: "id" }] },
      editableSchemaMetadata: {
        editableSchemaFieldInfo: [{ fieldPath: "id", glossaryTerms: { terms: [] } }],
      },
    };

    expect(answeredIn(facet, { ...redacted, aspects }).value).toEqual({
      shape: "map",
      entries: new Map([["id", setOf([pii])]]),
    });
  });

  test("glossary terms are known from what is stored, by column", () => {
    const facet = ofColumns("columns.glossary_terms");
    const fields = [{ fieldPath: "id", glossaryTerms: { terms: [{ urn: pii }] } }, { fieldPath: "email" }];

    expect(facet.observe({ schemaMetadata: { fields } }, "Dataset")).toEqual({
      value: {
        shape: "map",
        entries: new Map([
          ["id", setOf([])],
          ["email", setOf([])],
        ]),
      },
      ingested: [{ path: ["id"], value: pii }],
    });
  });

  test.each([
    ["columns.tags", "tags { tags { tag { urn } } }", "globalTags"],
    ["columns.glossary_terms", "glossaryTerms { terms { term { urn } } }", "glossaryTerms"],
  ])("%s are as well on the entity of a column", (name, selection, aspect) => {
    const { columnEntity } = ofColumns(name);

    expect([columnEntity?.field, columnEntity?.answered.selection, columnEntity?.answered.name]).toEqual([
      `SchemaFieldEntity.${selection.split(" ")[0]}`,
      selection,
      aspect,
    ]);
    expect(columnEntity?.urnOf(dataset, "a,b")).toBe(schemaFieldUrn(dataset, "a,b"));
  });

  test("what only the entity of a column has is read of it", () => {
    const { columnEntity } = ofColumns("columns.tags");

    expect(columnEntity?.observe({ globalTags: { tags: [{ tag: "x" }] } })).toEqual(["x"]);
  });

  test("the aspect says who put them there, of which column", () => {
    const terms = [{ urn: pii, attribution: { actor: "x" } }];
    const edited = { editableSchemaFieldInfo: [{ fieldPath: "id", glossaryTerms: { terms } }] };
    const by = (path?: readonly string[]): unknown =>
      attributionIn(setChange("columns.glossary_terms", [], [], path && { path }), pii, edited);

    expect([by(["id"]), by(["email"])]).toEqual([{ actor: "x" }, undefined]);
    expect(() => by()).toThrow("a place in a map has no key");
  });
});

test("a stored list that is none is malformed", () => {
  const stored = { globalTags: { tags: "x" }, schemaMetadata: { fields: "x" } };
  const malformed = "the server returned a malformed response:";

  expect(() => facetNamed("tags").observe(stored, "Dataset")).toThrow(
    `${malformed} the tags are not a list of objects`,
  );
  expect(() => facetNamed("columns.tags").observe(stored, "Dataset")).toThrow(
    `${malformed} the columns are not a list of objects`,
  );
});

test.each([
  ["tags", "TaggedWith"],
  ["columns.tags", "EditableSchemaFieldTaggedWith"],
  ["glossary_terms", "TermedWith"],
  ["columns.glossary_terms", "EditableSchemaFieldWithGlossaryTerm"],
])("%s make the relationship %s", (name, relationship) => {
  expect(facetNamed(name).relationship).toBe(relationship);
});

test("only tags of assets can be edited with their own privilege alone", () => {
  const names = ["tags", "columns.tags", "glossary_terms", "columns.glossary_terms", "owners", "domain"];
  const own = names.filter((name) => {
    const { set, scalar } = facetNamed(name);
    return (set ?? scalar)?.editing?.isWithOwnPrivilege === true;
  });

  expect(own).toEqual(["tags"]);
});

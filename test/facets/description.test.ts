import { describe, expect, test } from "vitest";
import { columnDescription, description } from "../../src/facets/description.ts";
import { selectionOf } from "../../src/facets/answered-aspects.ts";
import { valueInAspect } from "../../src/facets/writes.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { type ScalarValue, scalarOf } from "../../src/model/state.ts";
import { dataset, editsOf, scalarChange, sentFor } from "./changes.ts";
import { answeredIn } from "./answers.ts";

const job = "urn:li:dataJob:(urn:li:dataFlow:(airflow,f,prod),j)";
const tag = "urn:li:tag:a";

test.each<readonly [string, Json, Json]>([
  ["without the line end of a block", " Ledgers.\n", " Ledgers."],
  ["and blanks alone as they are", " \n", " \n"],
])("a description is taken %s", (_, written, value) => {
  for (const facet of [description, columnDescription])
    expect(facet.parse(written)).toEqual({ value, references: [] });
});

test("of assets both descriptions are asked for, and of definitions the aspect", () => {
  const [edited, ingested] = ["editableProperties", "properties"].map((field) => `${field} { description }`);

  expect(selectionOf(description.answered("Dataset"))).toBe(`edited: ${edited} ingested: ${ingested}`);
  expect([description.aspects("Dataset"), description.storedIn?.("Dataset")]).toEqual([
    [],
    "editableDatasetProperties",
  ]);
  expect(description.answered("Tag")).toEqual([]);
  expect([description.aspects("Tag"), description.storedIn?.("Tag")]).toEqual([
    ["tagProperties"],
    "tagProperties",
  ]);
});

test.each([
  ["Dataset", "editableDatasetProperties", "datasetProperties"],
  ["Container", "editableContainerProperties", "containerProperties"],
  ["MLModel", "editableMlModelProperties", "mlModelProperties"],
  ["Chart", "editableChartProperties", "chartInfo"],
  ["Dashboard", "editableDashboardProperties", "dashboardInfo"],
  ["DataFlow", "editableDataFlowProperties", "dataFlowInfo"],
  ["DataJob", "editableDataJobProperties", "dataJobInfo"],
])("of a %s both are known from what is stored in %s and %s", (kind, edited, ingested) => {
  const [own, other] = [{ description: "x" }, { description: "y" }];

  expect(description.answered(kind).map(({ name }) => name)).toEqual([edited, ingested]);
  expect(description.observe({ [edited]: own, [ingested]: other }, kind)).toEqual({
    value: { ...scalarOf("x"), fallback: "y" },
  });
});

test.each<readonly [string, JsonObject, ScalarValue]>([
  ["what people wrote", { edited: { description: "x" } }, scalarOf("x")],
  ["nothing", { edited: null, ingested: { description: null } }, scalarOf(null)],
  [
    "what ingestion wrote, beside what people wrote",
    { edited: { description: "x" }, ingested: { description: "y" } },
    { ...scalarOf("x"), fallback: "y" },
  ],
  [
    "what ingestion wrote, where people wrote an empty text",
    { edited: { description: "" }, ingested: { description: "y" } },
    { ...scalarOf(null), fallback: "y" },
  ],
])("of an asset is read %s", (_, entity, value) => {
  expect(answeredIn(description, entity)).toStrictEqual({ value });
});

test("of a definition its own field is read, and an asset's is malformed where it is no text", () => {
  const aspects = { tagProperties: { description: "x" } };

  expect(description.observe(aspects, "Tag")).toEqual({ value: scalarOf("x") });
  expect(() => answeredIn(description, { edited: { description: 7 } })).toThrow(
    "the server returned a malformed response: a description is not a string",
  );
});

describe("descriptions of columns", () => {
  const observed = (fields: readonly JsonObject[], editableSchemaFieldInfo: readonly JsonObject[]): unknown =>
    answeredIn(columnDescription, {
      schemaMetadata: { fields },
      editableSchemaMetadata: { editableSchemaFieldInfo },
    });

  test("are those of people, with those of ingestion, and those of columns that are gone", () => {
    const fields = [
      { fieldPath: "id", description: "y" },
      { fieldPath: "email" },
      { fieldPath: "age", description: "z" },
    ];
    const edited = [
      { fieldPath: "id", description: "x" },
      { fieldPath: "old", description: "o" },
      { fieldPath: "older", description: "" },
    ];

    expect(observed(fields, edited)).toStrictEqual({
      value: {
        shape: "map",
        entries: new Map([
          ["id", { ...scalarOf("x"), fallback: "y" }],
          ["email", scalarOf(null)],
          ["age", { ...scalarOf(null), fallback: "z" }],
        ]),
      },
      ingested: [],
      dormant: { shape: "map", entries: new Map([["old", scalarOf("o")]]) },
    });
  });

  test("are known from what is stored, without what else it has", () => {
    const fields = [{ fieldPath: "id", description: "y", nativeDataType: "text" }];
    const editableSchemaFieldInfo = [{ fieldPath: "id", description: "x", globalTags: {} }];
    const stored = { schemaMetadata: { fields }, editableSchemaMetadata: { editableSchemaFieldInfo } };

    expect(columnDescription.answered("Dataset").map(({ name }) => name)).toEqual(Object.keys(stored));
    expect(columnDescription.observe(stored, "Dataset").value).toEqual({
      shape: "map",
      entries: new Map([["id", { ...scalarOf("x"), fallback: "y" }]]),
    });
  });

  test("are asked for in both places of the schema", () => {
    expect(selectionOf(columnDescription.answered("Dataset")).replaceAll(/\s+/g, " ")).toBe(
      "schemaMetadata { fields { fieldPath description } } " +
        "editableSchemaMetadata { editableSchemaFieldInfo { fieldPath description } }",
    );
  });
});

describe("what is sent for a description:", () => {
  const update = { type: "mutation", field: "updateDescription" };
  const input = (value: JsonObject): readonly object[] => [
    { name: "input", type: "DescriptionUpdateInput!", value },
  ];
  const removal = { type: "proposal", urn: dataset, initial: {}, set: {} };
  const patch = { since: "TagAssociation.attribution" };
  const column = { path: ["id"] };
  const ofColumn = ["editableSchemaFieldInfo", { fieldPath: "id" }, "description"];

  test.each<readonly [string, Parameters<typeof sentFor>[0], object]>([
    [
      "of an asset",
      scalarChange("description", "x", { kind: "Dataset" }),
      { ...update, args: input({ description: "x", resourceUrn: dataset }) },
    ],
    [
      "none of an asset",
      scalarChange("description", null, { kind: "Dataset" }),
      {
        ...removal,
        aspect: "editableDatasetProperties",
        edits: [{ at: ["description"], value: null, patch: { ...patch, isGeneric: true } }],
      },
    ],
    [
      "of a kind with a mutation of its own",
      scalarChange("description", "x", { kind: "DataJob", urn: job }),
      {
        type: "mutation",
        field: "updateDataJob",
        args: [
          { name: "urn", type: "String!", value: job },
          {
            name: "input",
            type: "DataJobUpdateInput!",
            value: { editableProperties: { description: "x" } },
          },
        ],
        selection: "urn",
      },
    ],
    [
      "of a definition",
      scalarChange("description", "x", { kind: "Tag", urn: tag }),
      { type: "proposal", urn: tag, aspect: "tagProperties", initial: {}, set: { description: "x" } },
    ],
    [
      "of a column",
      scalarChange("columns.description", "x", column),
      {
        ...update,
        args: input({
          description: "x",
          resourceUrn: dataset,
          subResourceType: "DATASET_FIELD",
          subResource: "id",
        }),
      },
    ],
    [
      "none of a column",
      scalarChange("columns.description", null, column),
      { ...removal, aspect: "editableSchemaMetadata", edits: [{ at: ofColumn, value: null, patch }] },
    ],
  ])("%s", (_, change, request) => {
    expect(sentFor(change)).toEqual([{ request }]);
  });

  test("edits of the aspect, on a condition", () => {
    expect(editsOf(scalarChange("description", "x", { kind: "Dataset" }))).toEqual([
      { at: ["description"], value: "x", patch: { ...patch, isGeneric: true } },
    ]);
    expect(editsOf(scalarChange("columns.description", "x", column))).toEqual([
      { at: ofColumn, value: "x", patch },
    ]);
  });
});

test("an aspect by itself tells the description of an asset, of a definition and of a column", () => {
  const ofColumn = scalarChange("columns.description", "x", { path: ["id"] });
  const editableSchemaFieldInfo = [{ fieldPath: "x" }, { fieldPath: "id", description: "y" }];
  const own = { description: "y" };

  expect(
    valueInAspect([scalarChange("description", "x", { kind: "Dataset" })], "editableDatasetProperties", own),
  ).toEqual(scalarOf("y"));
  expect(valueInAspect([scalarChange("description", "x", { kind: "Tag" })], "tagProperties", own)).toEqual(
    scalarOf("y"),
  );
  expect(valueInAspect([ofColumn], "editableSchemaMetadata", { editableSchemaFieldInfo })).toEqual({
    shape: "map",
    entries: new Map([["id", scalarOf("y")]]),
  });
});

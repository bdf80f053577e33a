import { expect, test } from "vitest";
import { assets, dataProducts } from "../../src/facets/data-products.ts";
import { edgeSetOf } from "../../src/facets/index.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { setOf } from "../../src/model/state.ts";
import { dataset, sentFor, setChange } from "./changes.ts";

const chart = "urn:li:chart:(looker,revenue)";
const product = "urn:li:dataProduct:invoicing";

test.each<readonly [string, Json, string, string]>([
  ["a URN of an asset", chart, chart, "chart"],
  [
    "a URN of what is an asset for DataHub alone",
    "urn:li:notebook:(x,y)",
    "urn:li:notebook:(x,y)",
    "notebook",
  ],
  ["a feature", "urn:li:mlFeature:(x,y)", "urn:li:mlFeature:(x,y)", "mlFeature"],
  ["a key of features", "urn:li:mlPrimaryKey:(x,y)", "urn:li:mlPrimaryKey:(x,y)", "mlPrimaryKey"],
  ["a dataset by its parts", { platform: "snowflake", name: "a" }, dataset, "dataset"],
  ["another kind by its parts", { kind: "Chart", platform: "looker", name: "revenue" }, chart, "chart"],
])("an asset of a data product is %s", (_, written, urn, entityType) => {
  expect(assets.parse(written)).toEqual({ value: urn, references: [{ urn, entityType }] });
  expect(assets.refersTo).toContain(entityType);
});

const notOf = (platform: string, form: string): JsonObject => ({
  code: "malformed-urn",
  args: { text: platform, reason: "asset-parts", detail: form },
  at: ["platform"],
});

test.each<readonly [string, Json, JsonObject]>([
  ["what is no URN", "a", { code: "malformed-urn", args: { text: "a", reason: "prefix" }, at: [] }],
  [
    "what cannot be in a data product",
    "urn:li:tag:a",
    { code: "wrong-reference", args: { text: "urn:li:tag:a", expected: "asset" }, at: [] },
  ],
  [
    "one of a platform that is none",
    { platform: "snow,flake", name: "a" },
    notOf("snow,flake", "urn:li:dataset:(urn:li:dataPlatform:<platform>,<name>,<ENV>)"),
  ],
  [
    "a job without its flow",
    { kind: "DataJob", platform: "airflow", name: "j" },
    notOf("airflow", "urn:li:dataJob:(urn:li:dataFlow:(<platform>,<flow>,<cluster>),<name>)"),
  ],
])("an asset of a data product is not %s", (_, written, refusal) => {
  expect(assets.parse(written)).toEqual({ refusal });
});

test("assets are read from the aspect of the product, and edited there, also without a condition", () => {
  const stored = { assets: [{ destinationUrn: chart, outputPort: true }] };
  const edit = {
    at: ["assets"],
    add: [{ element: { destinationUrn: chart } }],
    remove: [{ destinationUrn: dataset }],
    keys: { template: ["destinationUrn"] },
  };
  const about = { type: "proposal", urn: product, aspect: "dataProductProperties", initial: {}, set: {} };

  expect(assets.aspects("DataProduct")).toEqual(["dataProductProperties"]);
  expect(assets.observe({ dataProductProperties: stored }, "DataProduct")).toEqual({
    value: setOf([chart]),
  });
  expect(sentFor(setChange("assets", [chart], [dataset], { urn: product }))).toEqual([
    { request: { ...about, edits: [edit] } },
  ]);
});

test.each<readonly [Json, string]>([
  ["x", "the assets are not a list of objects"],
  [[{}], "an asset has no URN"],
])("assets that are stored as %j are malformed", (list, message) => {
  const aspects = { dataProductProperties: { assets: list } };

  expect(() => assets.observe(aspects, "DataProduct")).toThrow(
    `the server returned a malformed response: ${message}`,
  );
});

test("an asset is in one data product, where the server does not say that it takes several", () => {
  expect(edgeSetOf("assets")).toMatchObject({
    inverse: "data_products",
    exclusive: { unless: "multipleDataProductsPerAsset" },
  });
});

test("of an asset's data products nothing is read and nothing written: the product has it as an asset", () => {
  expect(dataProducts.parse("invoicing")).toEqual({
    value: product,
    references: [{ urn: product, entityType: "dataProduct" }],
  });
  expect(dataProducts.observe({}, "Dataset")).toEqual({ value: setOf([]) });
  expect(sentFor(setChange("data_products", [product], [product], { kind: "Dataset" }))).toEqual([]);
});

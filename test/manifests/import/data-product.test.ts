import { expect, test } from "vitest";
import { briefly } from "../../support/manifest-files.ts";
import { declaredOf, imported, leftOutOf, ownerKey } from "./imported.ts";

const product = "urn:li:dataProduct:invoicing";
const invoices = "urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.finance.invoices,PROD)";
const head = "id: invoicing\ndomain: finance\n";

test("a data product takes over what manifests have, with the same ids", async () => {
  const text = `${head}display_name: Invoicing
description: Invoices and payments.
external_url: https://wiki.acme.com/invoicing
assets: ["${invoices}", "${invoices}"]
tags: [tier-1, urn:li:tag:gold]
terms: [Sales.Revenue]
`;
  expect(await declaredOf(product, text)).toEqual({
    name: "Invoicing",
    description: "Invoices and payments.",
    external_url: "https://wiki.acme.com/invoicing",
    domain: "urn:li:domain:finance",
    assets: [invoices],
    tags: ["urn:li:tag:gold", "urn:li:tag:tier-1"],
    glossary_terms: ["urn:li:glossaryTerm:Sales.Revenue"],
  });
});

// `owners` of a product, and what it declares.
test.each([
  ["[ada, urn:li:corpuser:ada]", [ownerKey("urn:li:corpuser:ada", "__system__technical_owner")]],
  ["[{ id: ada, type: business_owner }]", [ownerKey("urn:li:corpuser:ada", "__system__business_owner")]],
  [
    "[{ id: urn:li:corpGroup:finance, type: urn:li:ownershipType:architect }]",
    [ownerKey("urn:li:corpGroup:finance", "architect")],
  ],
])("owners %s", async (owners, members) => {
  expect(await declaredOf(product, `${head}owners: ${owners}\n`)).toMatchObject({ owners: members });
});

test("the id may be a URN, and a field without a value is none", async () => {
  const text = `id: ${product}\ndomain: urn:li:domain:finance\nassets:\nowners: []\ndescription:\n`;
  expect(await declaredOf(product, text)).toEqual({ domain: "urn:li:domain:finance" });
});

test("what no manifest can declare is left out with its line", async () => {
  const text = `${head}properties: { sla: 7am }
assets: ["${invoices}"]
output_ports: ["${invoices}"]
parent_data_product: sales
tier: gold
`;
  expect(await leftOutOf(text)).toEqual([
    "3:1 properties of invoicing",
    "5:1 output_ports of invoicing",
    "6:1 parent_data_product of invoicing",
    "7:1 tier of invoicing",
  ]);
});

// A name, the file, its problems.
test.each<readonly [string, string, readonly string[]]>([
  ["no domain", "id: a\nassets: []\n", ["g.yml:1:1 missing-field"]],
  ["no id", "domain: a\nterms: []\n", ["g.yml:1:1 missing-field"]],
  ["a manifest of a product", "kind: DataProduct\nid: a\ndomain: b\n", ["g.yml:1:1 not-importable"]],
  ["an asset that is no URN", `${head}assets: [invoices]\n`, ["g.yml:3:10 malformed-urn"]],
  ["a list of owners that is a text", `${head}owners: ada\n`, ["g.yml:3:9 wrong-type ([ada])"]],
  ["an owner without a type", `${head}owners: [{ id: ada }]\n`, ["g.yml:3:10 missing-field"]],
  [
    "an unknown ownership type",
    `${head}owners: [{ id: ada, type: STEWARD }]\n`,
    ["g.yml:3:27 unknown-ownership-type (DATA_STEWARD)"],
  ],
  ["the URN of something else as id", "id: urn:li:tag:a\ndomain: b\n", ["g.yml:1:5 wrong-reference"]],
  ["two products of one id", `${head}---\n${head}tags: [a]\n`, ["g.yml:4:1 duplicate-entity & g.yml:1:1"]],
])("%s has its problems", async (_, text, expected) => {
  const { problems } = await imported(text);
  expect(briefly(problems)).toEqual(expected);
});

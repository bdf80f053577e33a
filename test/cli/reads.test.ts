import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { schemaWith } from "../support/schema.ts";
import { settingsWith, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const orders = datasetNamed("orders");

const world: readonly MadeAspect[] = [
  ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
  ["urn:li:corpuser:ann", "corpUserInfo", { active: true }],
  [orders, "schemaMetadata", schemaWith("email", "id")],
  [orders, "datasetProperties", { description: "One row an order." }],
  [orders, "globalTags", { tags: [{ tag: "urn:li:tag:old" }] }],
];

const manifests = `kind: Dataset
platform: snowflake
name: orders
tags: [pii]
owners: [{ user: ann }]
description: Orders.
columns: { email: { tags: [pii] } }
---
kind: Rule
id: all
match: { kind: Dataset, platform: snowflake }
declare: { links: [https://wiki.acme.com/orders] }
`;

test("a plan by OpenAPI is the same, and asks for assets there in place of GraphQL", async () => {
  const site = await siteWith({ "all.yaml": manifests });
  await site.catalog.load(metadataFile(temporaryDirectory(), world));
  const byGraphql = await site.planned();
  expect(byGraphql.changes.map(({ facet }) => facet)).toEqual([
    "columns.tags",
    "description",
    "links",
    "owners",
    "tags",
  ]);
  const before = site.catalog.requests.length;

  site.write({ "catalog/datahub-gitops.yaml": settingsWith("reads: openapi") });
  expect((await site.planned()).changes).toEqual(byGraphql.changes);

  const asked = site.catalog.requests.slice(before).map(({ path, body }) => {
    const { query = path } = (body ?? {}) as { readonly query?: string };
    return query;
  });
  expect(asked).toContain("/openapi/v3/entity/dataset/batchGet?systemMetadata=false");
  expect(asked.filter((each) => /ReadAssets|ReadAssetFacts|ReadAssetColumns/.test(each))).toEqual([]);
});

test("an apply by OpenAPI writes, proves, and is followed by an empty plan", async () => {
  const site = await siteWith({ "all.yaml": manifests }, settingsWith("reads: openapi"));
  await site.catalog.load(metadataFile(temporaryDirectory(), world));

  const applied = await site.apply();
  expect([applied.code, applied.stdout]).toEqual([
    0,
    expect.stringContaining("Applied 6 operations, 0 failed"),
  ]);
  expect((await site.planned()).changes).toEqual([]);
});

test("a gateway that answers 403 in its own words for OpenAPI says nothing about the token: assets are read by GraphQL", async () => {
  const manifest = "kind: Dataset\nplatform: snowflake\nname: orders\ndescription: x\n";
  const site = await siteWith({ "orders.yaml": manifest }, settingsWith("reads: openapi"));
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [[datasetNamed("orders"), "status", { removed: false }]]),
  );
  const server = await inFrontOf(site.catalog.url, (_, response, { url }) => {
    if (url.includes("/openapi/")) response.writeHead(403).end("<html>403 Forbidden</html>");
    return undefined;
  });

  const { stdout } = await runCli(["plan", "--server", server], { cwd: site.root });

  expect(stdout).toContain("1 to update");
});

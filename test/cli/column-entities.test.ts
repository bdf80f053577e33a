import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { type PlanJson, settingsWith, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const orders = datasetNamed("orders");
const v2 = "[version=2.0].[type=struct].[type=string].note (old)";
const note = "[version=2.0].[type=struct].[type=string].note %28old%29";
const tagged = { tags: [{ tag: "urn:li:tag:masked" }] };
const ownOf = (path: string): string => `urn:li:schemaField:(${orders},${path})`;

const world: readonly MadeAspect[] = [
  ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
  ["urn:li:tag:masked", "tagProperties", { name: "masked" }],
  [orders, "schemaMetadata", schemaWith("email", "id", "name", v2)],
  ...["email", "id", note].map((path): MadeAspect => [ownOf(path), "globalTags", tagged]),
];

const manifest = `kind: Dataset
platform: snowflake
name: orders
columns: { email: { tags: [pii] }, name: { tags: [] }, note (old): { tags: [] } }
`;

async function site(): Promise<Site> {
  const made = await siteWith({ "all.yaml": manifest });
  await made.catalog.load(metadataFile(temporaryDirectory(), world));
  return made;
}

interface Asked {
  readonly query?: string;
  readonly variables?: { readonly urns?: readonly string[]; readonly beside?: readonly string[] };
}

function askedOf({ catalog }: Site): readonly Asked[] {
  return catalog.requests.map(({ body }) => (body ?? {}) as Asked);
}

test("of columns that are declared, and of no others, it is asked what their own entities hold", async () => {
  const made = await site();

  const { unmanaged } = await made.planned();

  expect(unmanaged.map(({ column, value, reason }) => [column, value, reason])).toEqual([
    [v2, "urn:li:tag:masked", "ingested"],
    ["email", "urn:li:tag:masked", "ingested"],
  ]);
  const asked = askedOf(made).filter(({ query = "" }) => query.includes("SchemaFieldEntity {"));
  // With their assets by the names in the manifest, and then those of another path.
  expect(asked.map(({ variables }) => variables?.beside ?? variables?.urns)).toEqual([
    ["email", "name", "note %28old%29"].map(ownOf),
    [ownOf(note)],
  ]);
  expect(askedOf(made).filter(({ query = "" }) => query.includes("schemaFieldEntity"))).toEqual([]);
});

test("by OpenAPI, too, what their own entities hold is known", async () => {
  const made = await site();
  const { unmanaged } = await made.planned();
  const before = made.catalog.requests.length;

  made.write({ "catalog/datahub-gitops.yaml": settingsWith("reads: openapi") });
  expect((await made.planned()).unmanaged).toEqual(unmanaged);
  const paths = made.catalog.requests.slice(before).map(({ path }) => path);
  expect(paths).toContain("/openapi/v3/entity/schemaField/batchGet?systemMetadata=false");
  expect(
    askedOf(made).filter(({ query = "" }, index) => index >= before && query.includes("SchemaFieldEntity {")),
  ).toEqual([]);
});

test("an export asks nothing of the entities of columns", async () => {
  const made = await site();
  expect((await made.run(["export", "exported"])).code).toBe(0);
  expect(askedOf(made).filter(({ query = "" }) => /schemaFieldEntity/i.test(query))).toEqual([]);
});

test("what entities of columns hold is left out where it cannot be read", async () => {
  const made = await site();
  const url = await inFrontOf(made.catalog.url, ({ query }) =>
    query.includes("SchemaFieldEntity {")
      ? { data: { entities: null }, errors: [{ message: "no" }] }
      : undefined,
  );

  const { code, stdout } = await runCli(["plan", "--server", url, "--format", "json"], { cwd: made.root });

  expect(code).toBe(0);
  const { summary, unmanaged } = JSON.parse(stdout) as PlanJson;
  expect([summary["additions"], unmanaged]).toEqual([1, []]);
});

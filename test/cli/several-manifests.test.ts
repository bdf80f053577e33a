import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { settingsWith, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const dataset = datasetNamed("a");

const definitions =
  ["a", "b", "c", "d"].map((id) => `- { kind: Tag, id: ${id} }\n`).join("") +
  ["u", "v", "w"].map((id) => `- { kind: User, id: ${id} }\n`).join("") +
  "- { kind: Group, id: h }\n";

const pii = `kind: Dataset
urn: ${dataset}
tags: [b, c] # privacy
owners: [{ user: u, type: DATA_STEWARD }]
columns:
  email: { tags: [c] }
---
kind: Group
id: g
members: [v]
`;

const platform = `kind: Dataset
platform: snowflake
name: a
tags: [a, b] # platform
owners: [{ user: u }]
columns:
  email: { tags: [a] }
---
kind: Group
id: g
members: [u]
`;

const files = { "definitions.yaml": definitions, "pii.yaml": pii, "platform.yaml": platform };

/** A site where two teams declare one dataset and one group. */
async function twoTeams(settings = settingsWith()): Promise<Site> {
  const site = await siteWith(files, settings);
  const aspects = [[dataset, "schemaMetadata", schemaWith("id", "email")]] as const;
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
  return site;
}

const tags = (...ids: readonly string[]): readonly string[] => ids.map((id) => `urn:li:tag:${id}`);
const textOf = (site: Site, name: string): string => readFileSync(join(site.root, "catalog", name), "utf8");

test("lists of two files are one list, and each change names the first file that declares its first new value", async () => {
  const site = await twoTeams();
  const changes = (await site.planned()).changes.filter(
    ({ urn, action }) => urn === dataset && action === "update",
  );
  expect(changes).toMatchObject([
    { facet: "columns.tags", add: tags("a", "c"), source: { file: "catalog/platform.yaml", line: 7 } },
    { facet: "owners", add: [{}, {}], source: { file: "catalog/pii.yaml", line: 4 } },
    { facet: "tags", add: tags("a", "b", "c"), source: { file: "catalog/platform.yaml", line: 4 } },
  ]);
  expect(await site.apply()).toMatchObject({ code: 0 });
  expect(await site.plan("--detailed-exitcode")).toMatchObject({ code: 0 });

  await site.edit(`removeTag(input: { resourceUrn: "${dataset}", tagUrn: "urn:li:tag:b" })`);
  await site.edit(`addTag(input: { resourceUrn: "${dataset}", tagUrn: "urn:li:tag:d" })`);
  expect((await site.planned()).changes).toMatchObject([
    { add: tags("b"), remove: tags("d"), source: { file: "catalog/pii.yaml", line: 3 } },
  ]);
});

test("what one file no longer declares stays as long as another one does, and is then what Git declared before", async () => {
  const site = await twoTeams(settingsWith("manage: { tags: merge }"));
  expect(await site.apply()).toMatchObject({ code: 0 });
  await site.edit(`addTag(input: { resourceUrn: "${dataset}", tagUrn: "urn:li:tag:d" })`);

  site.commit({ "catalog/pii.yaml": pii.replace("tags: [b, c] #", "tags: [] #") });
  expect((await site.planned()).changes).toMatchObject([
    { remove: tags("c"), removed: [{ declaredBefore: true }], source: { file: "catalog/pii.yaml" } },
  ]);
  site.commit({ "catalog/platform.yaml": platform.replace("tags: [a, b] #", "tags: [a] #") });
  const { changes } = await site.planned();
  expect(changes).toMatchObject([{ remove: tags("b", "c") }]);
  expect((await site.planned("--changed-since", "HEAD~1")).changes).toEqual(changes);
  expect((await site.planned("--changed-since", "HEAD")).changes).toEqual([]);
});

test("explain names each file that declares a value", async () => {
  const site = await twoTeams();
  expect(await site.apply()).toMatchObject({ code: 0 });
  const explained = async (urn: string, facet: string): Promise<unknown> => {
    const { stdout } = await site.run(["explain", urn, "--format", "json"]);
    const { facets } = JSON.parse(stdout) as { readonly facets: readonly Explained[] };
    const { desired = [] } = facets.find((each) => each.facet === facet) ?? {};
    return desired.map(({ value, declaredBy }) => [
      value,
      ...declaredBy.map(({ source }) => `${source.file}:${source.line}`),
    ]);
  };
  expect(await explained(dataset, "tags")).toEqual([
    ["urn:li:tag:a", "catalog/platform.yaml:4"],
    ["urn:li:tag:b", "catalog/pii.yaml:3", "catalog/platform.yaml:4"],
    ["urn:li:tag:c", "catalog/pii.yaml:3"],
  ]);
  expect(await explained("urn:li:corpGroup:g", "members")).toEqual([
    ["urn:li:corpuser:u", "catalog/platform.yaml:11"],
    ["urn:li:corpuser:v", "catalog/pii.yaml:10"],
  ]);
});

interface Explained {
  readonly facet: string;
  readonly desired?: readonly {
    readonly value: unknown;
    readonly declaredBy: readonly { readonly source: { readonly file: string; readonly line: number } }[];
  }[];
}

test("a pull removes a value from each file that declares it, and adds one to the first file that has the field", async () => {
  const site = await twoTeams();
  expect(await site.apply()).toMatchObject({ code: 0 });
  await site.edit(`removeTag(input: { resourceUrn: "${dataset}", tagUrn: "urn:li:tag:b" })`);
  await site.edit(`addTag(input: { resourceUrn: "${dataset}", tagUrn: "urn:li:tag:d" })`);
  const column = `resourceUrn: "${dataset}", subResourceType: DATASET_FIELD, subResource: "email"`;
  await site.edit(`removeTag(input: { ${column}, tagUrn: "urn:li:tag:a" })`);
  await site.edit(`addTag(input: { ${column}, tagUrn: "urn:li:tag:b" })`);
  await site.edit(
    'addGroupMembers(input: { groupUrn: "urn:li:corpGroup:g", userUrns: ["urn:li:corpuser:w"] })',
  );

  expect(await site.run(["pull"])).toMatchObject({ code: 0 });
  expect(textOf(site, "pii.yaml")).toBe(
    pii.replace("[b, c]", "[c, d]").replace("tags: [c] }", "tags: [c, b] }").replace("[v]", "[v, w]"),
  );
  expect(textOf(site, "platform.yaml")).toBe(
    platform.replace("[a, b]", "[a]").replace("tags: [a] }", "tags: [] }"),
  );
  expect(await site.plan("--detailed-exitcode")).toMatchObject({ code: 0 });
});

test("an export leaves to other files what they declare, and adds new values of a list only to its own file", async () => {
  const site = await twoTeams();
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit({ "catalog/platform.yaml": undefined, "catalog/pii.yaml": undefined });
  expect(await site.run(["export"])).toMatchObject({ code: 0 });
  const own = "datasets/snowflake/a.yaml";
  expect(textOf(site, own)).toContain("tags: [a, b, c]\n");

  site.write({ "catalog/pii.yaml": pii });
  expect(await site.run(["export"])).toMatchObject({ code: 0 });
  expect(textOf(site, own)).toContain("owners: [{ user: u }]\ntags: [a]\ncolumns:\n  email: { tags: [a] }\n");
  expect(textOf(site, "groups/g.yaml")).toContain("members: [u]\n");
  site.commit();
  expect(await site.apply()).toMatchObject({ code: 0 });

  await site.edit(`addTag(input: { resourceUrn: "${dataset}", tagUrn: "urn:li:tag:d" })`);
  await site.edit(`removeTag(input: { resourceUrn: "${dataset}", tagUrn: "urn:li:tag:b" })`);
  expect(await site.run(["export"])).toMatchObject({ code: 0 });
  expect(textOf(site, own)).toContain("tags: [a, d]\n");
  expect(textOf(site, "pii.yaml")).toBe(pii);
  expect((await site.planned()).changes).toMatchObject([
    { add: tags("b"), remove: [], source: { file: "catalog/pii.yaml" } },
  ]);
});

test("a list that only files of others declare is theirs: an export writes none of it", async () => {
  const site = await twoTeams();
  expect(await site.apply()).toMatchObject({ code: 0 });
  await site.edit(`addTag(input: { resourceUrn: "${dataset}", tagUrn: "urn:li:tag:d" })`);
  const before = await site.planned();

  const exported = await site.run(["export"]);
  expect(exported).toMatchObject({ code: 0 });
  expect(textOf(site, "pii.yaml") + textOf(site, "platform.yaml")).toBe(pii + platform);
  expect((await site.planned()).changes).toEqual(before.changes);
  expect(before.changes).toMatchObject([{ add: [], remove: tags("d") }]);
});

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { appliedRef, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

// That documents of several files are one declaration is a law: test/laws/several-documents.test.ts.

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

const users = ["u", "v", "w"].map((id): MadeAspect => [
  `urn:li:corpuser:${id}`,
  "corpUserInfo",
  { active: true },
]);
const tagged = (...ids: readonly string[]) => ({ tags: ids.map((id) => ({ tag: `urn:li:tag:${id}` })) });
const team = "urn:li:corpGroup:g";

/** What is in the catalog when all is applied, with other tags of the dataset and of its column, and other members. */
function live(
  ofDataset: readonly string[],
  ofColumn: readonly string[],
  members: readonly string[],
): readonly MadeAspect[] {
  return [
    [dataset, "schemaMetadata", schemaWith("id", "email")],
    [dataset, "globalTags", tagged(...ofDataset)],
    [
      dataset,
      "ownership",
      {
        owners: ["DATA_STEWARD", "TECHNICAL_OWNER"].map((type) => ({ owner: "urn:li:corpuser:u", type })),
      },
    ],
    [
      dataset,
      "editableSchemaMetadata",
      { editableSchemaFieldInfo: [{ fieldPath: "email", globalTags: tagged(...ofColumn) }] },
    ],
    ...["a", "b", "c", "d"].map((id): MadeAspect => [`urn:li:tag:${id}`, "tagProperties", { name: id }]),
    ...users,
    ...["g", "h"].flatMap((id): readonly MadeAspect[] => [
      [`urn:li:corpGroup:${id}`, "corpGroupInfo", { admins: [], members: [], groups: [] }],
      [`urn:li:corpGroup:${id}`, "origin", { type: "NATIVE" }],
    ]),
    ...members.map((id): MadeAspect => [
      `urn:li:corpuser:${id}`,
      "nativeGroupMembership",
      { nativeGroups: [team] },
    ]),
  ];
}

/** A site where two teams declare one dataset and one group. */
async function twoTeams(aspects: readonly MadeAspect[]): Promise<Site> {
  const site = await siteWith(files);
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
  return site;
}

const inSync = live(["a", "b", "c"], ["a", "c"], ["u", "v"]);
const textOf = (site: Site, name: string): string => readFileSync(join(site.root, "catalog", name), "utf8");

interface Explained {
  readonly facet: string;
  readonly desired?: readonly {
    readonly value: unknown;
    readonly declaredBy: readonly { readonly source: { readonly file: string; readonly line: number } }[];
  }[];
}

test("explain names each file that declares a value", async () => {
  const site = await twoTeams(inSync);
  const { stdout } = await site.run(["explain", dataset, "--format", "json"]);
  const { facets } = JSON.parse(stdout) as { readonly facets: readonly Explained[] };
  const { desired = [] } = facets.find(({ facet }) => facet === "tags") ?? {};

  expect(
    desired.map(({ value, declaredBy }) => [
      value,
      ...declaredBy.map(({ source }) => `${source.file}:${source.line}`),
    ]),
  ).toEqual([
    ["urn:li:tag:a", "catalog/platform.yaml:4"],
    ["urn:li:tag:b", "catalog/pii.yaml:3", "catalog/platform.yaml:4"],
    ["urn:li:tag:c", "catalog/pii.yaml:3"],
  ]);
});

test("a pull removes a value from each file that declares it, and adds one to the first file that has the field", async () => {
  const site = await twoTeams(live(["a", "c", "d"], ["b", "c"], ["u", "v", "w"]));

  expect(await site.run(["pull"])).toMatchObject({ code: 0 });
  expect(textOf(site, "pii.yaml")).toBe(
    pii.replace("[b, c]", "[c, d]").replace("tags: [c] }", "tags: [c, b] }").replace("[v]", "[v, w]"),
  );
  expect(textOf(site, "platform.yaml")).toBe(
    platform.replace("[a, b]", "[a]").replace("tags: [a] }", "tags: [] }"),
  );
});

test("an export leaves to other files what they declare, and changes a list only in its own file", async () => {
  const site = await twoTeams(live(["a", "c", "d"], ["a", "c"], ["u", "v", "w"]));
  const own = "datasets/snowflake/a.yaml";
  const before =
    "kind: Dataset\nplatform: snowflake\nname: a\nowners: [{ user: u }]\ntags: [a, b]\ncolumns:\n  email: { tags: [a] }\n";
  site.commit({
    "catalog/platform.yaml": undefined,
    [`catalog/${own}`]: before,
    "catalog/groups/g.yaml": "kind: Group\nid: g\nmembers: [u]\n",
  });
  site.git("update-ref", appliedRef, "HEAD");

  const exported = await site.run(["export"]);
  expect(exported, exported.stderr).toMatchObject({ code: 0 });
  expect(textOf(site, own)).toContain(
    "owners: [{ user: u }]\ntags: [a, d]\ncolumns:\n  email: { tags: [a] }\n",
  );
  expect(textOf(site, "groups/g.yaml")).toContain("members: [u, w]\n");
  expect(textOf(site, "pii.yaml")).toBe(pii);
});

test("a list that only files of others declare is theirs: an export writes none of it", async () => {
  const site = await twoTeams(live(["a", "b", "c", "d"], ["a", "c"], ["u", "v"]));

  expect(await site.run(["export"])).toMatchObject({ code: 0 });
  expect(textOf(site, "pii.yaml") + textOf(site, "platform.yaml")).toBe(pii + platform);
  expect(existsSync(join(site.root, "catalog/datasets"))).toBe(false);
});

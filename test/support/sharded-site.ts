import { type MadeAspect, metadataFile, temporaryDirectory } from "./catalog.ts";
import { schemaWith } from "./schema.ts";
import { settingsWith, type Site, siteWith } from "./site.ts";
import { datasetNamed } from "./states.ts";

/** The names of the datasets of a site with shards: with four shards, each holds some. */
export const datasetNames: readonly string[] = Array.from({ length: 12 }, (_, at) => `d${at}`);

/** The manifest of a dataset. */
function datasetWith(name: string, ...lines: readonly string[]): string {
  return [`kind: Dataset`, `platform: snowflake`, `name: ${name}`, ...lines, ""].join("\n");
}

/** Definitions of every kind, and memberships. */
const definitions = `kind: Domain
id: finance
parent_domain: corporate
---
kind: Domain
id: corporate
---
kind: Tag
id: pii
description: Personal data.
owners: [{ group: stewards }]
---
kind: Group
id: stewards
members: [alice]
---
kind: User
id: alice
`;

/**
 * A site whose manifests create definitions, and give all datasets a domain, an owner and a tag of them and take a tag away
 * that is there. A change of a file is part of what is committed.
 */
export async function shardedSite(
  files: Readonly<Record<string, string>> = {},
  settings = settingsWith("guards: { removals: { max_percent: 100 } }"),
): Promise<Site> {
  const datasets = datasetNames.map((name): readonly [string, string] => [
    `${name}.yaml`,
    datasetWith(
      name,
      "domain: finance",
      "owners: [{ group: stewards }]",
      "tags: [pii]",
      "columns: { email: { tags: [pii] } }",
    ),
  ]);
  const site = await siteWith(
    { "definitions.yaml": definitions, ...Object.fromEntries(datasets), ...files },
    settings,
  );
  await site.catalog.load(metadataFile(temporaryDirectory(), datasetNames.flatMap(storedOf)));
  return site;
}

function storedOf(name: string): readonly MadeAspect[] {
  const urn = datasetNamed(name);
  return [
    [urn, "schemaMetadata", schemaWith("email")],
    [urn, "globalTags", { tags: [{ tag: "urn:li:tag:old" }] }],
    ["urn:li:tag:old", "tagProperties", { name: "old" }],
  ];
}

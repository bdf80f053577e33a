import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metadataFile, type MadeAspect, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { runCli } from "../support/command-line.ts";
import { datasetNamed } from "../support/states.ts";

const names = Array.from({ length: 8 }, (_, index) => `d${index}`);
const datasets = names.map((name): MadeAspect => [datasetNamed(name), "schemaMetadata", schemaWith("id")]);

const definitions = `- { kind: Domain, id: finance, name: Finance }
- { kind: Tag, id: pii, name: PII }
- { kind: User, id: alice, display_name: Alice }
- { kind: User, id: bob, display_name: Bob }
- { kind: Group, id: first, display_name: First, members: [alice, bob] }
- { kind: Group, id: second, display_name: Second, members: [alice, bob] }
`;

function manifestOf(name: string): string {
  return `kind: Dataset
platform: snowflake
name: ${name}
domain: finance
owners: [{ user: alice }, { group: first, type: DATA_STEWARD }]
tags: [pii]
columns: { id: { tags: [pii] } }
`;
}

test("an apply never has two writes of one entity between their read and their write", async () => {
  const faults = [{ fault: "lost_update", milliseconds: 5, rate: 1 }] as const;
  const catalog = await startTestCatalog({ faults: { faults } });
  const cwd = temporaryDirectory();
  await catalog.load(metadataFile(cwd, datasets));
  mkdirSync(join(cwd, "catalog"));
  writeFileSync(join(cwd, "catalog/definitions.yaml"), definitions);
  for (const name of names) writeFileSync(join(cwd, `catalog/${name}.yaml`), manifestOf(name));

  const argv = ["apply", "--auto-approve", "--format", "json", "--server", catalog.url];
  const { code, stdout } = await runCli(argv, { cwd });
  expect(code).toBe(0);
  const { summary } = JSON.parse(stdout) as { readonly summary: Readonly<Record<string, number>> };
  expect(summary["failed"]).toBe(0);
  const counts: unknown = await (await fetch(`${catalog.url}/faults`)).json();
  // For each dataset a domain, two owners, a tag and a tag of a column; and four memberships.
  expect(counts).toMatchObject({
    overlapping_writes: { greatest: 1 },
    lost_updates: 0,
    writes: { mutations: 8 * 5 + 4 },
  });
});

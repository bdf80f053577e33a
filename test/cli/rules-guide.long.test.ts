import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { desiredFrom } from "../support/manifest-files.ts";
import { type MadeAspect, metadataFile, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { runCli } from "../support/command-line.ts";
import { testRepository } from "../support/git-repository.ts";
import { inCatalog } from "../support/site.ts";

const guide = readFileSync(join(import.meta.dirname, "../../docs/rules.md"), "utf8");
const blocksOf = (language: string): readonly string[] =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs"))].map(([, block = ""]) => block);

const [settings = "", rules = "", insensitive = "", exemption = "", priorities = ""] = blocksOf("yaml");
const [dryRun = "", left = "", added = "", gone = ""] = blocksOf("text");

const personal = ["email", "billing_email", "phone", "mobile_phone", "first_name", "last_name", "iban"];
const tagged = (tag: string): object => ({ tags: [{ tag: `urn:li:tag:${tag}` }] });

/** A dataset whose columns with personal data have their tag. */
function datasetWith(platform: string, name: string, columns: readonly string[]): readonly MadeAspect[] {
  const urn = `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},PROD)`;
  const infos = columns.map((fieldPath) => ({ fieldPath, globalTags: tagged("pii") }));
  return [
    [urn, "schemaMetadata", schemaWith("id", "email_opt_in", ...columns)],
    [urn, "editableSchemaMetadata", { editableSchemaFieldInfo: infos }],
    ...(platform === "snowflake" ? [[urn, "globalTags", tagged("warehouse")] as const] : []),
  ];
}

/** 19 datasets of Snowflake and 9 of Postgres with 200 such columns; four of them have a domain, too. */
const sample: readonly MadeAspect[] = [
  ...["warehouse", "pii"].map((id): MadeAspect => [`urn:li:tag:${id}`, "tagProperties", { name: id }]),
  ["urn:li:domain:finance", "domainProperties", { name: "finance" }],
  ...Array.from({ length: 19 }, (_, index) => {
    const isLarge = index < 4;
    const columns = isLarge ? [...personal, "contact_email"] : personal;
    const [first, ...more] = datasetWith("snowflake", `sales.accounts_${index + 1}`, columns);
    const domain: MadeAspect[] = isLarge
      ? [[first?.[0] ?? "", "domains", { domains: ["urn:li:domain:finance"] }]]
      : [];
    return [...(first ? [first] : []), ...more, ...domain];
  }).flat(),
  ...Array.from({ length: 9 }, (_, index) =>
    datasetWith("postgres", `shop.customers_${index + 1}`, personal),
  ).flat(),
];

test("the commands of the guide turn files into rules without a change, and its numbers are those of its sample", async () => {
  const catalog = await startTestCatalog();
  await catalog.load(metadataFile(temporaryDirectory(), sample));
  const site = testRepository();
  site.commit(inCatalog({ "datahub-gitops.yaml": settings }));
  const env = { DATAHUB_GMS_URL: catalog.url, DATAHUB_GMS_TOKEN: "" };
  const run = async (block: string): Promise<string> => {
    const told: string[] = [];
    for (const line of block.trim().split("\n")) {
      const [program, ...words] = [...line.matchAll(/"([^"]*)"|\S+/g)].map(
        ([word, quoted]) => quoted ?? word,
      );
      if (program === "git") site.git(...words);
      else {
        const { code, stdout, stderr } = await runCli(words, { cwd: site.root, env });
        expect({ line, code, stderr }).toMatchObject({ code: 0 });
        told.push(stdout, stderr);
      }
    }
    return told.join("");
  };
  const manifests = (): readonly (readonly string[])[] =>
    readdirSync(join(site.root, "catalog/datasets"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".yaml"))
      .map((name) => readFileSync(join(site.root, "catalog/datasets", name), "utf8").split("\n"));
  const blocks = blocksOf("sh");
  expect(blocks).toHaveLength(9);
  const [begin = "", tryOut = "", explain = "", letGo = "", record = "", later = "", ...rest] = blocks;
  const [exempt = "", back = "", prune = ""] = rest;

  await run(begin);
  const filled = catalog.aspects();
  const files = manifests();
  const linesWith = (pattern: RegExp): number => files.flat().filter((line) => pattern.test(line)).length;
  expect(files).toHaveLength(28);
  expect(linesWith(/^tags: \[warehouse\]$/)).toBe(19);
  expect(linesWith(/^columns:$|^ {2}\w+: \{ tags: \[pii\] \}$/)).toBe(228);
  const lengths = rules.split("---\n").map((each) => each.trimEnd().split("\n").length);
  for (const [index, row] of ["19 lines in 19 files", "228 lines in 28 files"].entries())
    expect(guide).toContain(`| ${row} | ${lengths[index]} lines |\n`);

  site.write(inCatalog({ "rules.yaml": rules }));
  expect(await run(tryOut)).toContain(dryRun);
  expect(await run(explain)).toMatch(/declared by rule personal-data, catalog\/rules\.yaml:\d+:5\n/);
  expect(await run(letGo)).toContain(left.split("\n")[0]);
  expect(manifests().map(({ length }) => length)).toEqual([6, 6, 6, 6]);
  await run(record);
  expect(site.git("rev-parse", "refs/datahub-gitops/applied")).toBe(site.git("rev-parse", "HEAD"));
  expect(catalog.aspects()).toEqual(filled);

  const fresh = datasetWith("postgres", "shop.fresh", personal).slice(0, 1);
  await catalog.load(metadataFile(temporaryDirectory(), fresh));
  const planned = await run(later);
  expect(planned).toContain(added.trim());
  expect(planned).toContain("Plan: 0 to create, 1 to update, 0 to delete; 7 values added");
  await run("datahub-gitops apply --auto-approve");

  site.write(inCatalog({ "exempt.yaml": exemption }));
  expect(await run(exempt)).toContain("columns.tags iban: urn:li:tag:pii  (no longer declared)");
  site.write(inCatalog({ "exempt.yaml": undefined }));

  site.commit(inCatalog({ "rules.yaml": rules.replace(/^ +iban: .*\n/m, "") }));
  expect(await run(back)).toContain(gone);
  expect(await run(prune)).toContain("Applied 29 operations, 0 failed, 0 skipped.");
  expect(await run("datahub-gitops plan --prune")).toContain("No changes.");
});

test("what else the guide shows of rules is valid", async () => {
  const { problems } = await desiredFrom({
    "catalog/rules.yaml": [rules, insensitive, priorities, exemption].join("---\n"),
  });
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
});

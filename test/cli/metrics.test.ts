import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metadataFile, type MadeAspect, temporaryDirectory } from "../support/catalog.ts";
import { settingsWith, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const world: readonly MadeAspect[] = [
  ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
  [datasetNamed("a"), "globalTags", { tags: [] }],
  [datasetNamed("b"), "globalTags", { tags: [{ tag: "urn:li:tag:pii" }] }],
];
const manifest = ["a", "b"]
  .map((name) => `- { kind: Dataset, platform: snowflake, name: ${name}, tags: [pii] }\n`)
  .join("");

async function site(): Promise<Site> {
  const made = await siteWith({ "all.yaml": manifest }, settingsWith());
  await made.catalog.load(metadataFile(temporaryDirectory(), world));
  return made;
}

/** The samples in a file of metrics, without the label for the target. */
function samplesIn(file: string): Readonly<Record<string, number>> {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const samples = lines.filter((line) => !line.startsWith("#"));
  for (const line of lines) {
    expect(line).toMatch(
      /^(# (HELP|TYPE) datahub_gitops_\w+ .+|datahub_gitops_\w+\{\w+="[^"]*"(,\w+="[^"]*")*\} [\d.]+)$/,
    );
  }
  return Object.fromEntries(
    samples.map((line) => {
      const [, name = "", value = ""] = /^(.*) ([\d.]+)$/.exec(line.replace(/,?target="[^"]*"/, "")) ?? [];
      return [name.replace("datahub_gitops_", ""), Number(value)];
    }),
  );
}

test("an apply and a drift write what they did, for collectors", async () => {
  const { apply, run, edit, catalog } = await site();
  const file = join(temporaryDirectory(), "gitops.prom");
  const sent = catalog.requests.length;

  expect((await apply("--metrics", file)).code).toBe(0);

  const requests = catalog.requests.length - sent;
  expect(samplesIn(file)).toMatchObject({
    'exit_code{command="apply"}': 0,
    'entities{command="apply",action="update"}': 1,
    'entities{command="apply",action="unchanged"}': 1,
    'values{command="apply",action="add"}': 1,
    'outcomes{command="apply",status="applied"}': 1,
    'outcomes{command="apply",status="failed"}': 0,
    'requests{command="apply"}': requests,
    'retries{command="apply"}': 0,
  });
  expect(statSync(file).mode & 0o777).toBe(0o644);

  await edit(`removeTag(input: { tagUrn: "urn:li:tag:pii", resourceUrn: "${datasetNamed("a")}" })`);
  expect((await run(["drift", "--metrics", file])).code).toBe(2);
  const samples = samplesIn(file);
  expect(samples).toMatchObject({
    'exit_code{command="drift"}': 2,
    'drift{command="drift",class="missing"}': 1,
    'drift{command="drift",class="changed"}': 0,
  });
  expect(Object.keys(samples).filter((name) => name.startsWith("outcomes"))).toEqual([]);
});

test("a command that fails writes metrics all the same", async () => {
  const { run } = await site();
  const file = join(temporaryDirectory(), "gitops.prom");

  const { code } = await run(["drift", "--metrics", file, "--base", "no-such-ref"]);

  expect(code).toBe(1);
  expect(samplesIn(file)).toMatchObject({ 'exit_code{command="drift"}': 1 });
});

test("metrics that cannot be written are an error, and the result is there", async () => {
  const { apply } = await site();
  const dir = temporaryDirectory();

  const { code, stdout, stderr } = await apply("--metrics", join(dir, "missing/gitops.prom"));

  expect(code).toBe(1);
  expect(stdout).toContain("Applied 1 operation");
  expect(stderr).toMatch(/cannot write .*gitops\.prom/);
  expect(existsSync(join(dir, "missing"))).toBe(false);
  expect(readdirSync(dir)).toEqual([]);
});

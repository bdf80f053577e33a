import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { settingsWith, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const names = Array.from({ length: 20 }, (_, index) => `d${index}`);
const tagged = (id: string) =>
  names.map((name) => [datasetNamed(name), "globalTags", { tags: [{ tag: `urn:li:tag:${id}` }] }] as const);
const declared = names
  .map((name) => `- { kind: Dataset, platform: snowflake, name: ${name}, tags: [pii] }\n`)
  .join("");

test("what is created again while the server removes references to it keeps its new assignments", async () => {
  const site = await siteWith({ "a.yaml": tag("keep") }, settingsWith(), { lag: 5 });
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:tag:pii", "tagProperties", { name: "PII" }],
      ...tagged("pii"),
    ]),
  );
  await site.edit('deleteTag(urn: "urn:li:tag:pii")');
  site.commit({ "catalog/pii.yaml": tag("pii"), "catalog/datasets.yaml": declared });

  const applied = await site.run(["apply", "--auto-approve"], { retryDelay: 250 });

  expect(applied, applied.stderr).toMatchObject({ code: 7 });
  expect(applied.stdout).toContain("the server was still removing references to it");
  expect(await site.apply()).toMatchObject({ code: 0 });
  await wait(1_000);
  await site.plan();
  const lost = names.filter(
    (name) => JSON.stringify(site.aspect(datasetNamed(name), "globalTags") ?? {}).match(/pii/) === null,
  );
  expect(lost).toEqual([]);
});

test("references to what never existed, as ingestion writes them, do not hold up its creation", async () => {
  const site = await siteWith({ "pii.yaml": tag("pii") });
  await site.catalog.load(metadataFile(temporaryDirectory(), tagged("pii")));

  expect(await site.apply()).toMatchObject({ code: 0 });
});

test("where it cannot be asked whether references are still removed, nothing is created, and the rest is applied", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit({ "catalog/a.yaml": tag("a", "new"), "catalog/b.yaml": tag("b") });
  const url = await inFrontOf(site.catalog.url, ({ query }) =>
    query.includes("searchAcrossEntities")
      ? { data: null, errors: [{ message: "no index", extensions: { code: 500 } }] }
      : undefined,
  );

  const { code, stdout } = await runCli(["apply", "--auto-approve", "--server", url], { cwd: site.root });

  expect(code).toBe(7);
  expect(stdout).toContain("not sent: the references to it could not be read: a search failed: no index\n");
  expect(stdout).toMatch(/Applied 1 operation, 1 failed, 0 skipped\.\n$/);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { expect, test } from "vitest";
import { addLimitOptions, limitsWith } from "../../../src/cli/options/limits.ts";
import type { LimitsByGuard } from "../../../src/model/settings.ts";
import { limitsFrom } from "../../../src/plan/checks/guards/index.ts";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../../support/catalog.ts";
import { runCli } from "../../support/command-line.ts";
import { tag } from "../../support/history.ts";
import { appliedRef, settingsWith, type Site, siteOnce, siteWith, writesIn } from "../../support/site.ts";
import { datasetNamed } from "../../support/states.ts";

const ids = Array.from({ length: 20 }, (_, index) => `d${String(index).padStart(2, "0")}`);

function datasetFile(tagged: number): string {
  return ids
    .map(
      (id, index) =>
        `kind: Dataset\nplatform: snowflake\nname: ${id}\ntags: [${index < tagged ? "a" : ""}]\n`,
    )
    .join("---\n");
}

const tagOf = (id: string): MadeAspect => [`urn:li:tag:${id}`, "tagProperties", { name: id }];

/** Makes a catalog what the commit of a site declares, as an apply would have. */
async function makeApplied(site: Site, aspects: readonly MadeAspect[]): Promise<void> {
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
  site.git("update-ref", appliedRef, "HEAD");
}

async function makeSiteRemoving(removals: number, ...settings: readonly string[]): Promise<Site> {
  const site = await siteWith(
    { "a.yaml": tag("a"), "datasets.yaml": datasetFile(20) },
    settingsWith(...settings),
  );
  await makeApplied(site, [
    tagOf("a"),
    ...ids.flatMap((id) => [
      [datasetNamed(id), "datasetProperties", { customProperties: {} }] as const,
      [datasetNamed(id), "globalTags", { tags: [{ tag: "urn:li:tag:a" }] }] as const,
    ]),
  ]);
  site.commit({ "catalog/datasets.yaml": datasetFile(20 - removals) });
  return site;
}

/** A site of 20 datasets with a tag each, of which the manifests take so many away. */
const siteRemoving = siteOnce(makeSiteRemoving);

const bothIn = "guards: { removals: { max_percent: 10, max_count: 2 } }";

// What goes beyond which limit is a table of the guards (test/plan/checks/guards).
test("what settings block is not applied and asks nobody, and the flags that it names let it pass", async () => {
  const site = await siteRemoving(5, bothIn);
  const { findings, summary } = await site.planned();

  expect(summary).toMatchObject({ removals: 5, blocked: 5 });
  expect(findings.map(({ flag }) => flag)).toEqual(["--max-removals 25%", "--max-removals 5"]);
  expect(await site.run(["apply"], { answers: ["yes"] })).toMatchObject({
    code: 5,
    stderr: "Nothing was applied: a guard blocks the plan.\n",
  });
  expect(writesIn(site.catalog)).toEqual([]);
  const flags = findings.flatMap(({ flag }) => String(flag).split(" "));
  expect(await site.planned(...flags)).toMatchObject({
    limits: { removals: { max_percent: 25, max_count: 5 } },
    findings: [],
    summary: { blocked: 0 },
  });
});

const own = { removals: { max_percent: 10, max_count: 2 }, deletes: { max_count: 2 } };

test.each<readonly [string, LimitsByGuard, readonly string[], LimitsByGuard]>([
  ["a percentage", {}, ["--max-removals", "35%"], { removals: { max_percent: 35 } }],
  ["a number, which leaves the percentage", {}, ["--max-removals", "20"], { removals: { max_count: 20 } }],
  [
    "both",
    {},
    ["--max-removals", "35%", "--max-removals", "7"],
    { removals: { max_percent: 35, max_count: 7 } },
  ],
  [
    "the one that was given last",
    {},
    ["--max-removals", "90%", "--max-removals", "5%"],
    { removals: { max_percent: 5 } },
  ],
  ["none at all", {}, ["--max-removals", "0"], { removals: { max_count: 0 } }],
  [
    "a looser one than the settings",
    own,
    ["--max-removals", "50%"],
    { ...own, removals: { max_percent: 50, max_count: 2 } },
  ],
  ["a stricter one than the settings", own, ["--max-deletes", "1"], { ...own, deletes: { max_count: 1 } }],
  ["of what vanished", {}, ["--max-vanished", "34%"], { vanished: { max_percent: 34 } }],
  ["nothing said", own, [], own],
])("flags set limits: %s", (_, settings, flags, limits) => {
  const command = addLimitOptions(new Command()).parse(flags, { from: "user" });

  expect(limitsWith(settings, command.opts())).toEqual(limitsFrom(limits));
});

test.each([
  [
    "--max-removals",
    ["abc", "-5", "5.5", "", "101%", "-1%", "1e3", "30 %", "%"],
    /whole number, such as 20, or a percentage, such as 50%|percentage from 0% to 100%/,
  ],
  ["--max-deletes", ["abc", "-1", "1.5", "", "10%"], /whole number, such as 20/],
  ["--max-vanished", ["abc", "30", "-1%", "", "101%", "5.5%"], /percentage from 0% to 100%, such as 50%/],
])(
  "values that %s cannot take are a wrong usage, and the text says what it takes",
  async (flag, values, message) => {
    const cwd = temporaryDirectory();
    for (const value of values) {
      const argv = value.startsWith("-") ? [flag, value] : [`${flag}=${value}`];
      const { code, stdout, stderr } = await runCli(["plan", "--server", "http://127.0.0.1:1", ...argv], {
        cwd,
      });
      expect({ argv, code, stdout }).toEqual({ argv, code: 64, stdout: "" });
      expect(stderr).toMatch(message);
      expect(stderr).toContain(`'${flag} <`);
    }
  },
);

test("a plan that a guard blocks is written, is told by show as by plan, and has its numbers in JSON", async () => {
  const site = await siteRemoving(8);
  const text = await site.plan("--out", "plan.json");
  expect(text).toMatchObject({ code: 5, stderr: "Plan saved to plan.json\n" });
  expect(text.stdout).toContain(
    "Blocked: 8 of 20 live values of `tags` would be removed (40%, limit: 30%). To allow this, use --max-removals 40% or change `guards.removals.max_percent` in the settings.\n",
  );
  expect(text.stdout).toMatch(
    /Plan: 0 to create, 8 to update, 0 to delete; 0 values added, 0 replaced, 8 removed\.\n$/,
  );

  const json = await site.plan("--format", "json");
  expect(json.code).toBe(5);
  expect(readFileSync(join(site.root, "plan.json"), "utf8")).toBe(json.stdout);
  expect(JSON.parse(json.stdout)).toMatchObject({
    limits: {},
    findings: [
      {
        guard: "removals",
        severity: "error",
        facet: "tags",
        numbers: { removals: 8, existing: 20, percent: 40, max_percent: 30, min_existing: 10 },
        flag: "--max-removals 40%",
        setting: "guards.removals.max_percent",
        changes: ids.slice(12).map((id) => ({ urn: datasetNamed(id), facet: "tags" })),
      },
    ],
    summary: { update: 8, removals: 8, blocked: 8 },
  });
  expect(await runCli(["show", "plan.json"], { cwd: site.root })).toEqual({
    code: 0,
    stdout: text.stdout,
    stderr: "",
  });
});

test("a blocked apply as JSON is a report without outcomes", async () => {
  const site = await siteRemoving(8);
  const { code, stdout } = await site.apply("--format", "json");
  expect(code).toBe(5);
  expect(JSON.parse(stdout)).toMatchObject({
    plan: { summary: { blocked: 8 } },
    outcomes: [],
    summary: { applied: 0 },
  });
});

const vanishing = Array.from({ length: 11 }, (_, index) => `t${index}`);

/** A site of twelve tags, of which the manifests no longer declare four. */
async function siteDeleting(): Promise<Site> {
  const before = ["keep", ...vanishing];
  const site = await siteWith(Object.fromEntries(before.map((id) => [`${id}.yaml`, tag(id)])));
  await makeApplied(site, before.map(tagOf));
  const gone = vanishing.slice(0, 4).map((id) => [`catalog/${id}.yaml`, undefined]);
  site.commit(Object.fromEntries(gone) as Readonly<Record<string, undefined>>);
  return site;
}

test("flags allow what vanished, and deletions", async () => {
  const site = await siteDeleting();
  const finding = { guard: "deletes", flag: "--max-deletes 4", setting: "guards.deletes.max_count" };

  expect(await site.planned("--prune", "--max-vanished", "34%")).toMatchObject({
    findings: [finding],
    summary: { delete: 4, blocked: 4 },
  });
  const allowed = await site.planned("--prune", "--max-vanished", "34%", "--max-deletes", "4");
  expect(allowed.findings).toEqual([]);
});

test("a plan that a guard blocks though it changes nothing says so", async () => {
  const site = await siteDeleting();
  expect(await site.plan()).toMatchObject({
    code: 5,
    stdout: expect.stringMatching(
      /Blocked: 4 of 12 entities declared in the base are no longer declared \(33\.4%, limit: 30%\)\. To allow this, use --max-vanished 34% or change `guards\.vanished\.max_percent` in the settings\.\nNo changes\. 8 entities in sync\.\n$/,
    ),
  });
});

test("a guard and a problem: exit 3", async () => {
  const site = await siteRemoving(8);
  site.commit({ "catalog/gone.yaml": "kind: Dataset\nplatform: snowflake\nname: gone\ntags: [a]\n" });
  expect(await site.apply()).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("Nothing was applied: fix the problems first."),
  });
});

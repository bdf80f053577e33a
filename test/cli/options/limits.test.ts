import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { expect, test } from "vitest";
import { addLimitOptions, limitsWith } from "../../../src/cli/options/limits.ts";
import type { LimitsByGuard } from "../../../src/model/settings.ts";
import { limitsFrom } from "../../../src/plan/checks/guards/index.ts";
import { denying } from "../../support/denying.ts";
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
const amount = (max: number) => `guards: { removals: { max_count: ${max} } }`;

// What goes beyond which limit is a table of the guards (test/plan/checks/guards).
test.each([
  ["the default, which 6 of 20 keep", 6, [], [], []],
  ["the default, which 7 of 20 exceed", 7, [], [], ["max_percent"]],
  ["both of the settings", 5, [bothIn], [], ["max_percent", "max_count"]],
  ["both by flag, over the settings", 7, [bothIn], ["--max-removals", "35%", "--max-removals", "7"], []],
] as const)("the limit of removals: %s", async (_, removals, settings, flags, beyond) => {
  const site = await siteRemoving(removals, ...settings);
  const before = site.catalog.aspects();

  const { findings, summary } = await site.planned(...flags);
  expect(findings.map(({ setting }) => setting)).toEqual(beyond.map((name) => `guards.removals.${name}`));
  expect(summary["blocked"]).toBe(beyond.length > 0 ? removals : 0);
  const { code, stderr } = await site.apply(...flags);
  expect(code).toBe(beyond.length > 0 ? 5 : 0);
  if (beyond.length > 0) {
    expect(stderr).toContain("Nothing was applied: a guard blocks the plan.\n");
    expect(site.catalog.aspects()).toEqual(before);
  }
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

test("the flag that a finding names lets the plan pass", async () => {
  const site = await siteRemoving(7, amount(2));
  const { findings } = await site.planned();

  expect(findings.map(({ flag }) => flag)).toEqual(["--max-removals 35%", "--max-removals 7"]);
  const flags = findings.flatMap(({ flag }) => String(flag).split(" "));
  expect(await site.apply(...flags)).toMatchObject({ code: 0 });
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
      for (const argv of [[flag, value], [`${flag}=${value}`]]) {
        const { code, stdout, stderr } = await runCli(["plan", "--server", "http://127.0.0.1:1", ...argv], {
          cwd,
        });
        expect({ argv, code, stdout }).toEqual({ argv, code: 64, stdout: "" });
        expect(stderr).toMatch(message);
        expect(stderr).toContain(`'${flag} <`);
      }
    }
  },
);

test("a plan that a guard blocks is written, is told by show as by plan, and has its numbers in JSON", async () => {
  const site = await siteRemoving(8);
  const text = await site.plan("--out", "plan.json");
  expect(text).toMatchObject({ code: 5, stderr: "Plan saved to plan.json\n" });
  expect(text.stdout).toContain(
    "Blocked: 8 of 20 live values of `tags` would be removed (40%, limit: 30%). To allow it, use --max-removals 40% or change `guards.removals.max_percent` in the settings.\n",
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
  const shown = await runCli(["show", "plan.json", "--format", "json"], { cwd: site.root });
  expect(shown).toEqual({ code: 0, stdout: json.stdout, stderr: "" });
});

test("the limits that flags give are those of the plan, and it has no others", async () => {
  const site = await siteRemoving(1);
  const flags = [
    "--max-removals",
    "50%",
    "--max-removals",
    "3",
    "--max-deletes",
    "4",
    "--max-vanished",
    "60%",
  ];
  expect((await site.planned(...flags)).limits).toEqual({
    removals: { max_percent: 50, max_count: 3 },
    deletes: { max_count: 4 },
    vanished: { max_percent: 60 },
  });
});

test("a blocked apply asks nobody, and as JSON is a report without outcomes", async () => {
  const site = await siteRemoving(8);
  const asked = await site.run(["apply"], { answers: ["yes"] });
  expect(asked.code).toBe(5);
  expect(asked.stderr).not.toContain("Apply these changes");

  const { code, stdout } = await site.apply("--format", "json");
  expect(code).toBe(5);
  expect(JSON.parse(stdout)).toMatchObject({
    plan: { summary: { blocked: 8 } },
    outcomes: [],
    summary: { applied: 0 },
  });
});

const vanishing = Array.from({ length: 11 }, (_, index) => `t${index}`);

const doomed = {
  "keep.yaml": tag("keep"),
  ...Object.fromEntries(vanishing.map((id) => [`${id}.yaml`, tag(id)])),
};

async function makeSiteDeleting(count: number, ...settings: readonly string[]): Promise<Site> {
  const site = await siteWith(doomed, settingsWith(...settings));
  await makeApplied(site, ["keep", ...vanishing].map(tagOf));
  const gone = vanishing.slice(0, count).map((id) => [`catalog/${id}.yaml`, undefined]);
  site.commit(Object.fromEntries(gone) as Readonly<Record<string, undefined>>);
  return site;
}

const siteDeleting = siteOnce(makeSiteDeleting);

test.each([
  ["none by default", 1, [], [], 5],
  ["a number of the settings that allows it", 2, ["guards: { deletes: { max_count: 2 } }"], [], 0],
  [
    "a flag that is stricter than the settings",
    2,
    ["guards: { deletes: { max_count: 2 } }"],
    ["--max-deletes", "1"],
    5,
  ],
] as const)("the limit of deletions: %s", async (_, count, settings, flags, expected) => {
  const site = await siteDeleting(count, ...settings);
  const before = site.catalog.aspects();
  expect(await site.apply("--prune", ...flags)).toMatchObject({ code: expected });
  if (expected === 0) return;
  expect(site.catalog.aspects()).toEqual(before);
  const { findings, summary } = await site.planned("--prune", ...flags);
  expect(findings).toMatchObject([
    {
      guard: "deletes",
      numbers: { deletes: count },
      flag: `--max-deletes ${count}`,
      setting: "guards.deletes.max_count",
    },
  ]);
  expect(summary).toMatchObject({ delete: count, blocked: count });
});

test.each([
  ["the default, which 3 of 12 keep", 3, [], [], 0],
  ["the default, which 4 of 12 exceed", 4, [], [], 5],
  ["a percentage of the settings", 4, ["guards: { vanished: { max_percent: 40 } }"], [], 0],
  ["a percentage by flag", 4, [], ["--max-vanished", "34%"], 0],
] as const)(
  "the limit of what vanished, also without --prune: %s",
  async (_, count, settings, flags, expected) => {
    const site = await siteDeleting(count, ...settings);
    expect(await site.apply(...flags)).toMatchObject({ code: expected });
  },
);

test("a plan that a guard blocks though it changes nothing says so", async () => {
  const site = await siteDeleting(4);
  expect(await site.plan()).toMatchObject({
    code: 5,
    stdout: expect.stringMatching(
      /Blocked: 4 of 12 entities declared in the base are no longer declared \(33\.4%, limit: 30%\)\. To allow it, use --max-vanished 34% or change `guards\.vanished\.max_percent` in the settings\.\nNo changes\. 8 entities in sync\.\n$/,
    ),
  });
});

test("a guard and something that cannot be read: exit 1, and still nothing is written", async () => {
  const site = await siteRemoving(8);
  site.commit({ "catalog/a.yaml": tag("a", "text") });
  const url = await denying(site.catalog.url, "urn:li:tag:a");
  const before = site.catalog.aspects();

  for (const command of [["plan"], ["apply", "--auto-approve"]]) {
    const { code, stdout, stderr } = await runCli([...command, "--server", url], { cwd: site.root });
    expect(code).toBe(1);
    expect(stderr).toContain("read-failed");
    expect(stdout).toContain("guards.removals.");
  }
  expect(site.catalog.aspects()).toEqual(before);
});

test("a guard and a conflict: exit 6; with the conflict settled the guard is left: 5; with both allowed all is written", async () => {
  const site = await siteRemoving(8, "manage: { description: merge }");
  await site.edit('updateDescription(input: { resourceUrn: "urn:li:tag:a", description: "theirs" })');
  site.commit({ "catalog/a.yaml": tag("a", "ours") });
  const before = writesIn(site.catalog).length;

  expect(await site.apply()).toMatchObject({ code: 6 });
  expect(await site.apply("--force-conflicts")).toMatchObject({ code: 5 });
  expect(await site.apply("--skip-conflicts")).toMatchObject({ code: 5 });
  expect(writesIn(site.catalog)).toHaveLength(before);
  expect(await site.apply("--max-removals", "40%")).toMatchObject({ code: 6 });
  expect(writesIn(site.catalog).length).toBeGreaterThan(before);
  expect(await site.apply("--force-conflicts", "--max-removals", "40%")).toMatchObject({ code: 0 });
});

test("a guard and a problem: exit 3", async () => {
  const site = await siteRemoving(8);
  site.commit({ "catalog/gone.yaml": "kind: Dataset\nplatform: snowflake\nname: gone\ntags: [a]\n" });
  expect(await site.apply()).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("Nothing was applied: fix the problems first."),
  });
});

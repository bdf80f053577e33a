import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/command-line.ts";
import { settingsWith, type Site, siteWith } from "../support/site.ts";

const numbers = Array.from({ length: 25 }, (_, index) => index);
const tagsYaml = numbers.map((index) => `- { kind: Tag, id: t${index} }\n`).join("");
const group = "- { kind: Group, id: g, members: [] }\n";

/** A group with many members that are not in Git. */
async function crowded(): Promise<Site> {
  const users = numbers.map((index) => `- { kind: User, id: u${index} }\n`).join("");
  const site = await siteWith(
    { "all.yaml": tagsYaml + users + group },
    settingsWith("manage: { members: additive }"),
  );
  expect((await site.apply()).code).toBe(0);
  const members = numbers.map((index) => `"urn:li:corpuser:u${index}"`).join(", ");
  await site.edit(`addGroupMembers(input: { groupUrn: "urn:li:corpGroup:g", userUrns: [${members}] })`);
  return site;
}

test("plan and apply count many values that are not managed, list them on demand, and leave them out when quiet", async () => {
  const site = await crowded();
  const lines = async (...flags: readonly string[]): Promise<number> =>
    ((await site.plan(...flags)).stdout.match(/members: urn:li:corpuser:/g) ?? []).length;

  const counted = await site.plan();
  expect(counted.stdout).toContain(
    "Not managed, will not change: 25 values of 1 entity  (--show-unmanaged lists them)",
  );
  expect(counted.stdout).toContain("    members: 25 not declared\n");
  expect(await lines()).toBe(0);
  expect(await lines("--show-unmanaged")).toBe(25);
  expect(await lines("--show-unmanaged", "--quiet")).toBe(25);
  expect((await site.plan("--quiet")).stdout).not.toContain("Not managed");
  expect((await site.plan("--quiet", "--format", "markdown")).stdout).not.toContain("Not managed");
  expect(await lines("--format", "markdown")).toBe(25);
  expect((await site.planned("--quiet")).unmanaged).toHaveLength(25);
  expect((await site.apply("--show-unmanaged")).stdout).toContain("members: urn:li:corpuser:u24");
  expect((await site.apply("--quiet")).stdout).not.toContain("Not managed");
});

test("the flags hold for report files and for a saved plan, too", async () => {
  const site = await crowded();
  const report = (name: string): string => readFileSync(join(site.root, name), "utf8");

  await site.plan(
    "--quiet",
    "--report",
    "text=quiet.txt",
    "--report",
    "markdown=quiet.md",
    "--out",
    "plan.json",
  );
  await site.plan("--show-unmanaged", "--report", "text=all.txt");

  expect(report("quiet.txt") + report("quiet.md")).not.toContain("Not managed");
  expect(report("all.txt")).toContain("members: urn:li:corpuser:u24");
  const shown = async (...flags: readonly string[]): Promise<string> =>
    (await runCli(["show", "plan.json", ...flags], { cwd: site.root })).stdout;
  expect(await shown()).toContain("25 values of 1 entity");
  expect(await shown("--show-unmanaged")).toContain("members: urn:li:corpuser:u24");
});

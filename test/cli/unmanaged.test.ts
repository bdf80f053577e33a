import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { appliedRef, type PlanJson, settingsWith, type Site, siteWith } from "../support/site.ts";

const group = "urn:li:corpGroup:g";

/** A group with many members that are not in Git. */
async function crowded(): Promise<Site> {
  const site = await siteWith(
    { "all.yaml": "- { kind: Tag, id: t }\n- { kind: Group, id: g, members: [] }\n" },
    settingsWith("manage: { members: additive }"),
  );
  const users = Array.from({ length: 25 }, (_, index) => `urn:li:corpuser:u${index}`);
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      [group, "corpGroupInfo", { admins: [], members: [], groups: [] }],
      [group, "origin", { type: "NATIVE" }],
      ...users.flatMap((urn): readonly MadeAspect[] => [
        [urn, "corpUserInfo", { active: true }],
        [urn, "nativeGroupMembership", { nativeGroups: [group] }],
      ]),
    ]),
  );
  site.git("update-ref", appliedRef, "HEAD");
  return site;
}

const linesIn = (text: string): number => (text.match(/members: urn:li:corpuser:/g) ?? []).length;

test("many values that are not managed are counted, listed on demand, and left out when quiet, in reports and of a saved plan as well", async () => {
  const site = await crowded();
  const report = (name: string): string => readFileSync(join(site.root, name), "utf8");

  const counted = await site.plan("--report", "markdown=all.md");

  expect(counted.stdout).toContain(
    "Not managed, will not change: 25 values of 1 entity  (--show-unmanaged lists them)",
  );
  expect(counted.stdout).toContain("    members: 25 not declared\n");
  expect(linesIn(counted.stdout)).toBe(0);
  expect(linesIn(report("all.md"))).toBe(25);
  const shown = await site.plan("--show-unmanaged", "--quiet", "--report", "text=all.txt");
  expect([linesIn(shown.stdout), linesIn(report("all.txt"))]).toEqual([25, 25]);
  const reports = ["text=quiet.txt", "markdown=quiet.md", "json=quiet.json"];
  const quiet = await site.plan(
    "--quiet",
    ...reports.flatMap((each) => ["--report", each]),
    "--out",
    "plan.json",
  );
  expect(quiet.stdout + report("quiet.txt") + report("quiet.md")).not.toContain("Not managed");
  expect((JSON.parse(report("quiet.json")) as PlanJson).unmanaged).toHaveLength(25);
  const saved = async (...flags: readonly string[]): Promise<string> =>
    (await runCli(["show", "plan.json", ...flags], { cwd: site.root })).stdout;
  expect(await saved()).toContain("25 values of 1 entity");
  expect(linesIn(await saved("--show-unmanaged"))).toBe(25);
  expect(linesIn((await site.apply("--show-unmanaged")).stdout)).toBe(25);
  expect((await site.apply("--quiet")).stdout).not.toContain("Not managed");
});

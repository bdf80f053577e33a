import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import type { Problem } from "../../src/model/problem.ts";
import { planOf } from "../report/plans.ts";
import { temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { denying } from "../support/denying.ts";
import { planFile } from "../support/plan-file.ts";
import { shardedSite } from "../support/sharded-site.ts";
import { appliedRef, settingsWith, type Site, writesIn } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

// That the plans of all shards are the plan of the whole is a law: test/laws/shards.test.ts.

const jsonIn = (site: Site, file: string): Plan =>
  JSON.parse(readFileSync(join(site.root, file), "utf8")) as Plan;

/** Runs a command as a job of a workflow does: the server is in its environment. */
async function jobOf(site: Site, line: string): Promise<Ran> {
  return await runCli(line.split(" "), { cwd: site.root, env: { DATAHUB_GMS_URL: site.catalog.url } });
}

/** Plans both shards, in two jobs at once. */
async function planShards(site: Site): Promise<readonly Ran[]> {
  return await Promise.all(
    [1, 2].map((index) => jobOf(site, `plan --shard ${index}/2 --out plan-${index}.json`)),
  );
}

test("jobs at once plan what one would, and merge-plans writes and prints like plan", async () => {
  const site = await shardedSite();
  const whole = await site.plan("--out", "whole.json");

  const planned = await planShards(site);
  const merged = await jobOf(
    site,
    "merge-plans plan-2.json plan-1.json --out plan.json --detailed-exitcode --format markdown --report text=plan.txt",
  );

  expect(planned.map(({ code }) => code)).toEqual([0, 0]);
  expect(planned[1]?.stdout).toMatch(
    /^Server: .*\n\nShard 2 of 2\. `merge-plans` merges the plans for all shards, and guards check the result\.\n\n/,
  );
  expect(merged).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Plan saved to plan.json\n/) });
  expect(merged.stdout).toContain("### Plan:");
  expect(readFileSync(join(site.root, "plan.txt"), "utf8")).toBe(whole.stdout);
  expect(jsonIn(site, "plan.json")).toEqual(jsonIn(site, "whole.json"));
});

test("a shard leaves out what the first one has to create, says so, and is applied by another run", async () => {
  const site = await shardedSite();
  await site.plan("--out", "plan.json");
  const apply = (...argv: readonly string[]): Promise<Ran> => site.run(["apply", "plan.json", ...argv]);

  const early = await apply("--shard", "2/2", "--report", "report.json");
  expect(early.code).toBe(6);
  expect(early.stdout).toContain(
    "urn:li:domain:finance does not exist yet: another shard of the plan creates it; apply shard 1 first, then apply this shard again",
  );
  expect(writesIn(site.catalog)).toEqual([]);
  expect((await runCli(["show", "report.json"], { cwd: site.root })).stdout).toMatch(
    /^Server: .*\n\nShard 2 of 2\.\n/,
  );
  for (const index of [1, 2])
    expect(await apply("--shard", `${index}/2`)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`, because only part of the catalog was applied\n`),
    });
});

test("what blocks the merged plan blocks each of its shards", async () => {
  const settings = settingsWith("guards: { removals: { max_percent: 100, max_count: 11 } }");
  const site = await shardedSite({}, settings);
  const planned = await planShards(site);
  expect(planned.map(({ code }) => code)).toEqual([0, 0]);

  const merged = await jobOf(site, "merge-plans plan-1.json plan-2.json --out plan.json");

  expect(merged).toMatchObject({ code: 5, stdout: expect.stringContaining("--max-removals 12") });
  expect(await jobOf(site, "apply plan.json --shard 2/2")).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("a guard blocks the plan"),
  });
});

test("a plan that deletes is applied as a whole alone, and what cannot be read keeps any part from deleting", async () => {
  const site = await shardedSite({ "old.yaml": "kind: Tag\nid: old\n" });
  site.git("update-ref", appliedRef, "HEAD");
  site.commit({ "catalog/old.yaml": undefined });
  const prune = ["--prune", "--max-deletes", "1", "--target", "urn:li:tag:old"];
  expect(await site.plan(...prune, "--out", "plan.json")).toMatchObject({ code: 0 });

  const applied = await site.run(["apply", "plan.json", "--shard", "1/4"]);
  const url = await denying(site.catalog.url, datasetNamed("d0"));
  const blind = await runCli(["plan", "--server", url, ...prune], { cwd: site.root });

  expect(applied).toMatchObject({ code: 64, stdout: "" });
  expect(applied.stderr).toContain("plan.json deletes 1 entity, which is possible only after all shards");
  expect(blind.stdout).toContain("No changes.");
  expect(blind.stderr).toContain("deletion-held");
});

test.each([["0/4"], ["5/4"], ["1"], ["1/0"], ["a/b"], ["1/4/2"], ["-1/4"], ["01/4"]])(
  "%s names no shard",
  async (text) => {
    for (const command of ["plan", "apply"]) {
      const { code, stderr } = await runCli([command, `--shard=${text}`], { cwd: "/" });
      expect(code).toBe(64);
      expect(stderr).toContain("Use the shard number, starting at 1, and the number of shards, such as 1/4.");
    }
  },
);

/** A folder of saved plans of shards. */
function folderWith(plans: Readonly<Record<string, Parameters<typeof planOf>[0]>>): string {
  const cwd = temporaryDirectory();
  for (const [name, content] of Object.entries(plans)) planFile(planOf(content), `${name}.json`, cwd);
  return cwd;
}

const shard = (index: number, of = 4, inputs = "a") => {
  return { shard: { index, of, inputs: `sha256:${inputs.repeat(64)}` } };
};

test.each([
  ["plan --shard 1/4 --target *", "--shard and --target cannot be used together"],
  ["plan --shard 1/4 --changed-since HEAD", "--shard and --changed-since cannot be used"],
  ["apply --shard 1/4 --auto-approve", "--shard works only with a saved plan"],
  ["apply 2.json", "2.json is the plan of shard 2 of 4; merge the plans of all shards"],
  ["apply 2.json --shard 2/4", "2.json is the plan of shard 2 of 4"],
  ["apply 2.json --dry-run", "2.json is the plan of shard 2 of 4"],
])("%s is a wrong usage", async (line, message) => {
  const { code, stderr } = await runCli([...line.split(" "), "--server", "http://127.0.0.1:1"], {
    cwd: folderWith({ 2: shard(2) }),
  });

  expect(code).toBe(64);
  expect(stderr).toContain(message);
});

const held: Problem = { code: "deletion-held", severity: "warning", args: { urns: ["urn:li:tag:a"] } };

test.each([
  ["1", "the plans of shards 2, 3, 4 of 4 are missing"],
  ["1 3 4", "the plan of shard 2 of 4 is missing"],
  ["1 2 3 4 3", "3.json and 3.json are both plans of shard 3 of 4"],
  ["1 3 4 whole", "whole.json is not the plan of a shard; create one with plan --shard"],
  ["1 3 4 third", "1.json is one of 4 shards, but third.json is one of 3"],
  [
    "1 3 4 limits",
    "limits.json and 1.json are not shards of the same plan: limits.removals.max_count is 7 in one and",
  ],
  ["1 3 4 options", "their settings, options or uncommitted manifests differ"],
  ["1 3 4 vanished", "the entities that are no longer declared differ"],
  [
    "1 3 4 held",
    "held.json deletes nothing, because some entities could not be read, but other shards delete entities; create the plans again, or plan without --shard",
  ],
])("merge-plans of %s is refused, because of what is missing or differs", async (names, message) => {
  const cwd = folderWith({
    ...Object.fromEntries([1, 2, 3, 4].map((index) => [index, shard(index)])),
    whole: {},
    third: shard(2, 3),
    limits: { ...shard(2), limits: { removals: { max_count: 7 } } },
    options: shard(2, 4, "b"),
    vanished: { ...shard(2), counts: { vanished: { urns: [], of: 2 } } },
    held: { ...shard(2), problems: [held] },
  });

  const files = names.split(" ").map((name) => `${name}.json`);
  const { code, stdout, stderr } = await runCli(["merge-plans", ...files, "--out", "plan.json"], { cwd });

  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toContain(message);
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import { shardOf } from "../../src/plan/shard.ts";
import { sealed } from "../../src/plan/hash.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { denying } from "../support/denying.ts";
import { datasetNames, datasetWith, shardedSite } from "../support/sharded-site.ts";
import { appliedRef, settingsWith, type Site, writesIn } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const four = [1, 2, 3, 4];

const fileOf = (index: number): string => `plan-${index}.json`;

const jsonIn = (site: Site, file: string): Plan =>
  JSON.parse(readFileSync(join(site.root, file), "utf8")) as Plan;

/** Runs a command as a job of a workflow does: the server is in its environment. */
async function jobOf(site: Site, line: string): Promise<Ran> {
  return await runCli(line.split(" "), { cwd: site.root, env: { DATAHUB_GMS_URL: site.catalog.url } });
}

/** Plans all shards; the codes tell how that went. */
async function planShards(site: Site, flags: readonly string[] = [], of = 4): Promise<readonly number[]> {
  const codes: number[] = [];
  for (let index = 1; index <= of; index += 1) {
    const { code } = await site.plan("--shard", `${index}/${of}`, "--out", fileOf(index), ...flags);
    codes.push(code);
  }
  return codes;
}

const merge = (site: Site, ...argv: readonly string[]): Promise<Ran> =>
  withoutServer(site, ["merge-plans", ...four.map(fileOf), ...argv]);

async function withoutServer(site: Pick<Site, "root">, argv: readonly string[]): Promise<Ran> {
  return await runCli(argv, { cwd: site.root });
}

test("four jobs at once plan and apply together what one would", async () => {
  const [site, other] = [await shardedSite(), await shardedSite()];
  await site.plan("--out", "whole.json");
  const planned = await Promise.all(
    four.map((index) => jobOf(site, `plan --shard ${index}/4 --out ${fileOf(index)}`)),
  );
  expect(planned.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(planned[1]?.stdout).toMatch(/^Server: .*\n\nShard 2 of 4\. `merge-plans` joins/);
  const merged = await jobOf(
    site,
    "merge-plans plan-3.json plan-1.json plan-4.json plan-2.json --out plan.json",
  );
  expect(merged).toMatchObject({ code: 0, stdout: (await site.plan()).stdout });
  expect(jsonIn(site, "plan.json")).toEqual(jsonIn(site, "whole.json"));

  expect(await jobOf(site, "apply plan.json --shard 1/4")).toMatchObject({ code: 0 });
  const applied = await Promise.all(
    [2, 3, 4].map((index) => jobOf(site, `apply plan.json --shard ${index}/4`)),
  );
  expect(applied.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(site.at()).toBeUndefined();

  await other.apply();
  expect(storedIn(site)).toEqual(storedIn(other));
});

/** What the catalog holds, apart from times. */
function storedIn({ catalog }: Site): unknown {
  const rows = catalog.aspects().filter(({ version }) => version === 0);
  return rows
    .map(
      ({ urn, aspect, value }) => `${urn} ${aspect} ${JSON.stringify(value).replaceAll(/"time":\d+/g, "")}`,
    )
    .toSorted();
}

test("what all shards have applied, an apply of the whole plan notes as applied, and writes nothing", async () => {
  const site = await shardedSite();
  await planShards(site);
  await merge(site, "--out", "plan.json");
  for (const index of four) {
    const { code, stderr } = await site.run(["apply", "plan.json", "--shard", `${index}/4`]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain(`${appliedRef} was not moved: only a part of the catalog was applied\n`);
  }
  const before = writesIn(site.catalog).length;

  const { code, stderr } = await site.run(["apply", "plan.json"]);
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("now points to") });
  expect(writesIn(site.catalog).slice(before)).toEqual([]);
  expect(site.at()).toBe(site.git("rev-parse", "HEAD"));
});

test.each(["graphql", "conditional"])(
  "a shard leaves out what the first one has to create, says so, and is applied by another run: %s",
  async (writes) => {
    const site = await shardedSite(
      {},
      settingsWith(`writes: ${writes}`, "guards: { removals: { max_percent: 100 } }"),
    );
    await site.plan("--out", "plan.json");
    const { code, stdout } = await site.run([
      "apply",
      "plan.json",
      "--shard",
      "2/4",
      "--report",
      "report.json",
      "--format",
      "json",
    ]);

    expect(code).toBe(6);
    const report = JSON.parse(stdout) as { plan: Plan; outcomes: readonly object[]; summary: object };
    const own = datasetNames.map(datasetNamed).filter((urn) => shardOf(urn, 4) === 2);
    expect(new Set(report.plan.changes.map(({ urn }) => urn))).toEqual(new Set(own));
    expect(report.plan).toMatchObject({
      shard: { index: 2, of: 4 },
      summary: { create: 0, update: own.length },
    });
    expect(report.summary).toMatchObject({ applied: 0, failed: 0 });
    expect(report.outcomes).toContainEqual(
      expect.objectContaining({
        status: "skipped",
        urn: own[0],
        because:
          "urn:li:domain:finance does not exist yet: another shard of the plan creates it; apply shard 1 first, then this one again",
      }),
    );
    expect(writesIn(site.catalog)).toEqual([]);
    expect(await withoutServer(site, ["show", "report.json"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Server: .*\n\nShard 2 of 4\.\n/),
    });
    expect(await site.run(["apply", "plan.json", "--shard", "1/4"])).toMatchObject({ code: 0 });
    expect(await site.run(["apply", "plan.json", "--shard", "2/4"])).toMatchObject({ code: 0 });
  },
);

test("what others created meanwhile with other values is not taken for what the plan created", async () => {
  const site = await shardedSite();
  await site.plan("--out", "plan.json");
  await site.edit('createTag(input: { id: "pii", name: "pii", description: "Something else." })');

  const { code, stdout } = await site.run(["apply", "plan.json"]);
  expect(code).toBe(6);
  expect(stdout).toContain("urn:li:tag:pii was created after the plan was made");
});

test("removals that no shard would be blocked for block the merged plan, as they block the whole", async () => {
  const site = await shardedSite(
    {},
    settingsWith("guards: { removals: { max_percent: 100, max_count: 11 } }"),
  );
  expect(await planShards(site)).toEqual([0, 0, 0, 0]);
  const merged = await merge(site, "--out", "plan.json", "--format", "json");

  expect(merged.code).toBe(5);
  expect(JSON.parse(merged.stdout)).toMatchObject({
    summary: { blocked: 12, removals: 12 },
    findings: [{ guard: "removals", facet: "tags", numbers: { removals: 12, existing: 12, max_count: 11 } }],
  });
  expect(merged.stdout).toBe((await site.plan("--format", "json")).stdout);
  const applied = await site.run(["apply", "plan.json", "--shard", "2/4"]);
  expect(applied).toMatchObject({ code: 5, stderr: expect.stringContaining("a guard blocks the plan") });
  expect(writesIn(site.catalog)).toEqual([]);
});

test("the share of removals is of the live values of all shards", async () => {
  const kept = Object.fromEntries(
    datasetNames.slice(1).map((name) => [`${name}.yaml`, datasetWith(name, "tags: [old]")]),
  );
  const site = await shardedSite(
    { ...kept, "tags.yaml": "kind: Tag\nid: old\n" },
    settingsWith("guards: { removals: { max_percent: 8, min_existing: 1 } }"),
  );
  await planShards(site);

  const merged = JSON.parse((await merge(site, "--format", "json")).stdout) as Plan;
  expect(merged.findings).toMatchObject([{ numbers: { removals: 1, existing: 12, percent: 8.4 } }]);
  expect(merged).toEqual(JSON.parse((await site.plan("--format", "json")).stdout));
});

test("problems of shards are those of the whole, each once, and the merged plan is refused", async () => {
  const site = await shardedSite({
    "gone.yaml": `${datasetWith("gone1")}---\n${datasetWith("gone2")}---\n${datasetWith("gone3")}`,
    "absent.yaml": ["d0", "d1", "d2", "d3"].map((name) => datasetWith(name, "tags: [nowhere]")).join("---\n"),
    ...Object.fromEntries(["d0", "d1", "d2", "d3"].map((name) => [`${name}.yaml`, datasetWith(name)])),
  });
  const codes = await planShards(site);
  expect(codes).toContain(3);
  const merged = await merge(site, "--format", "json");
  const whole = await site.plan("--format", "json");

  expect(merged).toEqual({ ...whole, stderr: "" });
  const { problems = [] } = JSON.parse(merged.stdout) as Plan;
  expect(problems.map(({ code }) => code)).toEqual([
    "reference-missing",
    "base-missing",
    "asset-missing",
    "asset-missing",
    "asset-missing",
  ]);
});

test("what is declared and gone is one finding of all shards with --missing skip", async () => {
  const gone = ["gone1", "gone2", "gone3", "gone4", "gone5"].map((name) => datasetWith(name));
  const site = await shardedSite({ "gone.yaml": gone.join("---\n") });
  await planShards(site, ["--missing", "skip"]);

  const merged = await merge(site, "--format", "json");
  expect(merged.stdout).toBe((await site.plan("--missing", "skip", "--format", "json")).stdout);
  expect(JSON.parse(merged.stdout)).toMatchObject({
    findings: [{ guard: "missing", numbers: { assets: 5 } }],
  });
});

test("a shard reads only what belongs to it, and the first one all definitions", async () => {
  const site = await shardedSite();
  for (const index of four) {
    const before = site.catalog.requests.length;
    await site.plan("--shard", `${index}/4`);
    const asked = JSON.stringify(site.catalog.requests.slice(before).map(({ body }) => body));
    const read = datasetNames.filter((name) => asked.includes(datasetNamed(name)));
    expect(read).toEqual(datasetNames.filter((name) => shardOf(datasetNamed(name), 4) === index));
    expect(asked.includes("urn:li:corpuser:alice")).toBe(index === 1);
  }
});

test("deletions are those of the whole, and are applied only with all other changes", async () => {
  const site = await shardedSite({ "old.yaml": "kind: Tag\nid: old\n" });
  expect(await site.apply()).toMatchObject({ code: 0 });
  site.commit({ "catalog/old.yaml": undefined, "catalog/d5.yaml": datasetWith("d5", "tags: []") });
  const flags = ["--prune", "--max-deletes", "1"];
  expect(await planShards(site, flags)).toEqual([0, 0, 0, 0]);
  const merged = await merge(site, "--out", "plan.json");
  expect(merged).toMatchObject({ code: 0, stdout: (await site.plan(...flags)).stdout });
  expect(merged.stdout).toContain("1 to delete");

  const applied = await site.run(["apply", "plan.json", "--shard", "1/4"]);
  expect(applied).toMatchObject({ code: 64, stdout: "" });
  expect(applied.stderr).toContain("plan.json deletes 1 entity, which is possible only after the changes");
  expect(await site.run(["apply", "plan.json"])).toMatchObject({ code: 0 });
  expect(site.aspect("urn:li:tag:old", "tagProperties")).toBeUndefined();
});

test("what cannot be read keeps all shards, and every part, from deleting", async () => {
  const site = await shardedSite({ "old.yaml": "kind: Tag\nid: old\n" });
  await site.apply();
  site.commit({ "catalog/old.yaml": undefined });
  const url = await denying(site.catalog.url, datasetNamed("d0"));
  const plan = (...flags: readonly string[]): Promise<Ran> =>
    withoutServer(site, ["plan", "--server", url, "--prune", "--max-deletes", "1", ...flags]);
  for (const index of four) await plan("--shard", `${index}/4`, "--out", fileOf(index));

  const whole = await plan("--format", "json");
  expect(whole).toMatchObject({ code: 1, stdout: expect.stringContaining("deletion-held") });
  expect(await merge(site, "--format", "json")).toEqual({ ...whole, stderr: "" });
  const part = await plan("--target", "urn:li:tag:old");
  expect(part.stdout).toContain("No changes.");
  expect(part.stderr).toContain("deletion-held");
});

test("what one shard could not read and others delete by is refused", async () => {
  const site = await shardedSite({ "old.yaml": "kind: Tag\nid: old\n" });
  await site.apply();
  site.commit({ "catalog/old.yaml": undefined });
  await planShards(site, ["--prune", "--max-deletes", "1"]);
  const held = jsonIn(site, fileOf(2));
  const problem = { code: "deletion-held", severity: "warning", args: {}, message: "held" };
  const { seal: _, ...plan } = { ...held, problems: [problem] } as Record<string, unknown>;
  writeFileSync(join(site.root, fileOf(2)), JSON.stringify(sealed(plan)));

  const { code, stderr } = await merge(site);
  expect(code).toBe(3);
  expect(stderr).toContain(
    "plan-2.json deletes nothing, because something could not be read, but other shards do",
  );
});

test.each([["0/4"], ["5/4"], ["1"], ["1/0"], ["a/b"], ["1/4/2"], ["-1/4"], ["01/4"]])(
  "%s names no shard",
  async (text) => {
    for (const command of ["plan", "apply"]) {
      const { code, stderr } = await withoutServer({ root: "/" }, [command, `--shard=${text}`]);
      expect(code).toBe(64);
      expect(stderr).toContain("Use the number of the shard, from 1, and how many there are, such as 1/4.");
    }
  },
);

test("a shard is refused where the whole must be looked at, or its plan joined with others", async () => {
  const site = await shardedSite();
  await planShards(site);
  for (const [argv, message] of [
    [["plan", "--shard", "1/4", "--target", "*"], "--shard and --target cannot be used together"],
    [["plan", "--shard", "1/4", "--changed-since", "HEAD"], "--shard and --changed-since cannot be used"],
    [["apply", "--shard", "1/4", "--auto-approve"], "--shard applies only to a saved plan"],
    [["apply", fileOf(2)], "plan-2.json is the plan of shard 2 of 4; join the plans of all shards"],
    [["apply", fileOf(2), "--shard", "2/4"], "plan-2.json is the plan of shard 2 of 4"],
    [["apply", fileOf(2), "--dry-run"], "plan-2.json is the plan of shard 2 of 4"],
  ] as const) {
    const { code, stderr } = await site.run(argv);
    expect({ argv, code }).toEqual({ argv, code: 64 });
    expect(stderr).toContain(message);
  }
  expect(writesIn(site.catalog)).toEqual([]);
});

test("merge-plans refuses what are not all shards of one plan, and names what is missing or differs", async () => {
  const site = await shardedSite();
  site.commit({ ".gitignore": "*.json\n" });
  await planShards(site);
  await site.plan("--out", "whole.json");
  await site.plan("--shard", "2/3", "--out", "third.json");
  await site.plan("--shard", "2/4", "--out", "limits.json", "--max-removals", "7");
  await site.plan("--shard", "2/4", "--out", "options.json", "--missing", "skip");
  site.write({ "catalog/tags.yaml": "kind: Tag\nid: more\n" });
  await site.plan("--shard", "2/4", "--out", "dirty.json");
  site.commit();
  await site.plan("--shard", "2/4", "--out", "later.json");
  const other = await shardedSite();
  site.git("reset", "--hard", "--quiet", "HEAD~1");
  const elsewhere = await withoutServer(
    site,
    `plan --shard 2/4 --out target.json --server ${other.catalog.url}`.split(" "),
  );
  expect(elsewhere.code).toBe(0);
  writeFileSync(join(site.root, "cut.json"), readFileSync(join(site.root, fileOf(2))).subarray(0, 300));

  const rest = [1, 3, 4].map(fileOf);
  for (const [files, message] of [
    [[fileOf(1)], "the plans of shards 2, 3, 4 of 4 are missing"],
    [rest, "the plan of shard 2 of 4 is missing"],
    [[...four.map(fileOf), fileOf(3)], "plan-3.json and plan-3.json are both the plan of shard 3 of 4"],
    [[...rest, "whole.json"], "whole.json is not the plan of a shard"],
    [[...rest, "third.json"], "plan-1.json is one of 4 shards, but third.json one of 3"],
    [
      [...rest, "limits.json"],
      "limits.json and plan-1.json are not shards of one plan: limits.removals.max_count is 7 in one and",
    ],
    [[...rest, "options.json"], "they have other settings, options, or manifests that are not committed"],
    [[...rest, "dirty.json"], "git.dirty is true in one and false in the other"],
    [[...rest, "later.json"], "git.commit is "],
    [[...rest, "target.json"], "target is "],
    [[...rest, "cut.json"], "cut.json is not valid JSON and may be truncated"],
    [[...rest, "none.json"], "none.json does not exist"],
  ] as const) {
    const { code, stdout, stderr } = await withoutServer(site, [
      "merge-plans",
      ...files,
      "--out",
      "plan.json",
    ]);
    expect({ files, code, stdout }).toEqual({ files, code: 3, stdout: "" });
    expect(stderr).toContain(message);
  }
});

test("shards of manifests that are not committed are merged only if all saw the same", async () => {
  const site = await shardedSite();
  site.write({ "catalog/tags.yaml": "kind: Tag\nid: more\n" });
  await planShards(site);
  expect(await merge(site)).toMatchObject({ code: 0 });
  site.write({ "catalog/tags.yaml": "kind: Tag\nid: others\n" });
  await site.plan("--shard", "2/4", "--out", fileOf(2));

  const { code, stderr } = await merge(site);
  expect(code).toBe(3);
  expect(stderr).toContain("they have other settings, options, or manifests that are not committed");
});

test("merge-plans writes and prints like plan", async () => {
  const site = await shardedSite();
  await planShards(site);
  const { code, stdout, stderr } = await merge(
    site,
    "--out",
    "plan.json",
    "--detailed-exitcode",
    "--format",
    "markdown",
    "--report",
    "text=plan.txt",
  );
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Plan saved to plan.json\n/),
  });
  expect(stdout).toBe((await site.plan("--format", "markdown")).stdout);
  expect(readFileSync(join(site.root, "plan.txt"), "utf8")).toBe((await site.plan()).stdout);
  const part = await site.plan("--shard", "3/4", "--format", "markdown");
  expect(part.stdout).toContain(
    "\n\nShard 3 of 4. `merge-plans` joins the plans of all shards; guards judge the result.\n\n",
  );
});

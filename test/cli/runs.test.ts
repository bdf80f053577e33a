import { expect, test } from "vitest";
import { runCli } from "../support/command-line.ts";
import { testRepository } from "../support/git-repository.ts";
import { refusing } from "../support/refusing.ts";
import { withFiles } from "../support/manifest-files.ts";
import { tag } from "../support/history.ts";
import { runNote, settingsWith, type Site, siteWith } from "../support/site.ts";

const ref = "refs/datahub-gitops/runs";

interface Run {
  readonly id: string;
  readonly at: string;
}

async function runsOf(site: Site): Promise<readonly Run[]> {
  const { stdout } = await runCli(["runs", "list", "--format", "json"], { cwd: site.root });
  return (JSON.parse(stdout) as { runs: readonly Run[] }).runs;
}

/** Applies a tag of a name at a second of the epoch. */
async function applyAt(site: Site, name: string, second: number): Promise<string> {
  const commit = site.commit({ [`catalog/${name}.yaml`]: tag(name) });
  const env = { SOURCE_DATE_EPOCH: String(second) };
  const { code, stderr } = await site.run(["apply", "--auto-approve"], { env });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return commit;
}

test("an apply that wrote something is kept as a run, and shown by its name as its report; others are none", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const first = site.git("rev-parse", "HEAD");

  const { stdout, stderr } = await site.apply("--format", "json", "--report", "report.json");

  const id = site.git("rev-parse", "--short", ref);
  expect(stderr).toContain(runNote(site));
  expect(site.git("show", `${ref}:report.json`)).toBe(stdout.trim());
  const listed = await runCli(["runs", "list", "--format", "json"], { cwd: site.root });
  expect(JSON.parse(listed.stdout)).toEqual({
    formatVersion: "1",
    runs: [
      {
        id,
        at: "1970-01-01T00:00:00.000Z",
        exitCode: 0,
        applied: 1,
        failed: 0,
        skipped: 0,
        stale: 0,
        commit: first,
        server: site.catalog.url,
      },
    ],
  });
  const shown = await runCli(["runs", "show", id, "--format", "json"], { cwd: site.root });
  expect(shown).toEqual({ code: 0, stdout, stderr: "" });
  const markdown = await runCli(["runs", "show", id, "--format", "markdown"], { cwd: site.root });
  expect(markdown.stdout).toContain("### Applied 1 operation");
  expect(markdown).toEqual(await runCli(["show", "report.json", "--format", "markdown"], { cwd: site.root }));

  await site.apply();
  await site.apply("--dry-run");
  expect(await runsOf(site)).toMatchObject([{ id }]);
});

test("runs are listed with the newest first, by text and JSON, and only as many as the settings keep", async () => {
  const site = await siteWith({ "a.yaml": tag("a") }, settingsWith("runs: { keep: 2 }"));
  const commits = [];
  for (const [index, name] of ["b", "c", "d"].entries()) commits.push(await applyAt(site, name, index));

  const runs = await runsOf(site);

  expect(runs.map(({ at }) => at)).toEqual(["1970-01-01T00:00:02.000Z", "1970-01-01T00:00:01.000Z"]);
  const text = await runCli(["runs", "list"], { cwd: site.root });
  const [newest, before] = runs.map(({ id }) => id);
  expect(text).toEqual({
    code: 0,
    stderr: "",
    stdout: [
      `${newest}  1970-01-01T00:00:02.000Z  exit 0  1 applied  commit ${commits[2]?.slice(0, 12)}  ${site.catalog.url}`,
      `${before}  1970-01-01T00:00:01.000Z  exit 0  1 applied  commit ${commits[1]?.slice(0, 12)}  ${site.catalog.url}`,
      "",
      "2 runs.",
      "",
    ].join("\n"),
  });
});

test("with `runs: false` no run is kept", async () => {
  const site = await siteWith({ "a.yaml": tag("a") }, settingsWith("runs: false"));

  const { stderr } = await site.apply();

  expect(stderr).not.toContain("Recorded as run");
  expect(await runsOf(site)).toEqual([]);
});

test("a run of which a part failed is kept with what became of it", async () => {
  const site = await siteWith({ "a.yaml": tag("a"), "b.yaml": tag("b") });
  const server = await refusing(site.catalog.url, (write) => write.includes("urn:li:tag:b"));

  const { code } = await runCli(["apply", "--auto-approve", "--server", server], { cwd: site.root });

  const [run] = await runsOf(site);
  expect(run).toMatchObject({ exitCode: code, applied: 1, failed: 1 });
});

test("a name that no run has is refused", async () => {
  const { root: cwd, commit } = testRepository();
  commit({ "catalog/a.yaml": tag("a") });

  expect(await runCli(["runs", "show", "0000000"], { cwd })).toEqual({
    code: 3,
    stdout: "",
    stderr: "error: there is no run 0000000; use runs list to see all runs\n",
  });
});

test("a report that was edited is refused", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  await site.apply();
  const report = site.git("show", `${ref}:report.json`);
  site.git("checkout", "--quiet", "--detach", ref);
  site.commit({ "report.json": report.replace('"applied": 1', '"applied": 2') });
  site.git(
    "commit",
    "--quiet",
    "--amend",
    "--no-edit",
    `--message=${site.git("log", "-1", "--format=%B", ref)}`,
  );
  site.git("update-ref", ref, "HEAD");
  site.git("checkout", "--quiet", "main");
  const [run] = await runsOf(site);

  expect(await runCli(["runs", "show", run?.id ?? ""], { cwd: site.root })).toEqual({
    code: 3,
    stdout: "",
    stderr: `error: run ${run?.id} was edited after it was saved: its seal does not match\n`,
  });
});

test("without a repository there are no runs, and an apply needs none", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  await withFiles({ "catalog/a.yaml": tag("a") }, async (cwd) => {
    const applied = await site.run(["apply", "--auto-approve"], { cwd });
    expect(applied).toMatchObject({ code: 0, stderr: "" });
    expect(await runCli(["runs", "list"], { cwd })).toEqual({
      code: 1,
      stdout: "",
      stderr: "error: cannot read runs: the catalog directory is not in a Git repository\n",
    });
  });
});

test("a commit at the ref that is not of a run is skipped with a warning, and stops neither a plan nor an apply nor another run", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  await site.apply();
  const run = site.git("rev-parse", "--short", ref);
  const empty = site.git("hash-object", "-t", "tree", "-w", "/dev/null");
  const message = site.git("show", "--no-patch", "--format=%B", ref);
  const foreign = site.git("commit-tree", empty, "-p", ref, "-m", "hello");
  const withoutReport = site.git("commit-tree", empty, "-p", foreign, "-m", message);
  const disagreeing = site.git(
    "commit-tree",
    `${run}^{tree}`,
    "-p",
    withoutReport,
    "-m",
    message.replace("Applied: 1", "Applied: 2"),
  );
  site.git("update-ref", ref, disagreeing);
  site.commit({ "catalog/b.yaml": tag("b") });
  const warning = `warning: ignored commit ${foreign.slice(0, 7)} in ${ref}, because it does not belong to a recorded run\n`;

  const planned = await site.plan();
  expect(planned.code).toBe(0);
  expect(planned.stderr).toContain(warning);
  expect(planned.stderr).toContain(`run ${withoutReport.slice(0, 7)} has no report.json\n`);
  expect(planned.stderr).toContain(
    `run ${disagreeing.slice(0, 7)} is ignored, because its report does not match its commit message\n`,
  );
  expect(await site.apply()).toMatchObject({ code: 0 });
  const listed = await runCli(["runs", "list"], { cwd: site.root });
  expect(listed).toMatchObject({ code: 0, stderr: warning });
  expect(await runCli(["runs", "show", run], { cwd: site.root })).toMatchObject({ code: 0 });
  expect(await runCli(["runs", "show", disagreeing], { cwd: site.root })).toMatchObject({ code: 3 });
});

import { expect, test } from "vitest";
import { pushRuns } from "../../src/git/push-runs.ts";
import { keptRuns, maxReport, reportsOf } from "../../src/git/read-runs.ts";
import { keepRun } from "../../src/git/runs.ts";
import { temporaryDirectory } from "../support/catalog.ts";
import { gitIn, type TestRepository, testRepository } from "../support/git-repository.ts";

/** A bare repository, and clones of it. */
function remoteWith(clones: number): { readonly remote: string; readonly clones: readonly TestRepository[] } {
  const remote = temporaryDirectory();
  gitIn(remote, "init", "--quiet", "--bare");
  return { remote, clones: Array.from({ length: clones }, () => testRepository()) };
}

/** Keeps a run that is told by its number, which is also its second. */
async function keep({ root }: TestRepository, number: number, most = 500): Promise<string> {
  const at = new Date(number * 1000).toISOString();
  const counts = { applied: number, failed: 0, skipped: 0, stale: 0 };
  const facts = { at, exitCode: 0, ...counts, commit: null, server: "http://localhost:8080" };
  return await keepRun(root, { report: () => ["run ", `${number}\n`], facts, keep: most });
}

/** The same in a bare repository. */
async function numbersAt(remote: string): Promise<readonly number[]> {
  const { root, git } = testRepository();
  git("fetch", "--quiet", remote, "refs/datahub-gitops/*:refs/datahub-gitops/*");
  return await numbersIn(root);
}

async function numbersIn(root: string): Promise<readonly number[]> {
  return (await keptRuns(root, 500)).runs.map(({ applied }) => applied);
}

test("a run has the report and the facts that it was kept with", async () => {
  const repository = testRepository();

  const id = await keep(repository, 3);

  const { runs } = await keptRuns(repository.root, 500);
  const [run] = runs;
  expect(run).toMatchObject({ id, at: "1970-01-01T00:00:03.000Z", applied: 3, commit: null });
  for await (const read of reportsOf(repository.root, runs)) expect(read).toEqual({ run, text: "run 3\n" });
});

test("neither the work tree nor the index nor HEAD change", async () => {
  const repository = testRepository();
  repository.commit({ "a.yaml": "a" });
  const before = repository.git("rev-parse", "HEAD");

  await keep(repository, 1);

  expect(repository.git("rev-parse", "HEAD")).toBe(before);
  expect(repository.git("status", "--porcelain")).toBe("");
});

test("of many runs the newest stay, at least as many as are to be kept, and each keeps its name", async () => {
  const repository = testRepository();
  const names = [];
  for (let number = 1; number <= 8; number += 1) names.push(await keep(repository, number, 3));

  const { runs } = await keptRuns(repository.root, 3);

  expect(runs.map(({ applied }) => applied)).toEqual([8, 7, 6, 5, 4]);
  expect(runs.map(({ id }) => id)).toEqual(names.toReversed().slice(0, 5));
});

test("runs that are kept at the same moment are all there", async () => {
  const repository = testRepository();

  await Promise.all([1, 2, 3, 4].map((number) => keep(repository, number)));

  expect(new Set(await numbersIn(repository.root))).toEqual(new Set([1, 2, 3, 4]));
});

test("what else is at the ref of runs is named and skipped, and neither keeps runs from being read nor new ones from being kept", async () => {
  const repository = testRepository();
  const { root, git } = repository;
  await keep(repository, 1);
  const [empty, ref] = [git("hash-object", "-t", "tree", "-w", "/dev/null"), "refs/datahub-gitops/runs"];
  const foreign = git("commit-tree", empty, "-p", ref, "-m", "hello");
  // More than git may print at once.
  repository.write({ long: "a".repeat(9_000_000) });
  const long = git("commit-tree", empty, "-p", foreign, "-F", "long");
  git("update-ref", ref, long);

  await keep(repository, 2);

  const { runs, others } = await keptRuns(root, 500);
  expect(runs.map(({ applied }) => applied)).toEqual([2, 1]);
  expect(new Set(others)).toEqual(new Set([foreign, long].map((commit) => commit.slice(0, 7))));
});

test("a ref of runs that names no commit has none, and the next run replaces it", async () => {
  const repository = testRepository();
  const blob = repository.git("hash-object", "-w", "/etc/hostname");
  repository.git("update-ref", "refs/datahub-gitops/runs", blob);
  expect(await keptRuns(repository.root, 500)).toEqual({ runs: [], others: [] });

  await keep(repository, 1);

  expect(await numbersIn(repository.root)).toEqual([1]);
});

test("no more commits are read than are kept", async () => {
  const repository = testRepository();
  for (let number = 1; number <= 3; number += 1) await keep(repository, number);

  expect((await keptRuns(repository.root, 2)).runs.map(({ applied }) => applied)).toEqual([3, 2]);
});

test("a report that is too large or not there is not read, and says so", async () => {
  const repository = testRepository();
  const { root, git, write } = repository;
  await keep(repository, 1);
  const ref = "refs/datahub-gitops/runs";
  const message = git("show", "--no-patch", "--format=%B", ref);
  write({ "large.json": Buffer.alloc(maxReport + 1) });
  const blob = git("hash-object", "-w", "large.json");
  git("update-index", "--add", "--cacheinfo", `100644,${blob},report.json`);
  const large = git("commit-tree", git("write-tree"), "-m", message);
  const empty = git("commit-tree", git("hash-object", "-t", "tree", "-w", "/dev/null"), "-m", message);

  const runs = [large, empty].map((object) => ({ id: object.slice(0, 7), object }));
  const faults = [];
  for await (const read of reportsOf(root, runs)) faults.push("fault" in read ? read.fault : read.text);

  expect(faults).toEqual(["has a report that is larger than 64 MiB", "has no report.json"]);
});

test("runs are pushed, also where they went to the second ref since", async () => {
  const { remote, clones } = remoteWith(1);
  const [clone = testRepository()] = clones;
  await keep(clone, 1, 2);
  expect(await pushRuns(clone.root, remote, 2)).toBe(true);
  await keep(clone, 2, 2);
  await keep(clone, 3, 2);

  expect(await pushRuns(clone.root, remote, 2)).toBe(true);
  expect(await pushRuns(clone.root, remote, 2)).toBe(false);

  expect(await numbersAt(remote)).toEqual([3, 2, 1]);
});

test("runs of two clones are both on the remote, whoever pushes first", async () => {
  const { remote, clones } = remoteWith(2);
  const [one = testRepository(), other = testRepository()] = clones;
  await keep(one, 1);
  await pushRuns(one.root, remote, 500);
  other.git("fetch", "--quiet", remote, "refs/datahub-gitops/*:refs/datahub-gitops/*");
  await keep(one, 2);
  await keep(other, 3);
  await keep(other, 4);

  await pushRuns(one.root, remote, 500);
  await pushRuns(other.root, remote, 500);

  expect(await numbersAt(remote)).toEqual([4, 3, 2, 1]);
  expect(await numbersIn(other.root)).toEqual([4, 3, 2, 1]);
  expect(await pushRuns(one.root, remote, 500)).toBe(false);
});

test("two clones that have never met, or push at the same moment, lose no run", async () => {
  const { remote, clones } = remoteWith(3);
  await Promise.all(clones.map((clone, index) => keep(clone, index + 1)));

  await Promise.all(clones.map((clone) => pushRuns(clone.root, remote, 500)));

  expect(new Set(await numbersAt(remote))).toEqual(new Set([1, 2, 3]));
});

test("without runs nothing is pushed, and a remote that is not there is an error in git's words", async () => {
  const { remote, clones } = remoteWith(1);
  const [clone = testRepository()] = clones;
  expect(await pushRuns(clone.root, remote, 500)).toBe(false);
  await keep(clone, 1);

  await expect(pushRuns(clone.root, "nowhere", 500)).rejects.toMatchObject({
    fault: { fault: "unreadable" },
  });
});

test("a clone that fetches the refs of runs by its configuration pushes its own after those of others", async () => {
  const { remote, clones } = remoteWith(2);
  const [here, there] = clones as readonly [TestRepository, TestRepository];
  for (const { git } of clones) {
    git("remote", "add", "origin", remote);
    git("config", "--add", "remote.origin.fetch", "+refs/datahub-gitops/*:refs/datahub-gitops/*");
  }
  await keep(there, 1);
  await pushRuns(there.root, "origin", 500);
  await keep(here, 2);

  await pushRuns(here.root, "origin", 500);

  expect(await numbersIn(here.root)).toEqual([2, 1]);
  expect(await numbersAt(remote)).toEqual([2, 1]);
});

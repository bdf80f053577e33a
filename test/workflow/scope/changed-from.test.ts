import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { forkOf } from "../../../src/git/commit.ts";
import { type ChangedFiles, changedFrom } from "../../../src/workflow/scope/changed-from.ts";
import { changesProblem, faultOf } from "../../../src/workflow/scope/fault.ts";
import type { Problem } from "../../../src/model/problem.ts";
import { temporaryDirectory } from "../../support/catalog.ts";
import { gitIn, testRepository } from "../../support/git-repository.ts";
import { reasonIn, tag } from "../../support/history.ts";

/** What differs from the merge base of HEAD and a ref, or why that is not known. */
async function changedSince(
  dir: string,
  ref: string,
  { cwd }: { readonly cwd: string },
): Promise<ChangedFiles | { readonly reason: Problem }> {
  const found = await forkOf(resolve(cwd, dir), ref)
    .then((start) => changedFrom(dir, start, { cwd }))
    .catch(faultOf);
  return "fault" in found ? { reason: changesProblem(ref, found) } : found;
}

/** The names of what has changed in `catalog`, sorted; or the code of why that is not known. */
async function changed(cwd: string, ref = "main", dir = "catalog"): Promise<readonly string[]> {
  const found = await changedSince(dir, ref, { cwd });
  if ("reason" in found) return [found.reason.code];
  return [...found.files].map((file) => relative(cwd, file)).toSorted();
}

/** A repository with two tags on `main`, and a branch from it. */
function onBranch() {
  const repository = testRepository();
  const first = repository.commit({ "catalog/a.yaml": tag("a", "old"), "catalog/b.yaml": tag("b") });
  repository.git("switch", "--quiet", "--create", "topic");
  return { ...repository, cwd: repository.root, first };
}

test("what is committed, staged, unstaged, untracked or deleted has changed, and nothing else", async () => {
  const { cwd, git, write, commit } = onBranch();
  commit({ "catalog/committed.yaml": tag("c"), "catalog/x/kept.yaml": tag("k") });
  write({ "catalog/staged.yaml": tag("s"), "catalog/b.yaml": undefined, "other/o.yaml": tag("o") });
  git("add", "--all");
  write({ "catalog/a.yaml": tag("a", "new"), "catalog/x/untracked.yaml": tag("u") });
  write({ ".gitignore": "ignored.yaml\n", "catalog/ignored.yaml": tag("i"), "catalog/README.md": "x" });

  expect(await changed(cwd)).toEqual([
    "catalog/a.yaml",
    "catalog/b.yaml",
    "catalog/committed.yaml",
    "catalog/staged.yaml",
    "catalog/x/kept.yaml",
    "catalog/x/untracked.yaml",
  ]);
  expect(await changed(cwd, "HEAD")).not.toContain("catalog/committed.yaml");
});

test("what has changed on the other side since has not changed here", async () => {
  const { cwd, git, commit } = onBranch();
  commit({ "catalog/mine.yaml": tag("m") });
  git("switch", "--quiet", "main");
  commit({ "catalog/theirs.yaml": tag("t"), "catalog/a.yaml": tag("a", "theirs") });
  git("switch", "--quiet", "topic");

  expect(await changed(cwd)).toEqual(["catalog/mine.yaml"]);
});

test("a renamed file has changed under both names", async () => {
  const { cwd, move, commit } = onBranch();
  move("catalog/a.yaml", "catalog/z/a.yaml");
  commit();

  expect(await changed(cwd)).toEqual(["catalog/a.yaml", "catalog/z/a.yaml"]);
});

test("a file that was changed and put back has not changed", async () => {
  const { cwd, commit, write } = onBranch();
  commit({ "catalog/a.yaml": tag("a", "new") });
  write({ "catalog/a.yaml": tag("a", "old") });

  expect(await changed(cwd)).toEqual([]);
});

test("a file that was added and deleted again has not changed", async () => {
  const { cwd, write, git } = onBranch();
  write({ "catalog/c.yaml": tag("c") });
  git("add", "--all");
  write({ "catalog/c.yaml": undefined });

  expect(await changed(cwd)).toEqual([]);
});

test("line ends that git converts are no change", async () => {
  const { cwd, write, commit } = onBranch();
  commit({ ".gitattributes": "*.yaml text eol=crlf\n" });
  write({ "catalog/a.yaml": tag("a", "old").replaceAll("\n", "\r\n") });

  expect(await changed(cwd)).toEqual([]);
});

test("a change of which git was told to take no notice is a change", async () => {
  const { cwd, write, git } = onBranch();
  git("update-index", "--assume-unchanged", "catalog/a.yaml");
  write({ "catalog/a.yaml": tag("a", "new") });

  expect(await changed(cwd)).toEqual(["catalog/a.yaml"]);
});

test("what a sparse work tree leaves out has not changed", async () => {
  const { cwd, git, commit, write } = onBranch();
  commit({ "catalog/one/c.yaml": tag("c"), "catalog/two/d.yaml": tag("d") });
  git("sparse-checkout", "set", "catalog/one");
  write({ "catalog/one/c.yaml": tag("c", "new") });

  expect(await changed(cwd, "HEAD")).toEqual(["catalog/one/c.yaml"]);
});

test("names with spaces, quotes, line breaks and other letters are taken as they are", async () => {
  const { cwd, write } = onBranch();
  const names = [" .yaml", `"q'.yaml`, "größe/ü.yaml", "two\nlines.yml", "🦆.yaml"];
  write(Object.fromEntries(names.map((name) => [`catalog/${name}`, tag("x")])));

  expect(await changed(cwd)).toEqual(names.map((name) => `catalog/${name}`).toSorted());
});

test("settings that have changed are told, hidden files are not", async () => {
  const { cwd, write } = onBranch();
  write({ "catalog/datahub-gitops.yaml": "version: 1\n", "catalog/.x.yaml": "", "catalog/.y/z.yaml": "" });

  expect(await changed(cwd)).toEqual(["catalog/datahub-gitops.yaml"]);
});

test("what stands behind a link or in a repository inside counts as changed", async () => {
  const { cwd, commit, root, git } = onBranch();
  const inner = onBranch();
  symlinkSync("../shared", join(root, "catalog/shared"));
  symlinkSync("a.yaml", join(root, "catalog/alias.yaml"));
  git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "catalog/module");
  commit({ "shared/x.yaml": tag("x") });
  symlinkSync("../shared", join(root, "catalog/untracked"));
  gitIn(join(root, "catalog"), "clone", "--quiet", inner.root, "clone");
  const behind = (folder: string) => ["a", "b"].map((name) => `catalog/${folder}/catalog/${name}.yaml`);

  expect(await changed(cwd, "HEAD")).toEqual([
    "catalog/alias.yaml",
    ...behind("clone"),
    ...behind("module"),
    "catalog/shared/x.yaml",
  ]);
});

test("the catalog directory may be the root, and the working directory another one", async () => {
  const { root, write } = onBranch();
  write({ "catalog/c.yaml": tag("c"), "work/x": "" });

  expect(await changed(root, "main", ".")).toEqual(["catalog/c.yaml"]);
  expect(await changed(join(root, "work"), "main", "../catalog")).toEqual(["../catalog/c.yaml"]);
  expect(await changed(join(root, "catalog"), "main", ".")).toEqual(["c.yaml"]);
});

test.each(["gone", "", "--all", "-h", "HEAD:catalog", "main..topic"])(
  "%j names no commit, which is an error",
  async (ref) => {
    const { cwd } = onBranch();

    expect(await changedSince("catalog", ref, { cwd })).toMatchObject({
      reason: { code: "changed-since-missing", severity: "error", args: { ref } },
    });
  },
);

test("histories that have nothing in common are an error", async () => {
  const { cwd, git, commit } = onBranch();
  git("switch", "--quiet", "--orphan", "other");
  commit({ "catalog/a.yaml": tag("a") });

  const found = await changedSince("catalog", "main", { cwd });

  expect(found).toMatchObject({ reason: { code: "changed-since-no-merge-base" } });
  expect(reasonIn(found)).toContain("their histories are unrelated");
});

test("a shallow clone that lacks the merge base says how to deepen it", async () => {
  const { root, git, commit } = onBranch();
  commit({ "catalog/mine.yaml": tag("m") });
  git("switch", "--quiet", "main");
  commit({ "catalog/theirs.yaml": tag("t") });
  const clone = join(temporaryDirectory(), "clone");
  gitIn(root, "clone", "--quiet", "--depth", "1", "--no-single-branch", `file://${root}`, clone);

  const found = await changedSince("catalog", "origin/topic", { cwd: clone });

  expect(found).toMatchObject({ reason: { code: "changed-since-no-merge-base" } });
  expect(reasonIn(found)).toContain("`git fetch --unshallow` (in CI: `fetch-depth: 0`)");
});

test("without a repository, a commit or git nobody knows what has changed", async () => {
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, "catalog"));
  const empty = testRepository();
  empty.write({ "catalog/a.yaml": tag("a") });

  expect(await changed(cwd)).toEqual(["changed-since-no-repository"]);
  expect(await changed(empty.root)).toEqual(["changed-since-no-commits"]);
  vi.stubEnv("PATH", cwd);
  expect(await changed(empty.root)).toEqual(["changed-since-no-git"]);
  vi.unstubAllEnvs();
});

test("a catalog directory that is a link of the repository is an error that names it", async () => {
  const { cwd } = onBranch();
  symlinkSync("catalog", join(cwd, "current"));

  expect(await changedSince("current", "main", { cwd })).toMatchObject({
    reason: { code: "changed-since-link", args: { file: "current" } },
  });
});

test("the index is left as it is", async () => {
  const { cwd, write } = onBranch();
  write({ "catalog/a.yaml": tag("a", "old"), "catalog/c.yaml": tag("c") });
  const index = readFileSync(join(cwd, ".git/index"));

  expect(await changed(cwd)).toEqual(["catalog/c.yaml"]);
  expect(readFileSync(join(cwd, ".git/index"))).toEqual(index);
});

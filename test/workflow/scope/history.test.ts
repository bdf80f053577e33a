import { mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test, vi } from "vitest";
import { readDesired } from "../../../src/manifests/documents/desired-state.ts";
import { gitStateOf } from "../../../src/git/state.ts";
import { declaredAt, readBase } from "../../../src/workflow/scope/history.ts";
import type { Problem } from "../../../src/model/problem.ts";
import { baseProblems } from "../../../src/model/problems/history.ts";
import { messageOf } from "../../../src/report/document/problems.ts";
import { temporaryDirectory } from "../../support/catalog.ts";
import { gitIn, testRepository } from "../../support/git-repository.ts";
import { baseAt, briefBase, reasonIn, tag } from "../../support/history.ts";

/** A repository with two tags in two files, and its commit. */
function twoTags() {
  const repository = testRepository();
  const commit = repository.commit({ "catalog/a.yaml": tag("a", "old"), "catalog/b.yaml": tag("b") });
  return { ...repository, cwd: repository.root, first: commit };
}

const both = ["a old catalog/a.yaml:1", "b catalog/b.yaml:1"];

test("unchanged manifests are what base declares, without being read again", async () => {
  const { cwd, first } = twoTags();

  const base = await baseAt("HEAD", { cwd });

  expect(briefBase(base)).toEqual(both);
  expect(base).toMatchObject({ commit: first, declared: { files: 0, documents: 0 } });
});

test("of a changed file base declares what it held, at the place where it stood", async () => {
  const { cwd, first, commit } = twoTags();
  commit({ "catalog/a.yaml": `# a comment\n---\n${tag("a", "new")}` });

  expect(briefBase(await baseAt(first, { cwd }))).toEqual(both);
  expect(briefBase(await baseAt("HEAD", { cwd }))[0]).toBe("a new catalog/a.yaml:3");
});

test.each<[string, (repository: ReturnType<typeof twoTags>) => unknown]>([
  ["changed and not staged", ({ write }) => write({ "catalog/a.yaml": tag("a", "new") })],
  [
    "changed and staged",
    ({ write, git }) => (write({ "catalog/a.yaml": tag("a", "new") }), git("add", "-A")),
  ],
  ["deleted and not staged", ({ write }) => write({ "catalog/a.yaml": undefined })],
  ["deleted and committed", ({ commit }) => commit({ "catalog/a.yaml": undefined })],
  ["renamed", ({ move }) => move("catalog/a.yaml", "catalog/z.yaml")],
  ["renamed and committed", ({ move, commit }) => (move("catalog/a.yaml", "catalog/z.yaml"), commit())],
  ["moved to a folder", ({ move }) => move("catalog/a.yaml", "catalog/a.yaml.d/a.yaml")],
  ["removed from the index alone", ({ git }) => git("rm", "--quiet", "--cached", "catalog/a.yaml")],
  [
    "changed behind the back of git",
    ({ git, write }) => {
      git("update-index", "--assume-unchanged", "catalog/a.yaml");
      write({ "catalog/a.yaml": tag("a", "new") });
    },
  ],
  [
    "changed, while skip-worktree is set",
    ({ git, write }) => {
      git("update-index", "--skip-worktree", "catalog/a.yaml");
      write({ "catalog/a.yaml": tag("a", "new") });
    },
  ],
  [
    "ignored by git although it is tracked",
    ({ write }) => write({ ".gitignore": "*.yaml\n", "catalog/a.yaml": tag("a", "new") }),
  ],
  ["added beside others", ({ commit }) => commit({ "catalog/c.yaml": tag("c") })],
  ["untracked beside others", ({ write }) => write({ "catalog/c.yaml": tag("c") })],
  ["ignored beside others", ({ write }) => write({ ".gitignore": "c.yaml\n", "catalog/c.yaml": tag("c") })],
])("base is what it was when a file is %s", async (_, change) => {
  const repository = twoTags();
  change(repository);

  expect(briefBase(await baseAt(repository.first, repository))).toEqual(both);
});

test("a commit declares what it held of a file that is there and skipped by git, also next to a deleted file", async () => {
  const { cwd, first, git, write } = twoTags();
  git("update-index", "--skip-worktree", "catalog/a.yaml");
  write({ "catalog/a.yaml": tag("a", "new"), "catalog/b.yaml": undefined });
  const declared = await readDesired("catalog", { cwd });

  const { state } = await declaredAt(first, { root: join(cwd, "catalog"), cwd, declared });

  expect([...state.keys()]).toEqual(["urn:li:tag:a", "urn:li:tag:b"]);
});

test("a file that git ignores now and that base held is still in base", async () => {
  const { cwd, first, git, write } = twoTags();
  git("rm", "--quiet", "--cached", "catalog/a.yaml");
  write({ ".gitignore": "a.yaml\n" });

  expect(briefBase(await baseAt(first, { cwd }))).toEqual(both);
});

test("of three hundred files only the changed one is read of the commit", async () => {
  const { root, commit, write } = testRepository();
  const files = Array.from({ length: 300 }, (_, index) => [
    `catalog/${index}.yaml`,
    `${tag(`one-${index}`)}---\n${tag(`two-${index}`)}`,
  ]);
  commit(Object.fromEntries(files));
  write({ "catalog/7.yaml": tag("seven") });

  const base = await baseAt("HEAD", { cwd: root });

  expect(base).toMatchObject({ declared: { files: 1, documents: 2 } });
  expect(briefBase(base)).toHaveLength(600);
});

test("moving the manifest of a group does not change what base declares of it and its users", async () => {
  const { root, commit, move } = testRepository();
  commit({
    "catalog/g.yaml": "kind: Group\nid: g\nmembers: [{ id: u, display_name: U }]\n",
    "catalog/u.yaml": "kind: User\nid: u\ngroups: [g]\n",
  });
  const before = await baseAt("HEAD", { cwd: root });
  move("catalog/g.yaml", "catalog/groups/g.yaml");

  const after = await baseAt("HEAD", { cwd: root });

  expect(after).toMatchObject({ declared: { files: 1 } });
  expect(declaredIn(after)).toEqual(declaredIn(before));
});

test("line ends that git converts make no file a changed one", async () => {
  const { root, commit, write } = testRepository();
  commit({ "catalog/a.yaml": tag("a", "old"), ".gitattributes": "*.yaml text eol=crlf\n" });
  write({ "catalog/a.yaml": tag("a", "old").replaceAll("\n", "\r\n") });

  const base = await baseAt("HEAD", { cwd: root });

  expect(briefBase(base)).toEqual(["a old catalog/a.yaml:1"]);
  expect(base).toMatchObject({ declared: { files: 0 } });
});

test("a base with line ends of Windows is read", async () => {
  const { root, commit, write } = testRepository();
  commit({ "catalog/a.yaml": tag("a", "old").replaceAll("\n", "\r\n") });
  write({ "catalog/a.yaml": tag("a", "new") });

  expect(briefBase(await baseAt("HEAD", { cwd: root }))).toEqual(["a old catalog/a.yaml:1"]);
});

test("a file that a filter of git rewrites declares what was committed", async () => {
  const { root, commit, git, write } = testRepository();
  git("config", "filter.upper.clean", "sed s/old/OLD/");
  write({ ".gitattributes": "*.yaml filter=upper\n" });
  commit({ "catalog/a.yaml": tag("a", "old") });

  expect(briefBase(await baseAt("HEAD", { cwd: root }))).toEqual(["a OLD catalog/a.yaml:1"]);
});

test.each([
  "with spaces.yaml",
  "größe/naïve.yml",
  `quotes ' and ".yaml`,
  "back\\slash.yaml",
  "two\nlines.yaml",
  "tab\there.yaml",
  "-n.yaml",
  "[a-z]*?.yaml",
  "DIR.YAML/UPPER.YAML",
  "🦆.yaml",
])("a file may be called %j", async (name) => {
  const { root, commit, write } = testRepository();
  commit({ [`catalog/${name}`]: tag("a", "old"), "catalog/b.yaml": tag("b") });
  const unchanged = await baseAt("HEAD", { cwd: root });
  write({ [`catalog/${name}`]: tag("a", "new") });
  const changed = await baseAt("HEAD", { cwd: root });

  expect(unchanged).toMatchObject({ declared: { files: 0 } });
  expect(changed).toMatchObject({ declared: { files: 1 } });
  expect(briefBase(changed)).toContain(`a old catalog/${name}:1`);
  expect(briefBase(changed)).toEqual(briefBase(unchanged));
});

test("hidden files, settings and what is no YAML are not in base", async () => {
  const { root, commit } = testRepository();
  commit({
    "catalog/a.yaml": tag("a"),
    "catalog/.hidden.yaml": "]",
    "catalog/.github/x.yaml": "]",
    "catalog/README.md": "]",
    "catalog/datahub-gitops.yaml": "]",
    "catalog/prod.yaml": "]",
    "other/x.yaml": "]",
  });

  const base = await baseAt("HEAD", { cwd: root, settings: "catalog/prod.yaml" });

  expect(briefBase(base)).toEqual(["a catalog/a.yaml:1"]);
});

test("a commit with a catalog directory and no manifest declares nothing", async () => {
  const { root, commit, write } = testRepository();
  commit({ "catalog/datahub-gitops.yaml": "version: 1\n" });
  write({ "catalog/a.yaml": tag("a") });

  const base = await baseAt("HEAD", { cwd: root });

  expect(base).toHaveProperty("declared");
  expect(briefBase(base)).toEqual([]);
});

const refs: readonly (readonly [string, (first: string) => string])[] = [
  ["a commit", (first) => first],
  ["a short commit", (first) => first.slice(0, 8)],
  ["a branch", () => "applied"],
  ["a tag object", () => "v1"],
  ["a ref of our own", () => "refs/datahub-gitops/applied"],
  ["a relative name", () => "HEAD~1"],
  ["what a branch was before", () => "main@{1}"],
];

test.each(refs)("the base may be named by %s", async (_, refOf) => {
  const { cwd, first, git, commit } = twoTags();
  git("branch", "applied");
  git("tag", "--annotate", "--message", "one", "v1");
  git("update-ref", "refs/datahub-gitops/applied", "HEAD");
  commit({ "catalog/a.yaml": tag("a", "new") });

  const base = await baseAt(refOf(first), { cwd });

  expect(base).toMatchObject({ commit: first });
  expect(briefBase(base)).toEqual(both);
});

test.each([
  "gone",
  "",
  "-h",
  "--all",
  "--output=x",
  "HEAD..main",
  "^HEAD",
  "HEAD:catalog",
  "HEAD:catalog/a.yaml",
  "0".repeat(40),
])("%j names no base, and the text says what follows", async (ref) => {
  const { cwd } = twoTags();

  const base = await baseAt(ref, { cwd });

  expect(base).toMatchObject({ commit: null, reason: { code: "base-missing", severity: "warning" } });
  expect(reasonIn(base)).toContain("without a base, `merge` and `--prune` remove nothing");
});

test("every text about a base that is not known says what follows", () => {
  const codes = Object.keys(baseProblems);
  const args = {
    ref: "v1",
    file: "a.yaml",
    line: 1,
    column: 1,
    what: "link",
    dir: "catalog",
    count: 1,
    commit: "abc",
    first: "yaml-syntax",
    words: "bad object",
    names: ["refs/heads/v1", "refs/tags/v1"],
    environment: "prod",
  };

  expect(codes).toHaveLength(12);
  for (const code of codes) {
    const problem = { code, severity: "warning", args } as Problem;
    expect(messageOf(problem)).toMatch(/`v1`.*; without a base, `merge` and `--prune` remove nothing$/);
  }
});

test("a ref of our own that is missing may have to be fetched", async () => {
  const { cwd } = twoTags();

  const base = await baseAt("refs/datahub-gitops/applied", { cwd });

  expect(reasonIn(base)).toMatch(/git fetch origin '\+refs\/datahub-gitops\/\*:refs\/datahub-gitops\/\*'/);
  expect(reasonIn(base)).not.toContain("shallow");
});

test("a shallow clone says how to deepen it", async () => {
  const { root, first, commit } = twoTags();
  commit({ "catalog/a.yaml": tag("a", "new") });
  const clone = join(temporaryDirectory(), "clone");
  gitIn(root, "clone", "--quiet", "--depth", "1", `file://${root}`, clone);

  const base = await baseAt(first, { cwd: clone });

  expect(briefBase(base)).toEqual(["base-missing"]);
  expect(reasonIn(base)).toContain("`git fetch --unshallow`");
  expect(briefBase(await baseAt("HEAD", { cwd: clone }))[0]).toBe("a new catalog/a.yaml:1");
});

test("a repository that lacks an object of the base says so in the words of git", async () => {
  const { cwd, git, write } = twoTags();
  const blob = git("rev-parse", "HEAD:catalog/a.yaml");
  rmSync(join(cwd, ".git/objects", blob.slice(0, 2), blob.slice(2)));
  write({ "catalog/a.yaml": tag("a", "new") });

  const base = await baseAt("HEAD", { cwd });

  expect(briefBase(base)).toEqual(["base-unreadable"]);
  expect(reasonIn(base)).toContain(`${blob} of a.yaml is missing`);
});

test("a repository that lacks a folder of the base does not declare nothing", async () => {
  const { cwd, git, first } = twoTags();
  const tree = git("rev-parse", "HEAD:catalog");
  rmSync(join(cwd, ".git/objects", tree.slice(0, 2), tree.slice(2)));

  const base = await baseAt("HEAD", { cwd });

  expect(base).toMatchObject({ commit: first, reason: { code: "base-unreadable" } });
});

test("without a repository nobody knows the base", async () => {
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, "catalog"));

  expect(briefBase(await baseAt("HEAD", { cwd }))).toEqual(["base-no-repository"]);
});

test("without a commit nobody knows the base", async () => {
  const { root, write } = testRepository();
  write({ "catalog/a.yaml": tag("a") });

  expect(briefBase(await baseAt("HEAD", { cwd: root }))).toEqual(["base-no-commits"]);
});

test("without git nobody knows the base", async () => {
  const { cwd } = twoTags();
  vi.stubEnv("PATH", temporaryDirectory());
  const base = await baseAt("HEAD", { cwd });
  vi.unstubAllEnvs();

  expect(briefBase(base)).toEqual(["base-no-git"]);
});

test("a commit without the catalog directory is no base", async () => {
  const { cwd, first, move, commit } = twoTags();
  move("catalog", "metadata/catalog");
  commit();

  const base = await baseAt(first, { cwd, dir: "metadata/catalog" });

  expect(base).toMatchObject({ commit: first, reason: { args: { dir: "metadata/catalog" } } });
  expect(briefBase(base)).toEqual(["base-without-catalog"]);
});

test("a commit in which the catalog directory was a file is no base", async () => {
  const { root, commit, write } = testRepository();
  const first = commit({ catalog: "x" });
  write({ catalog: undefined });
  commit({ "catalog/a.yaml": tag("a") });

  expect(briefBase(await baseAt(first, { cwd: root }))).toEqual(["base-without-catalog"]);
});

test.each([
  ["YAML that is not well formed", "kind: [\n", "yaml-syntax"],
  ["an unknown field", "kind: Tag\nid: x\ncolour: red\n", "unknown-field"],
  ["a file that is no text", Buffer.from([0, 1]), "binary-file"],
  ["a facet that is declared twice", tag("b", "twice"), "duplicate-facet"],
])("a commit with %s is no base, and its first problem is named", async (_, content, code) => {
  const { root, commit } = testRepository();
  const first = commit({ "catalog/b.yaml": tag("b", "once"), "catalog/c.yaml": content });
  commit({ "catalog/c.yaml": tag("c") });

  const base = await baseAt(first, { cwd: root });

  expect(base).toMatchObject({
    commit: first,
    reason: {
      code: "base-invalid",
      args: { ref: first, commit: first.slice(0, 12), count: 1, first: code, file: "catalog/c.yaml" },
    },
  });
  expect(reasonIn(base)).toMatch(new RegExp(`have 1 error \\(\`${code}\` at catalog/c\\.yaml:\\d+:\\d+\\)`));
});

test("a file that is broken now and was so in base is not taken for one that declares nothing", async () => {
  const { root, commit } = testRepository();
  commit({ "catalog/a.yaml": tag("a"), "catalog/b.yaml": "kind: [\n" });

  expect(briefBase(await baseAt("HEAD", { cwd: root }))).toEqual(["base-invalid"]);
});

test("what base refers to and does not declare is nothing to warn of", async () => {
  const { root, commit } = testRepository();
  const container = "kind: Container\nurn: urn:li:container:c\ntags: [elsewhere]\n";
  commit({ "catalog/a.yaml": `${tag("a")}---\n${container}` });

  expect(await baseAt("HEAD", { cwd: root })).toMatchObject({ declared: { problems: [] } });
});

test.each([
  ["a link to a manifest", "shared.yaml", "catalog/shared.yaml"],
  ["a link to a folder", "shared", "catalog/shared"],
])("%s in base makes it unknown", async (_, name, file) => {
  const { root, commit } = testRepository();
  mkdirSync(join(root, "catalog"));
  symlinkSync(name.endsWith("yaml") ? "../shared/x.yaml" : "../shared", join(root, "catalog", name));
  commit({ "catalog/a.yaml": tag("a"), "shared/x.yaml": tag("x") });

  const base = await baseAt("HEAD", { cwd: root });

  expect(base).toMatchObject({ reason: { code: "base-link", args: { file, what: "link" } } });
});

test("a link to what is no manifest does no harm, nor does one that base does not have", async () => {
  const { root, commit } = testRepository();
  mkdirSync(join(root, "catalog"));
  symlinkSync("../x.md", join(root, "catalog/x.md"));
  commit({ "catalog/a.yaml": tag("a"), "x.md": "", "shared/x.yaml": tag("x") });
  symlinkSync("../shared", join(root, "catalog/shared"));

  expect(briefBase(await baseAt("HEAD", { cwd: root }))).toEqual(["a catalog/a.yaml:1"]);
});

test("a submodule in base makes it unknown", async () => {
  const inner = twoTags();
  const { root, git, commit } = testRepository();
  git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "catalog/inner");
  commit({ "catalog/c.yaml": tag("c") });

  const base = await baseAt("HEAD", { cwd: root });

  expect(base).toMatchObject({
    reason: { code: "base-link", args: { file: "catalog/inner", what: "submodule" } },
  });
});

test("a catalog directory that is a link of the repository makes base unknown, a link from outside does not", async () => {
  const { cwd } = twoTags();
  const outside = temporaryDirectory();
  symlinkSync("catalog", join(cwd, "current"));
  symlinkSync(join(cwd, "catalog"), join(outside, "catalog"));

  expect(briefBase(await baseAt("HEAD", { cwd, dir: "current" }))).toEqual(["base-link"]);
  expect(briefBase(await baseAt("HEAD", { cwd: outside }))).toEqual(both);
});

test("manifests that a sparse work tree leaves out make base unknown", async () => {
  const { root, commit, git } = testRepository();
  commit({ "catalog/one/a.yaml": tag("a"), "catalog/two/b.yaml": tag("b"), "catalog/two/c.yaml": tag("c") });
  git("sparse-checkout", "set", "catalog/one");

  const base = await baseAt("HEAD", { cwd: root });

  expect(base).toMatchObject({
    reason: { code: "base-sparse", args: { count: 2, file: "catalog/two/b.yaml" } },
  });
});

test("the catalog directory may be the root of the repository", async () => {
  const { root, commit, write } = testRepository();
  commit({ "a.yaml": tag("a", "old"), "b/b.yaml": tag("b"), ".github/x.yaml": "]" });
  write({ "a.yaml": tag("a", "new") });

  expect(briefBase(await baseAt("HEAD", { cwd: root, dir: "." }))).toEqual([
    "a old a.yaml:1",
    "b b/b.yaml:1",
  ]);
});

test("the working directory may lie above or below the root of the repository", async () => {
  const { root, write } = twoTags();
  write({ "catalog/a.yaml": tag("a", "new"), "work/x": "" });
  const above = await baseAt("HEAD", { cwd: join(root, ".."), dir: join(root, "catalog") });
  const below = await baseAt("HEAD", { cwd: join(root, "work"), dir: "../catalog" });
  const inside = await baseAt("HEAD", { cwd: join(root, "catalog"), dir: "." });

  const name = root.split("/").at(-1);
  expect(briefBase(above)).toEqual([`a old ${name}/catalog/a.yaml:1`, `b ${name}/catalog/b.yaml:1`]);
  expect(briefBase(below)).toEqual(["a old ../catalog/a.yaml:1", "b ../catalog/b.yaml:1"]);
  expect(briefBase(inside)).toEqual(["a old a.yaml:1", "b b.yaml:1"]);
});

test("a further work tree has a base of its own", async () => {
  const { git, first, commit } = twoTags();
  commit({ "catalog/a.yaml": tag("a", "new") });
  const cwd = join(temporaryDirectory(), "tree");
  git("worktree", "add", "--quiet", "--detach", cwd, first);

  expect(briefBase(await baseAt("HEAD", { cwd }))).toEqual(both);
  // It went apart from `main` where it stands itself.
  expect(await baseAt("main", { cwd })).toMatchObject({ commit: git("rev-parse", "main"), anchor: first });
});

test("a repository that counts in SHA-256 is read", async () => {
  const root = temporaryDirectory();
  gitIn(root, "init", "--quiet", "-b", "main", "--object-format=sha256");
  const { commit, write } = testRepository(root);
  commit({ "catalog/a.yaml": tag("a", "old"), "catalog/b.yaml": tag("b") });
  write({ "catalog/a.yaml": tag("a", "new") });

  const base = await baseAt("HEAD", { cwd: root });

  expect(base).toMatchObject({ declared: { files: 1 } });
  expect(briefBase(base)).toEqual(both);
});

test("no setting of a user changes what base is", async () => {
  const { cwd, git, write } = twoTags();
  for (const [name, value] of [
    ["diff.external", "false"],
    ["diff.noprefix", "true"],
    ["core.quotePath", "true"],
    ["core.fsmonitor", "false"],
    ["core.pager", "false"],
    ["color.ui", "always"],
    ["status.showUntrackedFiles", "no"],
  ] as const) {
    git("config", name, value);
  }
  write({ "catalog/a.yaml": tag("a", "new") });

  expect(briefBase(await baseAt("HEAD", { cwd }))).toEqual(both);
});

test("inside a hook of git the repository is the one that git names", async () => {
  const { cwd } = twoTags();
  vi.stubEnv("GIT_DIR", relative(process.cwd(), join(cwd, ".git")));
  vi.stubEnv("GIT_WORK_TREE", relative(process.cwd(), cwd));
  const base = await baseAt("HEAD", { cwd });
  vi.unstubAllEnvs();

  expect(briefBase(base)).toEqual(both);
});

test("the index is left as it is, even where git would refresh it", async () => {
  const { cwd, write } = twoTags();
  write({ "catalog/a.yaml": tag("a", "old"), "catalog/c.yaml": tag("c") });
  const index = readFileSync(join(cwd, ".git/index"));

  await baseAt("HEAD", { cwd });
  await gitStateOf(join(cwd, "catalog"));

  expect(readFileSync(join(cwd, ".git/index"))).toEqual(index);
});

test("a directory that is gone by now is no base", async () => {
  const { cwd } = twoTags();
  const declared = await readDesired("catalog", { cwd });
  rmSync(join(cwd, "catalog"), { recursive: true });

  expect(briefBase(await readBase("HEAD", { root: join(cwd, "catalog"), cwd, declared }))).toEqual([
    "base-unreadable",
  ]);
});

test("an interruption ends the reading of the history", async () => {
  const { cwd } = twoTags();
  const reason = new Error("interrupted");

  await expect(baseAt("HEAD", { cwd, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

function declaredIn(base: Awaited<ReturnType<typeof baseAt>>): readonly unknown[] {
  if (!("declared" in base)) throw new Error("there is no base");
  const { state, references, problems } = base.declared;
  return [[...state], [...references], problems];
}

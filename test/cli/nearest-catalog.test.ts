import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { testRepository } from "../support/git-repository.ts";
import { siteWith } from "../support/site.ts";

const tag = "kind: Tag\nid: pii\n";
const broken = "kind: Tag\nid: pii\nnmae: PII\n";

/** A repository with files and a folder `src/deep`, and commands in its folders. */
function repositoryOf(
  files: Readonly<Record<string, string>>,
): (folder: string, ...argv: string[]) => Promise<Ran> {
  const { root, write } = testRepository();
  write(files);
  mkdirSync(join(root, "src/deep"), { recursive: true });
  return async (folder, ...argv) => await runCli(argv, { cwd: join(root, folder) });
}

test.each([
  ["src/deep", "../../catalog"],
  ["catalog/tags", ".."],
  ["catalog", "."],
])("in %s the catalog directory is %s, and a line on stderr says so", async (folder, found) => {
  for (const settings of [{}, { "catalog/datahub-gitops.yaml": "version: 1\n" }]) {
    const run = repositoryOf({ "catalog/tags/pii.yaml": tag, ...settings });
    expect(await run(folder, "validate")).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Valid: 1 document in 1 file/) as string,
      stderr: `Using the catalog directory ${found}\n`,
    });
  }
});

test("the root of the repository says nothing, and --quiet nowhere", async () => {
  const run = repositoryOf({ "catalog/tags/pii.yaml": tag });
  expect(await run(".", "validate")).toMatchObject({ code: 0, stderr: "" });
  expect((await run("src", "drift", "--quiet", "--server", "http://127.0.0.1:9")).stderr).not.toContain(
    "Using",
  );
});

test("problems name files relative to the working directory", async () => {
  const run = repositoryOf({ "catalog/tags/pii.yaml": broken });
  expect((await run("src/deep", "validate")).stderr).toContain("../../catalog/tags/pii.yaml:3:1");
  expect((await run("catalog/tags", "validate")).stderr).toContain("pii.yaml:3:1");
  expect((await run("src", "fmt", "--check")).stderr).toBe("Using the catalog directory ../catalog\n");
});

test("a plan from below names files by their ways from there, and to apply it moves the base", async () => {
  const { root, run, at } = await siteWith({ "tags.yaml": tag });
  mkdirSync(join(root, "src"));
  const cwd = join(root, "src");
  const { stdout } = await run(["plan", "--format", "json"], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({
    scope: { directory: "../catalog" },
    changes: [{ urn: "urn:li:tag:pii", source: { file: "../catalog/tags.yaml" } }],
  });
  await run(["plan", "--out", "../../plan.json"], { cwd });
  expect(await run(["apply", "../../plan.json"], { cwd })).toMatchObject({ code: 0 });
  expect(at()).toBeDefined();
  expect((await run(["plan"], { cwd: join(root, "catalog") })).stdout).toContain("No changes.");
});

test("the nearest one counts, and a folder of that name without manifests does not", async () => {
  const run = repositoryOf({
    "catalog/pii.yaml": broken,
    "src/catalog/pii.yaml": tag,
    "src/deep/catalog/index.ts": "",
  });
  expect(await run("src/deep", "validate")).toMatchObject({
    code: 0,
    stderr: "Using the catalog directory ../catalog\n",
  });
});

test("a directory that is named is that one, and what is begun is begun here", async () => {
  const run = repositoryOf({ "catalog/pii.yaml": tag, "catalog/datahub-gitops.yaml": "version: 1\n" });
  expect((await run("src", "validate", "catalog")).code).toBe(3);
  expect((await run("catalog", "validate", "tags")).code).toBe(64);
  const says = "A catalog exists at ../catalog, but the manifests are written to catalog\n";
  for (const [directory, flags, isTold] of [
    ["src", [], true],
    ["src", ["--quiet"], false],
    ["src", ["tags"], false],
    [".", [], false],
  ] as const) {
    const { stderr } = await run(directory, "export", "--server", "http://127.0.0.1:9", ...flags);
    expect(stderr).not.toContain("Using");
    expect(stderr.includes(says), `${directory} ${flags.join(" ")}`).toBe(isTold);
  }
});

test("nothing above the repository is looked at, and nothing above the working directory where there is none", async () => {
  const outer = temporaryDirectory();
  const { write } = testRepository(outer);
  write({ "catalog/pii.yaml": tag });
  mkdirSync(join(outer, "inner/src"), { recursive: true });
  testRepository(join(outer, "inner")).write({ ".git/HEAD": "ref: refs/heads/main\n" });
  for (const folder of ["inner", "inner/src"]) {
    const { code, stderr } = await runCli(["validate"], { cwd: join(outer, folder) });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/^catalog: /) as string });
  }
  expect((await runCli(["validate"], { cwd: temporaryDirectory() })).code).toBe(3);
});

test("with --settings a settings file above makes no catalog of its directory", async () => {
  const run = repositoryOf({ "catalog/pii.yaml": tag, "datahub-gitops.yaml": "version: 1\n" });
  expect(await run("src", "validate", "--settings", "../datahub-gitops.yaml")).toMatchObject({
    stderr: "Using the catalog directory ../catalog\n",
  });
});

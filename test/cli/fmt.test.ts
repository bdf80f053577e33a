import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";

const untidy = 'id: "pii" # what others refer to\nkind: Tag\n';
const tidy = "kind: Tag\nid: pii # what others refer to\n";

/** A working directory that holds these files. */
function directory(files: Readonly<Record<string, string>>): string {
  const cwd = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  return cwd;
}

const textOf = (cwd: string, name: string) => readFileSync(join(cwd, name), "utf8");

test("fmt formats each manifest in place, names those that it changed, and leaves settings and others alone", async () => {
  const settings = "version:    1\n";
  const cwd = directory({
    "catalog/a.yaml": untidy,
    "catalog/team/b.yml": tidy.replace("pii", "gold"),
    "catalog/.hidden.yaml": untidy,
    "catalog/datahub-gitops.yaml": settings,
  });
  chmodSync(join(cwd, "catalog/a.yaml"), 0o640);
  const before = statSync(join(cwd, "catalog/team/b.yml")).ino;

  expect(await runCli(["fmt"], { cwd })).toEqual({ code: 0, stdout: "catalog/a.yaml\n", stderr: "" });

  expect(textOf(cwd, "catalog/a.yaml")).toBe(tidy);
  expect(statSync(join(cwd, "catalog/a.yaml")).mode & 0o777).toBe(0o640);
  // It was not written again.
  expect(statSync(join(cwd, "catalog/team/b.yml")).ino).toBe(before);
  expect(textOf(cwd, "catalog/.hidden.yaml")).toBe(untidy);
  expect(textOf(cwd, "catalog/datahub-gitops.yaml")).toBe(settings);
  expect(await runCli(["fmt"], { cwd })).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("fmt --check names the files that are not formatted, writes nothing and ends with 2", async () => {
  const cwd = directory({ "catalog/a.yaml": untidy, "catalog/b.yaml": "kind: Tag\nid: gold\n" });
  expect(await runCli(["fmt", "--check"], { cwd })).toEqual({
    code: 2,
    stdout: "catalog/a.yaml\n",
    stderr: "Not formatted: 1 of 2 files. Run datahub-gitops fmt to fix the formatting.\n",
  });
  expect(textOf(cwd, "catalog/a.yaml")).toBe(untidy);
});

test.each([
  [["--diff"], 0],
  [["--diff", "--check"], 2],
])("fmt %s prints what would change, writes nothing and ends with %d", async (flags, code) => {
  const cwd = directory({ "catalog/a.yaml": untidy });

  const ran = await runCli(["fmt", ...flags], { cwd });

  expect(ran.code).toBe(code);
  expect(ran.stdout).toBe(`--- a/catalog/a.yaml
+++ b/catalog/a.yaml
@@ -1,2 +1,2 @@
-id: "pii" # what others refer to
 kind: Tag
+id: pii # what others refer to
`);
  expect(textOf(cwd, "catalog/a.yaml")).toBe(untidy);
});

test("a file that is not valid YAML is named as by validate, and the others are formatted", async () => {
  const cwd = directory({ "catalog/a.yaml": untidy, "catalog/b.yaml": "kind: Tag\nid: [\n" });
  const validated = await runCli(["validate"], { cwd });
  const { code, stdout, stderr } = await runCli(["fmt"], { cwd });
  expect({ code, stdout }).toEqual({ code: 3, stdout: "catalog/a.yaml\n" });
  expect(stderr).toBe(validated.stderr);
  expect(textOf(cwd, "catalog/a.yaml")).toBe(tidy);
  expect((await runCli(["fmt", "--check"], { cwd })).code).toBe(3);
});

test("a manifest with a mistake in its fields is formatted as well", async () => {
  const cwd = directory({ "catalog/a.yaml": "oops:   1\nkind: Tag\n" });
  expect((await runCli(["fmt"], { cwd })).code).toBe(0);
  expect(textOf(cwd, "catalog/a.yaml")).toBe("kind: Tag\noops: 1\n");
});

test("what cannot be formatted without loss stays as it is, and is named", async () => {
  const text = "%YAML 1.2\n---\nid:   pii\nkind: Tag\n";
  const cwd = directory({ "catalog/a.yaml": text });
  const { code, stdout, stderr } = await runCli(["fmt", "--check"], { cwd });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toContain("catalog/a.yaml: left unchanged");
  expect((await runCli(["fmt"], { cwd })).code).toBe(0);
  expect(textOf(cwd, "catalog/a.yaml")).toBe(text);
});

test.each([
  ["no directory", {}],
  ["no file", { "catalog/readme.md": "" }],
  ["only comments", { "catalog/a.yaml": "# to do\n" }],
  ["only settings", { "catalog/datahub-gitops.yaml": "version: 1\n" }],
  ["a file in its place", { catalog: "" }],
])("with %s fmt fails as validate does", async (_, files) => {
  const cwd = directory(files);
  const { code, stderr } = await runCli(["validate"], { cwd });
  expect(code).toBe(3);
  for (const argv of [["fmt"], ["fmt", "--check"], ["fmt", "--diff"]])
    expect(await runCli(argv, { cwd })).toEqual({ code, stdout: "", stderr });
});

test("the ends of lines stay as they are, and a byte order mark goes", async () => {
  const cwd = directory({ "catalog/a.yaml": `\uFEFF${untidy.replaceAll("\n", "\r\n")}` });
  expect((await runCli(["fmt"], { cwd })).code).toBe(0);
  expect(textOf(cwd, "catalog/a.yaml")).toBe(tidy.replaceAll("\n", "\r\n"));
  expect((await runCli(["fmt", "--check"], { cwd })).code).toBe(0);
});

test("a link within the repository stays a link, and one that leads out is refused", async () => {
  const cwd = directory({ "shared/a.yaml": untidy, ".git/HEAD": "", "catalog/b.yaml": tidy });
  const outside = join(directory({ "c.yaml": untidy }), "c.yaml");
  symlinkSync("../shared/a.yaml", join(cwd, "catalog/a.yaml"));
  symlinkSync(outside, join(cwd, "catalog/c.yaml"));

  const { code, stdout, stderr } = await runCli(["fmt"], { cwd });

  expect({ code, stdout }).toEqual({ code: 3, stdout: "catalog/a.yaml\n" });
  expect(stderr).toContain("link-outside");
  expect(lstatSync(join(cwd, "catalog/a.yaml")).isSymbolicLink()).toBe(true);
  expect(textOf(cwd, "shared/a.yaml")).toBe(tidy);
  expect(readFileSync(outside, "utf8")).toBe(untidy);
});

test("the manifests of this repository are formatted", async () => {
  const cwd = join(import.meta.dirname, "../..");
  const ran = await runCli(["fmt", "--check"], { cwd });
  expect(ran).toEqual({ code: 0, stdout: "", stderr: "" });
});

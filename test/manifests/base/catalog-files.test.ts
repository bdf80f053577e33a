import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readDesired } from "../../../src/manifests/documents/desired-state.ts";
import { sourceLines } from "../../../src/manifests/yaml/source-lines.ts";
import { problemsPrinted } from "../../report/print.ts";
import { briefly, type Files, withFiles } from "../../support/manifest-files.ts";
import { runSync } from "../../support/spawner.ts";

const good = { "catalog/good.yaml": "kind: Tag\nid: good\n" };

const makePipe = "mkfifo";

async function shown(files: Files, prepare: (cwd: string) => void = () => {}, dir = "catalog") {
  return await withFiles(files, async (cwd) => {
    prepare(cwd);
    const { problems, state } = await readDesired(dir, { cwd });
    const text = problemsPrinted(problems, { lineOf: sourceLines(cwd), width: 80 });
    return { brief: briefly(problems), text, ids: [...state.keys()] };
  });
}

const utf16 = Buffer.from("\uFEFFkind: Tag\nid: a\n", "utf16le");
const latin1 = Buffer.from("kind: Tag\nid: caf\xE9\n", "latin1");

const fileRows: readonly (readonly [string, Files, string])[] = [
  ["no directory", {}, "catalog:1:1 no-directory"],
  ["a file instead of a directory", { catalog: "kind: Tag\nid: a\n" }, "catalog:1:1 not-a-directory"],
  ["an empty directory", { "catalog/": "" }, "catalog:1:1 no-manifests"],
  ["only settings", { "catalog/datahub-gitops.yaml": "version: 1\n" }, "catalog:1:1 no-manifests"],
  ["only comments", { "catalog/a.yaml": "# later\n---\n# still later\n" }, "catalog:1:1 no-manifests"],
  ["only empty files", { "catalog/a.yaml": "", "catalog/b.yml": "\n\n" }, "catalog:1:1 no-manifests"],
  ["only an empty list", { "catalog/a.yaml": "[]\n" }, "catalog:1:1 no-manifests"],
  ["only other files", { "catalog/README.md": "hello" }, "catalog:1:1 no-manifests"],
  [
    "a binary file",
    { ...good, "catalog/x.yaml": Buffer.from([137, 80, 78, 71, 0, 1, 255]) },
    "catalog/x.yaml:1:1 binary-file",
  ],
  ["a file in UTF-16", { ...good, "catalog/x.yaml": utf16 }, "catalog/x.yaml:1:1 other-encoding"],
  ["a byte of Latin-1", { ...good, "catalog/x.yaml": latin1 }, "catalog/x.yaml:2:8 not-utf8"],
  [
    "a character that is cut off",
    { ...good, "catalog/x.yaml": Buffer.from("kind: 🦆").subarray(0, -1) },
    "catalog/x.yaml:1:7 not-utf8",
  ],
];

test.each(fileRows)("%s is an error that names it", async (_, files, expected) => {
  const { brief, text } = await shown(files);

  expect(brief).toEqual([expected]);
  expect(text).toContain(expected.split(":")[0]);
});

test("a folder that is called like a manifest is a folder", async () => {
  const { brief, ids } = await shown({ ...good, "catalog/x.yaml/a.yaml": "kind: Tag\nid: a\n" });

  expect(brief).toEqual([]);
  expect(ids).toEqual(["urn:li:tag:good", "urn:li:tag:a"]);
});

const linkRows: readonly (readonly [string, string, string, readonly string[]])[] = [
  ["a link to nothing", "x.yaml", "gone.yaml", ["catalog/x.yaml:1:1 unreadable"]],
  ["a link to no folder", "team", "../gone", ["catalog/team:1:1 unreadable"]],
  ["a link to itself", "x.yaml", "x.yaml", ["catalog/x.yaml:1:1 unreadable"]],
  ["a link to the folder it is in", "loop", ".", ["catalog/loop:1:1 repeated-folder"]],
  ["a link to the folder above", "loop", "..", ["catalog/loop:1:1 link-outside"]],
  ["a link to a device that never ends", "x.yaml", "/dev/zero", ["catalog/x.yaml:1:1 link-outside"]],
  ["a link to a manifest outside", "x.yaml", "../other/o.yaml", ["catalog/x.yaml:1:1 link-outside"]],
  ["a link to a folder outside", "more", "../other", ["catalog/more:1:1 link-outside"]],
  ["a link to nothing that is no manifest", "x.md", "gone.md", []],
];

test.each([
  ["a link to a manifest elsewhere in the repository", "x.yaml", "../other/o.yaml"],
  ["a link to a folder elsewhere in the repository", "more", "../other"],
])("%s is followed", async (_, name, target) => {
  const files = { ...good, "other/o.yaml": "kind: Tag\nid: o\n", ".git/HEAD": "" };
  const { brief, ids } = await shown(files, (cwd) => symlinkSync(target, join(cwd, "catalog", name)));

  expect({ brief, ids: ids.toSorted() }).toEqual({ brief: [], ids: ["urn:li:tag:good", "urn:li:tag:o"] });
});

test.each(linkRows)("%s is answered", async (_, name, target, expected) => {
  const files = { ...good, "other/o.yaml": "kind: Tag\nid: o\n" };
  const { brief } = await shown(files, (cwd) => symlinkSync(target, join(cwd, "catalog", name)));

  expect(brief.filter((line) => !line.includes("repeated-folder") || expected.length > 0)).toEqual(expected);
});

test("a pipe is not waited for", async () => {
  const { brief } = await shown(good, (cwd) => {
    runSync(makePipe, cwd, "catalog/x.yaml");
  });

  expect(brief).toEqual(["catalog/x.yaml:1:1 no-regular-file"]);
});

test("folders that link to each other are read once each", async () => {
  const files = { "catalog/a/a.yaml": "kind: Tag\nid: a\n", "catalog/b/b.yaml": "kind: Tag\nid: b\n" };
  const { brief, ids } = await shown(files, (cwd) => {
    symlinkSync("../b", join(cwd, "catalog/a/to-b"));
    symlinkSync("../a", join(cwd, "catalog/b/to-a"));
  });

  expect(ids).toEqual(["urn:li:tag:a", "urn:li:tag:b"]);
  expect(brief.every((line) => line.endsWith("repeated-folder"))).toBe(true);
});

test("what is said of a broken link tells what it is", async () => {
  const { text } = await shown(good, (cwd) => symlinkSync("x.yaml", join(cwd, "catalog/x.yaml")));

  expect(text).toBe(
    "catalog/x.yaml: error unreadable: this path cannot be read: the link points back\n    to itself\n",
  );
});

test("a scalar of 1 MB is not printed whole, and not kept in the problem", async () => {
  const { text, brief } = await shown({ "catalog/a.yaml": `kind: ${"x".repeat(1_000_000)}\n` });

  expect(brief).toEqual(["catalog/a.yaml:1:7 unknown-kind"]);
  expect(text.length).toBeLessThan(600);
});

test("a directory outside of the working directory is named from there", async () => {
  await withFiles({ "catalog/a.yaml": "kind: Tag\n", "work/": "" }, async (cwd) => {
    const { problems } = await readDesired("../catalog", { cwd: join(cwd, "work") });

    expect(briefly(problems)).toEqual(["../catalog/a.yaml:1:1 missing-field"]);
  });
});

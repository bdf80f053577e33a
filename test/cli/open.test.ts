import { readFileSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Io, Output } from "../../src/cli/io.ts";
import { temporaryDirectory } from "../support/catalog.ts";
import { capture, runCli } from "../support/command-line.ts";
import { tag } from "../support/history.ts";
import { siteOnce, siteWith } from "../support/site.ts";

const makeSite = siteOnce(async () => await siteWith({ "tags.yaml": tag("pii") }));

/** A terminal and a browser that keep what they are given. */
function person(): {
  readonly stdout: Output & { text(): string };
  readonly openFile: Io["openFile"];
  readonly opened: string[];
} {
  const opened: string[] = [];
  onTestFinished(() => opened.forEach((file) => rmSync(dirname(file), { recursive: true })));
  return {
    stdout: { ...capture(80), isTTY: true },
    opened,
    openFile: async (file) => void opened.push(file),
  };
}

test.each([
  ["plan", 0, "Plan: 1 to create"],
  ["drift", 2, "Drift:"],
  ["coverage", 0, "No assets found."],
])(
  "%s --open writes a page that only its owner can read, opens it, and prints nothing else",
  async (command, code, line) => {
    const site = await makeSite();
    const { stdout, opened, openFile } = person();
    const ran = await site.run([command, "--open"], { stdout, openFile });

    expect(ran.code).toBe(code);
    expect(opened).toHaveLength(1);
    const [file = ""] = opened;
    expect(readFileSync(file, "utf8")).toMatch(/^<!doctype html>[^]*<\/html>\n$/);
    expect(readFileSync(file, "utf8")).toContain(line);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(stdout.text()).toBe("");
    expect(ran.stderr).toContain(`The page was saved as ${file}\n`);
  },
);

test("a command that fails opens a page that says why", async () => {
  const { stdout, opened, openFile } = person();
  const ran = await runCli(["plan", "--open", "--server", "http://127.0.0.1:1"], {
    cwd: (await makeSite()).root,
    stdout,
    openFile,
  });

  expect(ran.code).toBe(1);
  expect(readFileSync(opened[0] ?? "", "utf8")).toContain('<header class="bad">');
});

test("where no browser can be started, the page is named, and the exit code stays", async () => {
  const { stdout, opened } = person();
  const openFile = async (file: string): Promise<void> => {
    opened.push(file);
    throw new Error("spawn xdg-open ENOENT");
  };
  const ran = await (await makeSite()).run(["plan", "--open", "--detailed-exitcode"], { stdout, openFile });

  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain("cannot start a browser (spawn xdg-open ENOENT); open the file yourself\n");
});

test.each([
  ["another format", ["--format", "json"], {}, true, "--open shows an HTML page"],
  ["text", ["--format", "text"], {}, true, "--open shows an HTML page"],
  ["no terminal", [], {}, false, "--open needs a terminal"],
  ["CI", ["--format", "html"], { CI: "true" }, true, "--open needs a terminal"],
])("--open is refused before anything is read: %s", async (_, flags, env, isTTY, message) => {
  const { opened, openFile } = person();
  const stdout = { ...capture(80), isTTY };
  const ran = await runCli(["plan", "--open", ...flags], {
    cwd: temporaryDirectory(),
    env,
    stdout,
    openFile,
  });

  expect(ran.code).toBe(64);
  expect(ran.stderr).toContain(message);
  expect([opened, stdout.text()]).toEqual([[], ""]);
});

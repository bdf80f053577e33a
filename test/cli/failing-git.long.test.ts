import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryDirectory } from "../support/catalog.ts";
import { cli } from "../support/dist.ts";
import { tag } from "../support/history.ts";
import { siteWith } from "../support/site.ts";

/** A folder with a `git` that does something else first where it is given a command. */
function gitThat(first: string, command: string): string {
  const bin = join(temporaryDirectory(), "bin");
  mkdirSync(bin);
  const script = `#!/bin/sh
case " $* " in *" ${command} "*) ${first} ;; esac
PATH="\${PATH#*:}" exec git "$@"
`;
  writeFileSync(join(bin, "git"), script);
  chmodSync(join(bin, "git"), 0o755);
  return bin;
}

// A terminal interrupts all that run on it.
const isInterrupted = 'kill -s INT -- "-$PPID"';

test.each([
  ["what git says of the work tree", "status", 130],
  ["what the work tree has otherwise than the commit", "ls-files", 0],
  ["the ref that moves", "--create-reflog", 0],
])("Ctrl-C at %s does not end git: what is said of it is true", async (_, command, code) => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const PATH = `${gitThat(isInterrupted, command)}:${process.env["PATH"]}`;
  const argv = [cli, "apply", "--auto-approve", "--server", site.catalog.url];
  const child = spawn(process.execPath, argv, {
    cwd: site.root,
    env: { ...process.env, PATH },
    detached: true,
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));

  expect(await new Promise((ended) => child.on("close", ended))).toBe(code);
  const head = site.git("rev-parse", "HEAD");
  expect(site.at()).toBe(code === 0 ? head : undefined);
  expect(stderr.split("\n").at(-2)).toBe(
    code === 0 ? `The base (refs/datahub-gitops/applied) is now ${head.slice(0, 12)}` : "Interrupted.",
  );
});

test("the ref stays where git fails, and the reason is not that the manifests differ", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  vi.stubEnv("PATH", `${gitThat("exit 1", "ls-files")}:${process.env["PATH"]}`);

  expect(await site.apply()).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(", because git could not compare the manifests with the last commit"),
  });
});

import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/catalog.ts";
import { cli } from "../support/command-process.ts";
import { tag } from "../support/history.ts";
import { siteWith } from "../support/site.ts";

/** A folder with a `git` at whose command somebody presses Ctrl-C: a terminal interrupts all that run on it. */
function gitInterruptedAt(command: string): string {
  const bin = join(temporaryDirectory(), "bin");
  mkdirSync(bin);
  const script = `#!/bin/sh
case " $* " in *" ${command} "*) kill -s INT -- "-$PPID" ;; esac
PATH="\${PATH#*:}" exec git "$@"
`;
  writeFileSync(join(bin, "git"), script);
  chmodSync(join(bin, "git"), 0o755);
  return bin;
}

test.each([
  ["what git says of the work tree", "status", 130],
  ["what the work tree has otherwise than the commit", "ls-files", 0],
  ["the ref that moves", "update-ref", 0],
])("Ctrl-C at %s does not end git: what is said of it is true", async (_, command, code) => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const PATH = `${gitInterruptedAt(command)}:${process.env["PATH"]}`;
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
    code === 0 ? `refs/datahub-gitops/applied now points to ${head.slice(0, 12)}` : "Interrupted.",
  );
});

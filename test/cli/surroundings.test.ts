import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/catalog.ts";
import { runInShell } from "../support/command-process.ts";

const gone = "mkdir gone && cd gone && rmdir ../gone;";

test.each(["--help", "--version", "plan --help", "nonsense"])(
  "%s in a directory that was deleted answers as elsewhere",
  async (argv) => {
    const options = { cwd: temporaryDirectory() };

    const ran = await runInShell(`${gone} datahub-gitops ${argv}`, options);

    expect(ran).toEqual(await runInShell(`datahub-gitops ${argv}`, options));
  },
);

test.each(["validate --format json", "plan --server http://127.0.0.1:9", "apply --report r.json", "serve"])(
  "%s in a directory that was deleted says so, without a stack: 1",
  async (argv) => {
    const { code, stdout, stderr } = await runInShell(`${gone} datahub-gitops ${argv}`, {
      cwd: temporaryDirectory(),
    });

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "error: the working directory does not exist any more; change to another directory\n",
    });
    expect(stdout).toMatch(
      argv.includes("json") && !argv.includes("report") ? /"no-working-directory"/ : /^$/,
    );
  },
);

test.each(["unset HOME;", "export HOME=;", "export HOME=.;"])(
  "after %s the server is not taken from the working directory",
  async (setting) => {
    const cwd = temporaryDirectory();
    mkdirSync(join(cwd, "catalog"));
    writeFileSync(join(cwd, "catalog/a.yaml"), "kind: Tag\nid: a\n");
    writeFileSync(join(cwd, ".datahubenv"), "gms:\n  server: http://127.0.0.1:9\n");

    const { code, stderr } = await runInShell(`${setting} export DATAHUB_SKIP_CONFIG=; datahub-gitops plan`, {
      cwd,
    });

    expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringMatching(/^error: no server given/) });
  },
);

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { runInShell } from "../support/command-process.ts";

const gone = "mkdir gone && cd gone && rmdir ../gone;";
const told = "error: the working directory no longer exists; change to a different directory\n";

test.each(["--help", "--version", "plan --help", "nonsense"])(
  "%s in a directory that was deleted answers as elsewhere",
  async (line) => {
    const argv = line.split(" ");

    const ran = await runCli(argv, { cwd: "/", isDirectoryMissing: true });

    expect(ran).toEqual(await runCli(argv, { cwd: temporaryDirectory() }));
  },
);

test.each(["validate --format json", "plan --server http://127.0.0.1:9", "apply --report r.json", "serve"])(
  "%s in a directory that was deleted says so: 1",
  async (line) => {
    const argv = line.split(" ");

    const { code, stdout, stderr } = await runCli(argv, { cwd: "/", isDirectoryMissing: true });

    expect({ code, stderr }).toEqual({ code: 1, stderr: told });
    expect(stdout).toMatch(argv.includes("--format") ? /"no-working-directory"/ : /^$/);
  },
);

test("the process sees that its directory was deleted, and starts nevertheless", async () => {
  const options = { cwd: temporaryDirectory() };

  const helped = await runInShell(`${gone} datahub-gitops apply --help`, options);
  const refused = await runInShell(`${gone} datahub-gitops serve`, { cwd: temporaryDirectory() });

  expect(helped).toEqual(await runCli(["apply", "--help"], options));
  expect(refused).toEqual({ code: 1, stdout: "", stderr: told });
});

/** A directory with manifests, and with the settings that belong into a home directory. */
function directoryLikeHome(): string {
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, "catalog"));
  writeFileSync(join(cwd, "catalog/a.yaml"), "kind: Tag\nid: a\n");
  writeFileSync(join(cwd, ".datahubenv"), "gms:\n  server: http://127.0.0.1:9\n");
  return cwd;
}

const noServer = { code: 64, stderr: expect.stringMatching(/^error: no server given/) as string };

test.each(["", "."])(
  "where the home directory is %j the server is not taken from the working directory",
  async (home) => {
    expect(await runCli(["plan"], { cwd: directoryLikeHome(), home })).toMatchObject(noServer);
  },
);

test.each(["unset HOME;", "export HOME=;"])(
  "after %s the process does not take the server from the working directory",
  async (setting) => {
    const line = `${setting} export DATAHUB_SKIP_CONFIG=; datahub-gitops plan`;

    expect(await runInShell(line, { cwd: directoryLikeHome() })).toMatchObject(noServer);
  },
);

import { readdirSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { startTestCatalog } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { build, canary, type Surroundings, trees } from "./hostile-trees.ts";
import { counted, runsOf } from "../support/runs.ts";

const numRuns = runsOf(12);

const documented = [0, 1, 2, 3, 5, 6, 7, 64, 130];
const steering = /^\s*::(?!(?:error|warning) (?:file|title)=)|##\[|[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

function expectHarmless({ code, stdout, stderr }: Ran, { outside, marks }: Surroundings): void {
  expect(documented).toContain(code);
  expect(stdout + stderr).not.toMatch(/\n {4}at |This is a bug/);
  expect(stdout + stderr).not.toContain(canary);
  for (const line of (stdout + stderr).split("\n")) expect(line).not.toMatch(steering);
  expect(readdirSync(marks)).toEqual([]);
  expect(readdirSync(outside).toSorted()).toEqual(["datahub-gitops.yaml", "o.yaml", "secret", "way"]);
}

test(
  "whatever a repository holds, no program of it is run, no file outside is read or written, and each command ends",
  counted,
  async () => {
    const { url } = await startTestCatalog();
    await fc.assert(
      fc.asyncProperty(trees, async (tree) => {
        const around = build(tree);
        const { format, isRepository, isAction } = tree;
        const options = { cwd: around.root, env: isAction ? { GITHUB_ACTIONS: "true" } : {} };
        const ref = isRepository ? ["--changed-since", "HEAD"] : [];
        expectHarmless(await runCli(["validate", "--format", format], options), around);
        const flags = ["--server", url, "--format", format, ...ref, "--report", "r.json"];
        expectHarmless(await runCli(["plan", ...flags], options), around);
      }),
      { numRuns },
    );
  },
);

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { withFiles } from "../support/manifest-files.ts";
import { tag } from "../support/history.ts";
import { siteWith } from "../support/site.ts";

const bad = "x\n::error::fooled\n  ##[error]fooled\u001B[2J\u009B2J\u202E\r::warning::fooled";

/** Texts of commands and control characters that reach an output. */
const steering = /^\s*::(?!(?:error|warning) (?:file|title)=)|##\[|[\p{Cc}\u202E]/mu;

test.each([
  [["plan", `--${bad}`]],
  [[bad]],
  [["help", bad]],
  [["plan", "--format", bad]],
  [["plan", "--report", `${bad}/r.json`, "--server", "http://127.0.0.1:9"]],
  [["plan", bad]],
  [["plan", "--settings", bad]],
  [["plan", "--server", bad]],
  [["plan", "--server", "http://127.0.0.1:9", "--target", bad]],
  [["plan", "--server", "http://127.0.0.1:9", "--base", bad]],
  [["plan", "--server", "http://127.0.0.1:9", "--changed-since", bad]],
  [["show", bad]],
  [["get", "--urn", bad]],
  [["user", "upsert", "-f", bad]],
  [["serve", "--faults", bad]],
  [["serve", "--port", bad]],
])("what is given to %j is printed as text, and steers neither a terminal nor a runner", async (argv) => {
  await withFiles({ "catalog/a.yaml": tag("a") }, async (cwd) => {
    for (const env of [{}, { GITHUB_ACTIONS: "true" }]) {
      const { code, stdout, stderr } = await runCli(argv, { cwd, env });
      expect(code).not.toBe(0);
      for (const line of (stdout + stderr).split("\n")) expect(line).not.toMatch(steering);
    }
  });
});

test("a saved plan under an odd name, and an aspect of one, are named as text", async () => {
  const { run } = await siteWith({ "a.yaml": tag("a") });
  const name = bad.replaceAll("/", "");

  const ran = [await run(["plan", "--out", name]), await run(["get", "--urn", "urn:li:tag:a", "-a", bad])];

  for (const line of ran.flatMap(({ stderr }) => stderr.split("\n"))) expect(line).not.toMatch(steering);
});

const secret = "hunter2";
const addresses = [
  `https://user:${secret}@datahub.acme.com`,
  `https://datahub.acme.com/api/gms?token=${secret}`,
  `https://datahub.acme.com/#${secret}`,
  `user:${secret}@datahub.acme.com`,
  `htp://user:${secret}@datahub.acme.com`,
  `https:/user:${secret}@datahub.acme.com`,
  `https://user:p/${secret}@datahub.acme.com`,
  `https://user:p?${secret}@[datahub`,
];

test.each(addresses)("the secret in %s is in no output", async (address) => {
  await withFiles({ "catalog/a.yaml": tag("a") }, async (cwd) => {
    const home = temporaryDirectory();
    const argv = ["plan", "--format", "json", "--report", "r.json"];
    const settings = `version: 1\nserver: ${JSON.stringify(address)}\n`;
    await withFiles(
      { "catalog/a.yaml": tag("a"), "catalog/datahub-gitops.yaml": settings },
      async (pinned) => {
        const ran = [
          await runCli([...argv, "--server", address], { cwd, home }),
          await runCli(argv, { cwd, home, env: { DATAHUB_GMS_URL: address } }),
          await runCli(argv, { cwd, home, env: { DATAHUB_GMS_HOST: address } }),
          await runCli([...argv, "--server", "https://other.acme.com"], { cwd: pinned, home }),
          await runCli(["validate"], { cwd: pinned, home }),
        ];
        for (const { stdout, stderr } of ran) expect(stdout + stderr).not.toContain(secret);
        for (const { code } of ran.slice(0, 4)) expect([3, 64]).toContain(code);
        expect(readFileSync(join(pinned, "r.json"), { flag: "a+" }).toString()).not.toContain(secret);
      },
    );
  });
});

test("a changed setting is shown without the secrets of its address", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  site.commit({ "catalog/datahub-gitops.yaml": `version: 1\nserver: ${site.catalog.url}?token=${secret}\n` });

  const { stdout, stderr } = await site.plan("--changed-since", "HEAD~1");

  expect(stdout).toContain(`server: ${site.catalog.url}`);
  expect(stdout + stderr).not.toContain(secret);
});

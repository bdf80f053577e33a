import { expect, test, vi } from "vitest";
import { tag } from "../support/history.ts";
import { siteWith } from "../support/site.ts";
import { runCli } from "../support/command-line.ts";

const way = "git config --global --add safe.directory";

test("where git refuses the repository of another user, each message names the command that allows it", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  // By this variable git's own tests have it take the repository for one of another user.
  vi.stubEnv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");

  const applied = await site.apply();
  const doctor = await site.run(["doctor"]);
  const runs = await runCli(["runs", "list"], { cwd: site.root });
  const since = await site.plan("--changed-since", "main");

  expect(applied.code).toBe(0);
  expect(applied.stderr).toMatch(new RegExp(`: detected dubious ownership .*${way} /`));
  expect(applied.stderr).toMatch(new RegExp(`base-unreadable.*${way} /`));
  expect(doctor.stdout).toMatch(new RegExp(`problem +repository +.*dubious ownership[^]*run ${way} /`));
  expect(runs.stderr).toMatch(new RegExp(`^error: cannot read runs: .*${way} /`));
  expect(since.stderr).toMatch(new RegExp(`${way} /`));
});

test("where git is missing, an apply and doctor say so, and not that the repository has no commit", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  vi.stubEnv("PATH", "/nonexistent");

  const applied = await site.apply();
  const doctor = await site.run(["doctor"]);

  expect(applied.stderr).toContain(`, because git is not installed`);
  expect(doctor.stdout).toMatch(/warning +repository +git is not installed[^]*install git/);
});

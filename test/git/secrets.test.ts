import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { git } from "../../src/git/git.ts";
import { temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { testRepository, type TestRepository } from "../support/git-repository.ts";
import { siteWith } from "../support/site.ts";
import { runSync } from "../support/spawner.ts";

/** The address of a Git server that wants to know who asks, without a scheme. */
async function refusingServer(): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
  });
  await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}/x.git`;
}

const follow = ({ git: run }: TestRepository, address: string): void => {
  run("remote", "add", "origin", address);
  run("config", "branch.main.remote", "origin");
  run("config", "branch.main.merge", "refs/heads/main");
  run("update-ref", "refs/remotes/origin/main", "HEAD");
};

test.each(["ghp_S3CRET@", "ann:ghp_S3CRET@", "ann:p@ghp_S3CRET@"])(
  "the token of a remote %s is in nothing that is printed of git",
  async (credentials) => {
    const server = await refusingServer();
    const address = `http://${credentials}${server}`;
    const site = await siteWith({ "a.yaml": "kind: Tag\nid: a\n" });
    expect((await site.apply()).code).toBe(0);
    follow(site, address);
    for (const argv of [
      ["runs", "push"],
      ["runs", "push", address],
      ["watch", "--pull", "--rounds", "1", "--no-listen", "--format", "json", "--server", site.catalog.url],
      ["doctor", "--server", site.catalog.url],
    ]) {
      const { stdout, stderr } = await runCli(argv, { cwd: site.root });
      expect(stdout + stderr).not.toContain("S3CRET");
      if (argv[0] !== "doctor") expect(stdout + stderr).toContain(`http://${server.split("/")[0]}`);
    }
  },
);

test("what git prints is shown without the secrets of addresses, whatever else it is", async () => {
  const { root } = testRepository();
  const answer = await git(root, ["fetch", "nowhere://ghp_S3CRET@host/x.git?token=S3CRET"]);
  expect(answer).toMatchObject({ failure: { words: expect.stringContaining("nowhere") } });
  expect(JSON.stringify(answer)).not.toContain("S3CRET");
});

test("only the commands that ask a remote get the token of GitHub", async () => {
  const dir = temporaryDirectory();
  const noted = join(dir, "noted");
  writeFileSync(
    join(dir, "git"),
    `#!/bin/sh\necho "$* \${GITHUB_TOKEN:-none} \${DATAHUB_GMS_TOKEN:-none}" >>'${noted}'\n`,
  );
  chmodSync(join(dir, "git"), 0o755);
  const { root } = testRepository();
  vi.stubEnv("PATH", `${dir}:${process.env["PATH"]}`);
  vi.stubEnv("GITHUB_TOKEN", "ghs_1");
  vi.stubEnv("DATAHUB_GMS_TOKEN", "secret");
  for (const command of ["push", "fetch", "ls-remote", "status", "update-ref", "merge", "log"])
    await git(root, [command]);
  const lines = readFileSync(noted, "utf8").trim().split("\n");
  expect(lines.map((line) => line.split(" ").slice(-3).join(" "))).toEqual([
    "push ghs_1 none",
    "fetch ghs_1 none",
    "ls-remote ghs_1 none",
    "status none none",
    "update-ref none none",
    "merge none none",
    "log none none",
  ]);
});

test("no hook runs, also none of a directory that the configuration names", async () => {
  const site = await siteWith({ "a.yaml": "kind: Tag\nid: a\n" });
  const remote = temporaryDirectory();
  runSync("git", remote, "init", "--quiet", "--bare", "--initial-branch", "main");
  follow(site, remote);
  site.git("push", "--quiet", "origin", "main");
  const ran = join(site.root, "ran");
  for (const hook of [
    "reference-transaction",
    "pre-push",
    "post-merge",
    "post-checkout",
    "post-index-change",
  ]) {
    site.write({ [`.githooks/${hook}`]: `#!/bin/sh\necho ${hook} >>'${ran}'\n` });
    chmodSync(join(site.root, ".githooks", hook), 0o755);
  }
  site.git("config", "core.hooksPath", ".githooks");
  site.git("config", "core.excludesFile", ".git/info/exclude");
  expect((await site.apply()).code).toBe(0);
  expect(await runCli(["runs", "push"], { cwd: site.root })).toMatchObject({ code: 0 });
  const round = ["watch", "--pull", "--rounds", "1", "--no-listen", "--mode", "correct"];
  expect(await site.run(round)).toMatchObject({ code: 0 });
  expect(() => readFileSync(ran)).toThrow("ENOENT");
});

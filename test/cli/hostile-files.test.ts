import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formats } from "../../src/report/format.ts";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { runInShell } from "../support/command-process.ts";
import { tag } from "../support/history.ts";
import { type Site, siteWith } from "../support/site.ts";
import { runSync } from "../support/spawner.ts";

const makePipe = "mkfifo";
const canary = "canary-6d1f";

/** A repository, and beside it a directory with a file that nobody who reads the repository may see. */
async function siteBeside(): Promise<Site & { readonly outside: string; readonly secret: string }> {
  const site = await siteWith({ "a.yaml": tag("a") });
  const outside = temporaryDirectory();
  const secret = join(outside, "secret");
  writeFileSync(secret, `//registry/:_authToken: ${canary}\n`, { mode: 0o644 });
  return { ...site, outside, secret };
}

test.each(["b.yaml", "datahub-gitops.yaml"])(
  "catalog/%s that is a link out of the repository is refused, and no line of its target is shown",
  async (name) => {
    const { root, run, git, secret } = await siteBeside();
    rmSync(join(root, "catalog", name), { force: true });
    symlinkSync(secret, join(root, "catalog", name));
    git("add", "--all");
    const commands = [
      ...formats.map((format) => ["validate", "--format", format]),
      ["plan"],
      ["plan", "--changed-since", "HEAD"],
    ];
    for (const argv of commands) {
      const { code, stdout, stderr } = await (argv[0] === "validate"
        ? runCli(argv, { cwd: root })
        : run(argv));
      expect({ argv, code }).toEqual({ argv, code: 3 });
      expect(stdout + stderr).not.toContain(canary);
      expect(stdout + stderr).toContain("outside the repository");
    }
  },
);

test.each([
  ["a folder", "team"],
  ["the catalog directory itself", ""],
])("%s that is a link out of the repository is not read", async (_, name) => {
  const { root, run, outside, secret } = await siteBeside();
  writeFileSync(join(outside, "x.yaml"), readFileSync(secret));
  const link = join(root, "catalog", name);
  rmSync(link, { recursive: true, force: true });
  symlinkSync(outside, link);

  const { code, stdout, stderr } = await run(["plan"]);

  expect(code).toBe(3);
  expect(stderr).toContain("link-outside");
  expect(stdout + stderr).not.toContain(canary);
});

test("a link to what Git keeps for itself is refused: it may hold a token", async () => {
  const { root, run, git } = await siteBeside();
  git("config", "http.extraheader", `AUTHORIZATION: basic ${canary}`);
  symlinkSync("../.git/config", join(root, "catalog/b.yaml"));

  const { code, stdout, stderr } = await run(["plan"]);

  expect(code).toBe(3);
  expect(stdout + stderr).not.toContain(canary);
});

test("the records of an upsert are not read through a link that leads out", async () => {
  const { root, run, secret } = await siteBeside();
  symlinkSync(secret, join(root, "records.yaml"));

  const { code, stdout, stderr } = await run(["user", "upsert", "-f", "records.yaml"]);

  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringMatching(/out(side| of) the repository/),
  });
  expect(stdout + stderr).not.toContain(canary);
});

test.each(["show", "apply"])("%s does not read a plan through a link that leads out", async (command) => {
  const { root, run, secret } = await siteBeside();
  symlinkSync(secret, join(root, "plan.json"));

  const { code, stdout, stderr } = await (command === "show"
    ? runCli([command, "plan.json"], { cwd: root })
    : run([command, "plan.json"]));

  expect(stdout + stderr).not.toContain(canary);
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringMatching(/out(side| of) the repository/),
  });
});

const odd: readonly (readonly [string, (path: string) => void])[] = [
  ["a pipe", (path) => runSync(makePipe, "/", path)],
  ["a device that never ends", (path) => symlinkSync("/dev/zero", path)],
];

test.each(odd)(
  "%s in place of settings, records, a plan or a token file is refused and not waited for",
  async (_, make) => {
    const { root, run, catalog } = await siteBeside();
    const home = temporaryDirectory();
    for (const path of [join(root, "odd"), join(home, ".datahubenv")]) make(path);
    const env = { DATAHUB_CLIENT_CERT_PATH: join(root, "odd"), DATAHUB_CLIENT_KEY_PATH: join(root, "odd") };
    const ran = await Promise.all([
      runCli(["validate", "--settings", "odd"], { cwd: root }),
      run(["plan", "--settings", "odd"]),
      run(["user", "upsert", "-f", "odd"]),
      runCli(["show", "odd"], { cwd: root }),
      run(["apply", "odd"]),
      run(["plan"], { home }),
      run(["plan"], { env }),
    ]);

    expect(catalog.requests).toEqual([]);
    for (const { stderr } of ran) expect(stderr).toMatch(/regular file|out(side| of) (the|its) repository/);
  },
);

test.each([
  ["catalog/huge.yaml", ["plan"]],
  ["catalog/datahub-gitops.yaml", ["plan"]],
  ["huge.yaml", ["plan", "--settings", "huge.yaml"]],
  ["huge.yaml", ["user", "upsert", "-f", "huge.yaml"]],
])("%s of 100 GB is refused by its size, and not read", async (name, argv) => {
  const { root, run } = await siteBeside();
  writeFileSync(join(root, name), "");
  truncateSync(join(root, name), 100_000_000_000);

  const { code, stderr } = await run(argv);

  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining("larger than 10 MB") });
});

test.each(["--out", "--report"])("%s refuses a link, and its target stays as it was", async (flag) => {
  const { root, plan, secret } = await siteBeside();
  const before = readFileSync(secret, "utf8");
  symlinkSync(secret, join(root, "plan.json"));

  const { code, stdout, stderr } = await plan(flag, "plan.json");

  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining("plan.json: it is a symbolic link"),
  });
  expect(stdout).toContain("Plan: 1 to create");
  expect(readFileSync(secret, "utf8")).toBe(before);
  expect(statSync(secret).mode & 0o777).toBe(0o644);
});

test("a result goes to no directory behind a link that leads out of the repository", async () => {
  const { root, plan, outside } = await siteBeside();
  symlinkSync(outside, join(root, "results"));

  const { code, stderr } = await plan("--out", "results/plan.json");

  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/out(side| of) the repository/),
  });
  expect(lstatSync(join(outside, "plan.json"), { throwIfNoEntry: false })).toBeUndefined();
});

test("behind a link that leads out of the repository nothing is made, no directory either", async () => {
  const { root, run, catalog, outside } = await siteBeside();
  await catalog.load(metadataFile(root, [["urn:li:tag:a", "tagProperties", { name: "a" }]]));
  symlinkSync(outside, join(root, "results"));

  for (const argv of [
    ["export", "results/deep/er"],
    ["init", "results/deep/er", "--yes"],
    ["plan", "--out", "results/deep/plan.json"],
    ["plan", "--report", "results/deep/plan.json"],
    ["export", "--snapshot", "results/deep/live.json"],
  ]) {
    const { code, stderr } = await run(argv);

    expect({ argv, code, stderr }).toEqual({
      argv,
      code: 1,
      stderr: expect.stringContaining("cannot write results/deep"),
    });
    expect(readdirSync(outside)).toEqual(["secret"]);
  }
});

test("a result replaces the file that stands there, and does not write into it", async () => {
  const { root, plan } = await siteBeside();
  const file = join(root, "plan.json");
  writeFileSync(file, "before", { mode: 0o644 });
  linkSync(file, join(root, "other"));

  expect((await plan("--out", "plan.json")).code).toBe(0);

  expect(readFileSync(join(root, "other"), "utf8")).toBe("before");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(root).join(" ")).not.toContain(".tmp");
});

test("a result that cannot be written leaves what stood there, and goes to the devices of a process nevertheless", async () => {
  const { root, catalog } = await siteBeside();
  mkdirSync(join(root, "results"));
  writeFileSync(join(root, "results/plan.json"), "before");
  const devices = ["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/fd/1"];
  const flags = devices.map((device) => `--report text=${device}`).join(" ");

  const { code, stdout } = await runInShell(
    `(ulimit -f 0; datahub-gitops plan --out results/plan.json ${flags} 2>&1) | cat`,
    { cwd: root, env: { DATAHUB_GMS_URL: catalog.url } },
  );

  // One is the result itself, and none comes back from `/dev/null`.
  expect({ code, plans: stdout.split("Plan: ").length - 1 }).toEqual({ code: 1, plans: 4 });
  expect(readFileSync(join(root, "results/plan.json"), "utf8")).toBe("before");
  expect(readdirSync(join(root, "results"))).toEqual(["plan.json"]);
});

test.each(["catalog/HEAD", "HEAD", ".git/HEAD", ".git/config"])(
  "a pipe in the place of %s is not waited for, and nothing is said to be committed",
  async (name) => {
    const { root, run } = await siteBeside();
    rmSync(join(root, name.startsWith(".git/") ? name : ".git"), { recursive: true, force: true });
    runSync(makePipe, root, join(root, name));
    const { code, stdout, stderr } = await run(["plan", "--format", "json"]);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ git: { commit: null } });
    expect(stderr).toContain("warning: could not determine which values are repeatedly reverted: ");
  },
);

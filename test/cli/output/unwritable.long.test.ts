import { createWriteStream, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Output } from "../../../src/cli/io.ts";
import { outputOf } from "../../../src/cli/output/process-output.ts";
import { temporaryDirectory } from "../../support/catalog.ts";
import { type Ran, runCli } from "../../support/command-line.ts";
import { runInShell } from "../../support/command-process.ts";
import { tag } from "../../support/history.ts";
import { type Site, siteWith, writesIn } from "../../support/site.ts";

interface ShellSite extends Site {
  /** Runs a line of a shell against the catalog. */
  readonly shell: (line: string) => Promise<Ran>;
  readonly text: (file: string) => string;
}

/** A catalog without the tags that its repository declares. */
async function siteOf(...tags: readonly string[]): Promise<ShellSite> {
  const site = await siteWith({ "tags.yaml": tags.map((id) => tag(id)).join("---\n") });
  const env = { DATAHUB_GMS_URL: site.catalog.url, SOURCE_DATE_EPOCH: "0" };
  return {
    ...site,
    shell: (line) => runInShell(line, { cwd: site.root, env }),
    text: (file) => readFileSync(join(site.root, file), "utf8"),
  };
}

/** The output of a process that is sent to a disk that is full. */
function fullDisk(): Output {
  const fd = openSync("/dev/full", "w");
  const stream = createWriteStream("/dev/full", { fd });
  onTestFinished(() => void stream.destroy());
  return outputOf(stream as unknown as NodeJS.WriteStream, fd);
}

const many = Array.from({ length: 50 }, (_, index) => `tag-${index}`);
const noSpace = "error: cannot write to stdout: ENOSPC: no space left on device";

test("a process whose result does not fit on the disk ends with 1, and says so", async () => {
  const { shell } = await siteOf("a");

  const { code, stderr } = await shell("datahub-gitops plan --format json >/dev/full");

  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(noSpace) });
  expect(stderr).not.toContain("node:");
});

test.each(["plan --format json", "validate", "user --help"])(
  "%s ends with 1 where its result does not fit on the disk, and says so",
  async (line) => {
    const { catalog, root } = await siteOf("a");
    const env = { DATAHUB_GMS_URL: catalog.url };

    const { code, stderr } = await runCli(line.split(" "), { cwd: root, env, stdout: fullDisk() });

    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(noSpace) });
  },
);

test("serve ends where nobody can read its address", async () => {
  const options = { cwd: temporaryDirectory(), stdout: fullDisk() };

  const { code, stderr } = await runCli(["serve", "--port", "0"], options);

  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("the catalog was stopped") });
});

test("a result of which only a part fits on the disk is not taken for written", async () => {
  const { shell, text, planned } = await siteOf(...many);

  // A block has 1024 bytes.
  const { code, stderr } = await shell("ulimit -f 4; datahub-gitops plan --format json >plan.json");

  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/cannot write to stdout: EFBIG/),
  });
  expect(text("plan.json")).toHaveLength(4096);
  expect((await planned()).changes).toHaveLength(50);
});

test("an apply that cannot show its plan writes nothing, and leaves the reason in its report", async () => {
  const { run, text, catalog, at } = await siteOf("a");

  const applying = ["apply", "--auto-approve", "--report", "r.json"];
  const { code, stderr } = await run(applying, { stdout: fullDisk() });

  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("nothing was applied") });
  expect(JSON.parse(text("r.json"))).toMatchObject({ error: { code: "unwritable-output" } });
  expect(writesIn(catalog)).toEqual([]);
  expect(at()).toBeUndefined();
});

test("what was applied is told on stderr and in the report where stdout is full, and the ref moves", async () => {
  const { run, text, at, git } = await siteOf("a");

  const applying = ["apply", "--auto-approve", "--format", "json", "--report", "r.json"];
  const { code, stderr } = await run(applying, { stdout: fullDisk() });

  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(noSpace) });
  expect(stderr).toContain("Applied 1 operation, 0 failed, 0 skipped.\n");
  expect(JSON.parse(text("r.json"))).toMatchObject({ summary: { applied: 1 } });
  expect(at()).toBe(git("rev-parse", "HEAD"));
});

test("what an upsert wrote is told on stderr where stdout is full", async () => {
  const { run, write } = await siteOf("a");
  write({ "users.yaml": "id: alice\ndisplay_name: Alice\n" });

  const upserting = ["user", "upsert", "-f", "users.yaml", "--format", "json"];
  const { code, stderr } = await run(upserting, { stdout: fullDisk() });

  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(noSpace) });
  expect(stderr).toContain("Applied 1 operation, 0 failed, 0 skipped.\n");
});

test("a plan is printed and written to each file that can be written, whatever the others do", async () => {
  const { text, plan } = await siteOf("a");
  const { stdout: expected } = await plan();
  const flags = ["--out", "/dev/full", "--report", "nowhere/r.json", "--report", "text=p.txt"];

  const { code, stdout, stderr } = await plan("--detailed-exitcode", ...flags);

  expect({ code, stdout, file: text("p.txt") }).toEqual({ code: 1, stdout: expected, file: expected });
  expect(stderr).toMatch(/^error: cannot write \/dev\/full: ENOSPC/m);
  expect(stderr).toMatch(/^error: cannot write nowhere\/r\.json: ENOENT/m);
});

test("drift is printed also where its report cannot be written", async () => {
  const { run } = await siteOf("a");

  const { code, stdout } = await run(["drift", "--report", "/dev/full"]);

  expect({ code, stdout }).toEqual({ code: 1, stdout: (await run(["drift"])).stdout });
});

test("what was applied is printed and its ref moves also where the report cannot be written", async () => {
  const { apply, at, git } = await siteOf("a");

  const { code, stdout, stderr } = await apply("--report", "/dev/full");

  expect(code).toBe(1);
  expect(stdout).toMatch(/\nApplied 1 operation, 0 failed, 0 skipped\.\n$/);
  expect(stderr).toContain("error: cannot write /dev/full: ENOSPC");
  expect(at()).toBe(git("rev-parse", "HEAD"));
});

test("a report that cannot be written does not hide that a plan has problems: 3", async () => {
  const { plan, write } = await siteOf("a");
  write({ "catalog/more.yaml": "kind: Dataset\nplatform: hive\nname: absent\ntags: [a]\n" });

  const { code, stdout } = await plan("--report", "/dev/full");

  expect(code).toBe(3);
  expect(stdout).toMatch(/Refused: 1 problem\.\n$/);
});

test.each([
  ["plan --verbose", 0],
  ["plan --detailed-exitcode", 2],
  ["plan wrong", 3],
  ["plan --no-such-flag", 64],
])(
  "stderr that does not fit on the disk leaves the result and the exit code of %s as they are: %i",
  async (line, code) => {
    const { run, write } = await siteOf("a");
    write({ "wrong/tags.yaml": "kind: Tag\n" });
    const argv = line.split(" ");
    const { stdout } = await run(argv);

    expect(await run(argv, { stderr: fullDisk() })).toEqual({ code, stdout, stderr: "" });
  },
);

test("a process whose stderr does not fit on the disk keeps its result and its exit code", async () => {
  const { shell } = await siteOf("a");
  const { stdout } = await shell("datahub-gitops plan --detailed-exitcode");

  expect(
    await shell("datahub-gitops plan --detailed-exitcode --verbose --out plan.json 2>/dev/full"),
  ).toEqual({
    code: 2,
    stdout,
    stderr: "",
  });
});

test("a process that can write neither to stdout nor to stderr ends with 1", async () => {
  const { shell } = await siteOf("a");

  const { code } = await shell("datahub-gitops plan --detailed-exitcode >/dev/full 2>/dev/full");

  expect(code).toBe(1);
});

// A pipe whose reader is gone, as the file number 4.
const closedPipe = "mkfifo gone; exec 3<>gone 4>gone 3<&-;";

test.each([
  ["stdout", ">&4", /Applied 1 operation/],
  ["stderr", "2>&4", /^$/],
  ["stdout and stderr", ">&4 2>&4", /^$/],
])(
  "a closed pipe for %s is no error: all is applied, and told where it can be",
  async (_, redirection, told) => {
    const { shell, text, at, git } = await siteOf("a");

    const { code, stderr } = await shell(
      `${closedPipe} datahub-gitops apply --auto-approve --report r.json ${redirection}`,
    );

    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(told) });
    expect(JSON.parse(text("r.json"))).toMatchObject({ summary: { applied: 1 }, run: { exitCode: 0 } });
    expect(at()).toBe(git("rev-parse", "HEAD"));
  },
);

test("a report to a pipe does not change who may use the pipe", async () => {
  const { shell, root } = await siteOf("a");

  const { code, stdout } = await shell(
    "mkfifo -m 644 pipe; cat pipe & datahub-gitops plan --report pipe >/dev/null; wait",
  );

  expect(code).toBe(0);
  expect(stdout).toContain('"formatVersion": "1"');
  expect(statSync(join(root, "pipe")).mode & 0o777).toBe(0o644);
});

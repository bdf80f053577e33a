import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/catalog.ts";
import type { Output } from "../../src/cli/io.ts";
import { capture, type Ran, runCli } from "../support/command-line.ts";

/** Runs a local catalog with a file of faults and other options, and ends it as soon as it listens. */
async function serveWith(
  text: string,
  ...options: readonly string[]
): Promise<Ran & { readonly cwd: string }> {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, "faults.yaml"), text);
  const argv = ["serve", "--port", "0", "--no-auth", "--faults", "faults.yaml", ...options];
  const listening = new AbortController();
  const [stdout, stderr] = [capture(80), capture(80)];
  const endsOnceItListens: Output = {
    ...stderr,
    write: (written) => {
      stderr.write(written);
      if (written.includes("Injecting")) listening.abort();
    },
  };
  const io = { cwd, stdout, stderr: endsOnceItListens, interrupted: listening.signal };
  const { code } = await runCli(argv, io);
  return { cwd, code, stdout: stdout.text(), stderr: stderr.text() };
}

test("serve says on stderr that it injects faults, and where their counts are", async () => {
  const faults = "faults: [{ fault: reset, rate: 0.1 }]\n";
  const { code, stdout, stderr } = await serveWith(faults);
  expect(code).toBe(0);
  const [, url = ""] = /^Catalog listening on (\S+)\n$/.exec(stdout) ?? [];
  expect(stderr).toBe(
    `Injecting the faults from faults.yaml; for the counts of requests and faults, see ${url}/faults\n`,
  );
});

test("serve refuses an invalid file of faults with 3, before it makes a data directory", async () => {
  const { code, stdout, stderr, cwd } = await serveWith("faults:\n  - { fault: reset, rate: 10 }\n");
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toBe("error: faults.yaml:2: faults[0].rate must be at most 1\n");
  expect(existsSync(join(cwd, ".datahub-gitops"))).toBe(false);
});

test("serve takes faults and a lag together", async () => {
  const faults = "faults: [{ fault: latency, milliseconds: 200, rate: 1 }]\n";
  expect(await serveWith(faults, "--lag", "2.5")).toMatchObject({ code: 0 });
});

test.each(["x", "-1", "3601", ""])("serve refuses a lag of %j", async (lag) => {
  const { code, stderr } = await serveWith("faults: []\n", `--lag=${lag}`);
  expect(code).toBe(64);
  expect(stderr).toContain("It must be a number of seconds from 0 to 3600, such as 5.");
});

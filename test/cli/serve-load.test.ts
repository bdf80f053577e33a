import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Output } from "../../src/cli/io.ts";
import { temporaryDirectory } from "../support/catalog.ts";
import { capture, runCli } from "../support/command-line.ts";

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const record = (entityUrn: string, aspectName: string): object => ({
  entityType: entityUrn.split(":")[2],
  entityUrn,
  changeType: "UPSERT",
  aspectName,
  aspect: { json: {} },
});

const records = [
  record("urn:li:domain:finance", "status"),
  record(dataset("a"), "proposals"),
  record(dataset("a"), "lineageFeatures"),
  record(dataset("b"), "lineageFeatures"),
  record(dataset("a"), "usageFeatures"),
  record(dataset("a"), "status"),
  { bucket: 1, duration: "DAY", resource: dataset("a"), metrics: {} },
];

/** Runs a local catalog with these records, and ends it as soon as it has said what it loaded. */
async function serveWith(...options: readonly string[]): Promise<{ code: number; stderr: string }> {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, "records.json"), JSON.stringify(records));
  const listening = new AbortController();
  const stderr = capture(300);
  const endsOnceItSaid: Output = {
    ...stderr,
    write: (written) => {
      stderr.write(written);
      if (written.includes("Skipped in")) listening.abort();
    },
  };
  const argv = ["serve", "--port", "0", "--no-auth", "--load", "records.json", ...options];
  const { code } = await runCli(argv, { cwd, stderr: endsOnceItSaid, interrupted: listening.signal });
  return { code, stderr: stderr.text() };
}

test("serve says what it loaded, and which aspects it left out, the most frequent first", async () => {
  expect(await serveWith()).toEqual({
    code: 0,
    stderr:
      "Loaded records.json: 1 aspect written, 1 record skipped\n" +
      "Skipped in records.json: 5 aspects that DataHub does not define: lineageFeatures of dataset (2), " +
      "status of domain (1), proposals of dataset (1), and 1 more; --strict rejects files with such aspects\n",
  });
});

test("serve --strict refuses a file with such an aspect, and names the record", async () => {
  const { code, stderr } = await serveWith("--strict");
  expect(code).toBe(1);
  expect(stderr).toContain("record 1: status is not an aspect of domain in DataHub's registry. Nothing was");
});

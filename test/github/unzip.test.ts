import { expect, test } from "vitest";
import { unzipped } from "../../src/github/unzip.ts";
import { zipOf } from "../support/zip.ts";

test("one file of an archive is unpacked", async () => {
  const archive = zipOf({ "a.txt": "no", "plan.json": "{}", "b.txt": "no" });
  expect((await unzipped(archive, "plan.json", 2)).toString()).toBe("{}");
});

test.each([
  ["says that it is", undefined, /larger than 0\.001 MB/],
  ["says that it is not", 10, /too many bytes in the stream/],
])("a file is not unpacked that is larger than it may be, and %s", async (_, declared, message) => {
  const bomb = zipOf({ "plan.json": Buffer.alloc(5_000_000) }, declared);
  expect(bomb.length).toBeLessThan(100_000);
  await expect(unzipped(bomb, "plan.json", 1000)).rejects.toThrow(message);
});

test.each([
  ["is none", Buffer.from("hello")],
  ["is empty", Buffer.alloc(0)],
  ["is cut off", zipOf({ "plan.json": "{}" }).subarray(0, 60)],
])("an archive that %s is an error", async (_, archive) => {
  await expect(unzipped(archive, "plan.json", 100)).rejects.toThrow("is not a valid zip archive");
});

test("an archive without the file is an error", async () => {
  await expect(unzipped(zipOf({ "a.json": "{}" }), "plan.json", 100)).rejects.toThrow(
    "has no file plan.json",
  );
});

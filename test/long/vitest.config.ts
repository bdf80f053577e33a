import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import usual, { long, projectsOf } from "../../vitest.config.ts";

// Vitest loads this file again for each project: only the first time draws.
if (process.env["LAW_SEED"] === undefined || process.env["RUNS"] === undefined) {
  process.env["LAW_SEED"] ??= `${Math.floor(Math.random() * 2 ** 31)}`;
  process.env["RUNS"] ??= "10";
  const { LAW_SEED, RUNS } = process.env;
  console.log(`To repeat this run: LAW_SEED=${LAW_SEED} RUNS=${RUNS} npm run test:long`);
}

const files = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => join("test", name).replaceAll("\\", "/"));

/** Where the tag of a test comes from: the other files have no counted test, and are not loaded. */
const importsTag = /"(?:.*\/runs|.*\/law)\.ts"/;
const isLong = (file: string): boolean => file.endsWith(long);
const counted = files.filter((file) => !isLong(file) && importsTag.test(readFileSync(file, "utf8")));

// What is too long for `npm test`, and again, but more often, the tests that have a count.
export default defineConfig({
  ...usual,
  test: {
    ...usual.test,
    projects: [
      { extends: true, test: { name: "long", include: files.filter(isLong) } },
      ...projectsOf({
        product: counted,
        ofPlaces: counted.filter((file) => file.startsWith("test/places/")),
        tagsFilter: ["counted"],
      }),
    ],
    // The counts may be as high as somebody likes.
    testTimeout: 0,
  },
});

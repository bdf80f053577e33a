import { defineConfig } from "vitest/config";
import { cachedChecks } from "../../build/compiled-checks.mjs";
import usual, { projectsOf } from "../../vitest.config.ts";
import { countedFiles, longFiles } from "./files.ts";

// Vitest loads this file again for each project: only the first time draws. Others load it who run nothing.
const isDrawn = process.env["LAW_SEED"] !== undefined && process.env["RUNS"] !== undefined;
if (process.env["VITEST"] !== undefined && !isDrawn) {
  process.env["LAW_SEED"] ??= `${Math.floor(Math.random() * 2 ** 31)}`;
  process.env["RUNS"] ??= "10";
  const { LAW_SEED, RUNS } = process.env;
  console.log(`To repeat this run: LAW_SEED=${LAW_SEED} RUNS=${RUNS} npm run test:long`);
}

// What is too long for `npm test`, and again, but more often, the tests that have a count.
export default defineConfig({
  ...usual,
  test: {
    ...usual.test,
    projects: [
      { extends: true, plugins: [cachedChecks()], test: { name: "long", include: [...longFiles] } },
      ...projectsOf({
        product: [...countedFiles],
        ofPlaces: countedFiles.filter((file) => file.startsWith("test/places/")),
        tagsFilter: ["counted"],
      }),
    ],
    // The counts may be as high as somebody likes.
    testTimeout: 0,
  },
});

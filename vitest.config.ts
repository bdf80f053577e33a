import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectConfiguration } from "vitest/config";
import { cachedChecks } from "./build/compiled-checks.mjs";
import { pageAssets } from "./build/page-assets.mjs";
import { builtDist } from "./test/support/built.ts";
import { LongestFirst } from "./test/support/longest-first.ts";
import { otherFacets } from "./test/places/other-facets.ts";

/** How the names of test files end that only `npm run test:long` runs. */
export const long = ".long.test.ts";

const places = "test/places/**/*.test.ts";

interface Files {
  readonly product: string[];
  /** Only in the long run: to load all sources a second time, for a few laws, takes a tenth of the time of `npm test`. */
  readonly ofPlaces?: string[];
  readonly exclude?: string[];
  /** Only tests with one of these tags are run. Vitest's types know that for all projects alone. */
  readonly tagsFilter?: readonly string[];
}

/** Packages of a folder of tests have tests, too. */
const packages = "**/node_modules/**";

/** The test files: those in `test/places` are run with the sources knowing facets of tests, too. */
export function projectsOf({
  product,
  ofPlaces,
  exclude = [],
  ...filter
}: Files): TestProjectConfiguration[] {
  const usual: TestProjectConfiguration = {
    extends: true,
    plugins: [cachedChecks()],
    test: { name: "product", include: product, exclude: [places, packages, ...exclude], ...filter },
  };
  if (!ofPlaces) return [usual];
  return [
    usual,
    {
      extends: true,
      plugins: [otherFacets(), cachedChecks(otherFacets())],
      test: { name: "places", include: ofPlaces, exclude: [packages, ...exclude], ...filter },
    },
  ];
}

export default defineConfig({
  // Node resolves `graphql` to its CommonJS build; were Vite to take the other one, its types would exist twice.
  resolve: { alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }] },
  plugins: [pageAssets(), builtDist()],
  test: {
    globalSetup: ["test/support/memory.ts"],
    setupFiles: ["test/support/spawner.ts", "test/support/seed.ts"],
    tags: [{ name: "counted", description: "has a count, which RUNS multiplies: see test/support/runs.ts" }],
    // Only what hangs takes this long, also on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Each worker loads the sources once. Tests share no state: catalogs and directories are their own.
    isolate: false,
    unstubEnvs: true,
    // Expected results are written with --update alone.
    update: "none",
    // While one waits for another process, that has the core. Each further worker would load and compile all again.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongestFirst },
    projects: projectsOf({
      product: ["test/**/*.test.ts"],
      exclude: [`test/**/*${long}`],
    }),
  },
});

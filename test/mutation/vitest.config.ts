import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// A mutant ends with the first test that fails, so what is quick comes first.
const paths = [
  "test/facets/",
  "test/plan/",
  "test/contract/contracts.test.ts",
  "test/mutation/modules-load.ts",
  "test/manifests/schema/schema.test.ts",
  "test/laws/",
];

class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  return paths.findIndex((path) => moduleId.includes(path));
}

// The tests of the pure core, and of the schemas that facets make. They need neither `dist` nor a catalog.
export default defineConfig({
  test: {
    include: paths.map((path) => (path.endsWith("/") ? `${path}**/*.test.ts` : path)),
    // What takes seconds and goes through a catalog finds no mutant that the others miss.
    exclude: [
      "test/plan/speed.test.ts",
      ...["export", "left-to-rules", "over-http", "pull"].map((name) => `test/laws/${name}.test.ts`),
    ],
    setupFiles: ["test/mutation/same-inputs.ts"],
    env: { LAW_RUNS: "10", LAW_SEED: "1" },
    testTimeout: 600_000,
    // Each mutant has a worker of its own anyway.
    isolate: false,
    sequence: { sequencer: QuickFirst },
  },
});

import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// A mutant ends with the first test that fails, so what is quick comes first.
const folders = ["facets", "plan", "laws"];

class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  return folders.findIndex((folder) => moduleId.includes(`/test/${folder}/`));
}

/** The tests of the pure core alone: they need neither `dist` nor a catalog, and are run for each mutant. */
export default defineConfig({
  test: {
    include: folders.map((folder) => `test/${folder}/**/*.test.ts`),
    exclude: ["test/plan/speed.test.ts"],
    setupFiles: ["test/mutation/same-inputs.ts"],
    env: { LAW_RUNS: "10" },
    // Each mutant has a worker of its own anyway.
    isolate: false,
    sequence: { sequencer: QuickFirst },
  },
});

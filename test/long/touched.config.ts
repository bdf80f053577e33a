import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { countedFiles, longFiles } from "./files.ts";
import { changedFiles, touchedBy } from "./touched.ts";

// Vitest loads this file, and the next one, again for each project: only the first time draws.
process.env["LAW_SEED"] ??= `${Math.floor(Math.random() * 2 ** 31)}`;
process.env["RUNS"] ??= "2";
process.env["TESTS_BEGIN_UNTIL"] ??= String(Date.now() + 4 * 60_000);
const { default: long } = await import("./vitest.config.ts");
const touched = touchedBy(changedFiles(), [...longFiles, ...countedFiles], process.env["LAW_SEED"]);

/** Has the files begin in the order in which they are to be tried. */
class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number =>
      touched.findIndex((file) => moduleId.endsWith(`/${file}`));
    return files.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

const others = [...longFiles, ...countedFiles].filter((file) => !touched.includes(file));

// Of what `npm run test:long` runs, what the last commits touch, as much as begins within four minutes.
export default defineConfig({
  ...long,
  test: {
    ...long.test,
    setupFiles: [long.test?.setupFiles ?? [], "test/long/in-time.ts"].flat(),
    sequence: { sequencer: InOrder },
    exclude: others,
    passWithNoTests: true,
  },
});

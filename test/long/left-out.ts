import type { Reporter, TestModule } from "vitest/node";

/** Why a test is left out. */
export const late = "no time was left";

/** Names the files of which tests were left out, and how the run is repeated. */
export default class LeftOut implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const { children, relativeModuleId } of modules) {
      const results = [...children.allTests()].map((test) => test.result());
      const count = results.filter((result) => result.state === "skipped" && result.note === late).length;
      if (count > 0) console.log(`Left out, as ${late}: ${count} of ${relativeModuleId}`);
    }
    const { LAW_SEED, RUNS } = process.env;
    console.log(`To repeat what failed: LAW_SEED=${LAW_SEED} RUNS=${RUNS} npm run test:long -- FILE`);
  }
}

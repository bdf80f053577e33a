import { BaseSequencer, type TestSpecification } from "vitest/node";

// What takes long and begins late ends when all else has ended, and leaves the other cores idle. Vitest knows how long
// files took only where it has run them before; in a new clone it takes large ones for long.
const longest = [
  "test/scenarios.test.ts",
  "test/histories/histories.test.ts",
  "test/cli/shards.test.ts",
  "test/cli/conflicts.test.ts",
  "test/cli/history.test.ts",
  "test/cli/prune.test.ts",
  "test/cli/edits-meanwhile.test.ts",
  "test/cli/saved-plan.test.ts",
  "test/laws/export.test.ts",
  "test/cli/export.test.ts",
  "test/cli/prune-references.test.ts",
  "test/cli/cut-off-creations.test.ts",
  "test/laws/settled.test.ts",
  "test/cli/sources.test.ts",
  "test/cli/changed-since.test.ts",
];

/** Has the files begin first that are known to take longest, and then the others as Vitest orders them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is no array.
    const usual = await super.sort(files);
    return usual.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = longest.findIndex((path) => moduleId.endsWith(`/${path}`));
  return rank === -1 ? longest.length : rank;
}

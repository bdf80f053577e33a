import { BaseSequencer, type TestSpecification } from "vitest/node";

// What takes long and begins late ends when all else has ended, and leaves the other cores idle. Vitest knows how long
// files took only where it has run them before; in a new clone it takes large ones for long.
const longest = [
  "test/scenarios.test.ts",
  "test/storms/property-races.test.ts",
  "test/histories/histories.test.ts",
  "test/cli/unread-verdicts.test.ts",
  "test/cli/start-up.test.ts",
  "test/workflow/scope/history.test.ts",
  "test/cli/init.test.ts",
  "test/cli/process.test.ts",
  "test/local-catalog/graphql/every-mutation.test.ts",
  "test/storms/list-races.test.ts",
  "test/manifests/schema/built-checks.test.ts",
  "test/local-catalog/durability.test.ts",
  "test/cli/read-only.test.ts",
  "test/cli/export.test.ts",
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

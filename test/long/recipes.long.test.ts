import { expect, test } from "vitest";
import { type Copy, copyRepository, recipes } from "./recipes.ts";

const all = recipes();

/** What a piece of work is checked with, in this order: what fails first is seen first. */
const checks = [
  "tsc --noEmit",
  "knip --no-progress",
  "vitest run test/scenarios.test.ts --testNamePattern '^every (?:facet|kind) has a story'",
  "vitest run test/acceptance/acceptance.test.ts --testNamePattern '^the acceptance tries every'",
] as const;

/** The tests that depend on what is in a list. Others name facets, kinds, guards, commands and formats one by one. */
const dependent = [
  "scenarios.test.ts story-files.test.ts acceptance/ architecture/ contract/ docs/ facets/ laws/",
  "manifests/ plan/ report/ sync/list/ sync/policies/ sync/read/ sync/snapshot/ workflow/ cli/options/ cli/complete.test.ts",
  "cli/failures.test.ts cli/hostile-files.test.ts cli/init.test.ts cli/program.test.ts cli/start-up.test.ts",
].flatMap((line) => line.split(" ").map((path) => `test/${path}`));

test("CONTRIBUTING.md has a recipe for each thing that is added to a list", () => {
  const added = all.map(({ pieces }) => pieces.filter(({ isChange }) => !isChange).map(({ file }) => file));
  expect(added.map((files) => files.map((file) => file.replace(/[^/]*$/, "")))).toEqual([
    ["src/facets/", "test/scenarios/"],
    ["src/kinds/", "test/scenarios/"],
    ["src/plan/checks/guards/"],
    ["src/cli/commands/"],
    ["src/report/text/"],
  ]);
});

test("with all recipes nothing is red", () => {
  const copy = copyRepository();
  copy.write(all.flatMap(({ pieces }) => pieces));
  const [, block = ""] = /^```sh\n(npm run fix\n.*?)^```$/ms.exec(copy.readText("CONTRIBUTING.md")) ?? [];
  const commands = block.trimEnd().split("\n").slice(0, -1);
  expect(commands.length).toBeGreaterThan(1);
  // What is generated from what others of them generate is still red meanwhile.
  for (const line of commands) copy.run(line);
  for (const line of ["tsc --noEmit", "oxlint --type-aware", "knip"]) {
    const { code, output } = copy.run(line);
    expect(code, `${line}\n${output}`).toBe(0);
  }

  copy.run(`vitest run ${dependent.join(" ")} --reporter=json --outputFile=results.json`);
  const { testResults } = JSON.parse(copy.readText("results.json")) as {
    readonly testResults: readonly {
      readonly name: string;
      readonly status: string;
      readonly message: string;
      readonly assertionResults: readonly {
        readonly status: string;
        readonly title: string;
        readonly failureMessages: readonly string[];
      }[];
    }[];
  };
  const red = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults
      .filter((each) => each.status === "failed")
      .map(({ title, failureMessages }) => [title, ...failureMessages].join("\n"));
    return failed.length > 0 || status === "passed" ? failed : [`${name}: ${message}`];
  });
  expect(red).toEqual([]);
});

const forgotten = all.flatMap(({ title, names, pieces }) =>
  pieces.map((piece) => ({ title, names, file: piece.file, rest: pieces.filter((each) => each !== piece) })),
);

test.each(forgotten)("$title: without $file a check fails that names it", ({ names, rest }) => {
  const copy = copyRepository();
  copy.write(rest);
  expect(firstFailure(copy)).toMatch(new RegExp(names.join("|")));
});

/** What the first check prints that fails. */
function firstFailure(copy: Copy): string | undefined {
  for (const line of checks) {
    const { code, output } = copy.run(line);
    if (code !== 0) return output;
  }
  return undefined;
}

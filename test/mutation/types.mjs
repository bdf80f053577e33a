// A checker for Stryker: no test is needed for a mutant that does not compile. The one for TypeScript compiles the project for
// each mutant, and needs an older TypeScript. Here each mutant is a copy of its file, and many copies are compiled at once.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CheckStatus } from "@stryker-mutator/api/check";
import { declareFactoryPlugin, PluginKind } from "@stryker-mutator/api/plugin";

const copiesAtOnce = 2500;
const folder = resolve(".stryker-tmp");

const tsconfig = JSON.stringify({
  extends: resolve("tsconfig.json"),
  compilerOptions: {
    // A mutant that leaves something unused is a fault that tests have to find.
    noUnusedLocals: false,
    noUnusedParameters: false,
    allowUnreachableCode: true,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: false,
  },
  include: ["*.ts"],
});

export const strykerPlugins = [declareFactoryPlugin(PluginKind.Checker, "types", checkerOf)];

function checkerOf() {
  return {
    async init() {
      mkdirSync(folder, { recursive: true });
    },

    async group(mutants) {
      const ids = mutants.map(({ id }) => id);
      const count = Math.ceil(ids.length / copiesAtOnce);
      return Array.from({ length: count }, (_, n) => ids.slice(n * copiesAtOnce, (n + 1) * copiesAtOnce));
    },

    async check(mutants) {
      const reasons = faultsOf(mutants);
      return Object.fromEntries(
        mutants.map(({ id }) => {
          const reason = reasons.get(id);
          return [id, reason ? { status: CheckStatus.CompileError, reason } : { status: CheckStatus.Passed }];
        }),
      );
    },
  };
}

/** What the compiler says first of each mutant that does not compile, by the ids of mutants. */
function faultsOf(mutants) {
  const directory = mkdtempSync(join(folder, "types-"));
  try {
    for (const mutant of mutants) writeFileSync(join(directory, `${mutant.id}.ts`), copyOf(mutant));
    writeFileSync(join(directory, "tsconfig.json"), tsconfig);
    const compiler = resolve("node_modules/typescript/bin/tsc");
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [compiler, "-p", directory, "--pretty", "false"],
      { encoding: "utf8", maxBuffer: 2 ** 30 },
    );
    const faults = stdout.matchAll(/^(?:.*\/)?(?<id>\d+)\.ts\(\d+,\d+\): error (?<reason>.*)$/gm);
    const reasons = new Map([...faults].toReversed().map(({ groups: { id, reason } }) => [id, reason]));
    if (status !== 0 && reasons.size === 0) throw new Error(stdout + stderr);
    return reasons;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The file with the mutant in it, which can be compiled at another place. */
function copyOf({ fileName, location: { start, end }, replacement }) {
  const code = readFileSync(fileName, "utf8");
  const mutated = code.slice(0, offsetOf(code, start)) + replacement + code.slice(offsetOf(code, end));
  return mutated.replace(/(from |import\()"(\.[^"]*)"/g, (_, before, path) => {
    return `${before}${JSON.stringify(resolve(dirname(fileName), path))}`;
  });
}

function offsetOf(code, { line, column }) {
  let start = 0;
  for (let n = 0; n < line; n++) start = code.indexOf("\n", start) + 1;
  return start + column;
}

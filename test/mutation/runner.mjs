// A test runner for Stryker. The one for vitest starts a worker for each mutant and loads vitest, fast-check and a hundred
// modules there: seconds, for tests of milliseconds. Here all tests and sources are one script. It is evaluated afresh for
// each mutant, so that nothing is left of the one before.
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { isModuleNamespaceObject } from "node:util/types";
import { INSTRUMENTER_CONSTANTS } from "@stryker-mutator/api/core";
import { declareFactoryPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import { determineHitLimitReached, TestStatus, toMutantRunResult } from "@stryker-mutator/api/test-runner";
import { startTests } from "@vitest/runner";
import fc from "fast-check";
import { scriptOf } from "./script.mjs";
import { nearestFirst, testFiles } from "./test-files.mjs";
import * as vitest from "./vitest-api.mjs";

// Libraries are those of the sources, and not those of Stryker.
const require = createRequire(new URL("../../package.json", import.meta.url));

/** Seconds of tests for a mutant, those that are nearest to it first; one that survives them counts as survived. */
const maxSeconds = { quick: 15, wide: 45 };

const config = {
  root: process.cwd(),
  setupFiles: [],
  passWithNoTests: true,
  allowOnly: false,
  sequence: { seed: 1, hooks: "stack", setupFiles: "list" },
  maxConcurrency: 1,
  testTimeout: 600_000,
  hookTimeout: 600_000,
  retry: 0,
  tags: [],
  strictTags: false,
};

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, "one-script", runnerOf)];

function runnerOf() {
  const stage = process.env.MUTATION_STAGE ?? "quick";
  const files = testFiles(stage);
  const mutants = (globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {});
  let script;
  return {
    capabilities: () => ({ reloadEnvironment: true }),

    async init() {
      // Which mutants a law finds must not be a matter of chance. Nobody reads the smallest counterexample.
      fc.configureGlobal({ seed: 1, endOnFailure: true });
      Object.assign(process.env, { RUNS: "0.1", LAWS_APART: "1" });
      script = await scriptOf(files);
    },

    async dryRun() {
      mutants.activeMutant = undefined;
      const before = (id) => (mutants.currentTestId = id);
      const tests = [];
      for (const file of files) {
        // What runs while a file is loaded, or in its hooks, belongs to the file.
        const of = { id: idOfFile(file), name: file, timeSpentMs: 0, fileName: resolve(file) };
        before(of.id);
        tests.push({ ...of, status: TestStatus.Success });
        tests.push(...(await run(script, [file], { before, after: () => before(of.id) })));
      }
      mutants.currentTestId = undefined;
      return { status: "complete", tests, mutantCoverage: mutants.mutantCoverage };
    },

    async mutantRun({ activeMutant: { id, fileName }, testFilter, hitLimit }) {
      Object.assign(mutants, { activeMutant: id, hitCount: 0, hitLimit });
      const filter = testFilter && new Set(testFilter);
      const covering = new Set(testFilter?.map((test) => test.slice(0, test.indexOf("#"))) ?? files);
      const chosen = nearestFirst(files, fileName).filter((file) => covering.has(file));
      const tests = await run(script, chosen, { filter, most: 1000 * maxSeconds[stage] });
      return toMutantRunResult(
        determineHitLimitReached(mutants.hitCount, hitLimit) ?? { status: "complete", tests },
      );
    },
  };
}

/** Runs tests of some files, with all sources loaded afresh; with `most` until one fails, or that many milliseconds are over. */
async function run(script, files, { filter, most, before, after }) {
  const { loaders } = evaluated(script);
  const results = [];
  const begin = performance.now();
  let start = 0;
  let isOver = false;
  const note = (result) => {
    results.push(result);
    isOver ||= most && (result.status === TestStatus.Failed || performance.now() - begin > most);
  };
  const runner = {
    // A mutant that lets a test wait for ever is found sooner than by the time that Stryker gives to all tests of it.
    config: most ? { ...config, testTimeout: most } : config,
    importFile: (path) => loaders[path](),
    onBeforeRunTask(test) {
      const isChosen = !filter || filter.has(idOf(test)) || filter.has(idOfFile(test.file.filepath));
      if (isOver || !isChosen) test.mode = "skip";
    },
    onBeforeTryTask(test) {
      before?.(idOf(test));
      start = performance.now();
    },
    onAfterRetryTask(test) {
      after?.();
      note(resultOf(test, performance.now() - start));
    },
  };
  for (const file of files) {
    if (isOver) break;
    const [{ result }] = await startTests([{ filepath: file }], runner);
    // A file that cannot be loaded fails, and no test in it.
    for (const { message } of result.errors ?? []) {
      note({
        id: idOfFile(file),
        name: file,
        timeSpentMs: 0,
        status: TestStatus.Failed,
        failureMessage: message,
      });
    }
  }
  return results;
}

function evaluated(script) {
  const exports = {};
  script.runInThisContext()((id) => (id === "vitest" ? vitest : libraryAt(id)), exports);
  return exports;
}

// What the script imports by default from a library is the library itself to it.
function libraryAt(id) {
  const library = require(id);
  return isModuleNamespaceObject(library) ? (library.default ?? library) : library;
}

function resultOf(test, timeSpentMs) {
  const { state, errors = [] } = test.result;
  const about = {
    id: idOf(test),
    name: nameOf(test),
    timeSpentMs,
    fileName: resolve(test.file.filepath),
  };
  if (state !== "fail") return { ...about, status: TestStatus.Success };
  return { ...about, status: TestStatus.Failed, failureMessage: errors[0]?.message ?? "" };
}

function idOf(test) {
  return `${test.file.filepath}#${nameOf(test)}`;
}

function idOfFile(file) {
  return `${file}#`;
}

function nameOf({ name, suite }) {
  return suite?.name ? `${nameOf(suite)} ${name}` : name;
}

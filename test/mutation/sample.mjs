// A checker for Stryker: drops what is not in the sample, before anything is compiled or tested.
import { createHash } from "node:crypto";
import { relative } from "node:path";
import { CheckStatus } from "@stryker-mutator/api/check";
import { declareFactoryPlugin, PluginKind } from "@stryker-mutator/api/plugin";

export const strykerPlugins = [declareFactoryPlugin(PluginKind.Checker, "sample", checkerOf)];

const dropped = { status: CheckStatus.CompileError, reason: "not in the sample" };

function checkerOf() {
  const percent = Number(process.env.MUTATION_SAMPLE ?? 100);
  const seed = process.env.MUTATION_SEED ?? "1";
  return {
    async init() {},

    async group(mutants) {
      return [mutants.map(({ id }) => id)];
    },

    async check(mutants) {
      const isChosen = (mutant) => placeOf(mutant, seed) < percent;
      const results = mutants.map((mutant) => [
        mutant.id,
        isChosen(mutant) ? { status: CheckStatus.Passed } : dropped,
      ]);
      return Object.fromEntries(results);
    },
  };
}

/** A number from 0 to 100, the same in both stages and in each run. */
function placeOf({ fileName, location, replacement }, seed) {
  const about = JSON.stringify([seed, relative(".", fileName), location, replacement]);
  return (100 * createHash("sha256").update(about).digest().readUInt32BE()) / 2 ** 32;
}

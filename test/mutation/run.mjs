// The mutation score of `src/plan`, `src/facets` and `src/run`, or of the files that are named, in two stages: a mutant that
// survives the quick tests meets those with a catalog. What survives both is printed, with the score of each file. With
// `--sample 10` a tenth of the mutants is tried, by chance; `--seed` draws another tenth. With `--tests test/plan/judge/`
// (more than once) only these tests are run, in one stage: seconds, while tests of some files are written. Stryker belongs to a
// package of its own, which is installed where it is not there.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { parseArgs } from "node:util";

/** The least score of each folder, in percent. */
const least = 95;

const detected = new Set(["Killed", "Timeout"]);
const undetected = new Set(["Survived", "NoCoverage"]);

const home = "test/mutation";
if (!existsSync(`${home}/node_modules`)) execFileSync("npm", ["ci", "--prefix", home], { stdio: "inherit" });
const { Stryker } = await import("@stryker-mutator/core");

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    tests: { type: "string", multiple: true },
  },
});
const percent = Number(values.sample);
if (!(percent > 0 && percent <= 100)) throw new Error("--sample takes a percentage, such as 10");
Object.assign(process.env, { MUTATION_SAMPLE: values.sample, MUTATION_SEED: values.seed });

const results = new Map();
if (values.tests) process.env["MUTATION_TESTS"] = values.tests.join(" ");
await runStage("quick", files.length > 0 ? files : undefined);
const left = values.tests ? [] : [...results.values()].filter(({ status }) => undetected.has(status));
if (left.length > 0) await runStage("wide", left.map(rangeOf));
print([...results.values()].filter(({ status }) => detected.has(status) || undetected.has(status)));

async function runStage(stage, mutate) {
  process.env["MUTATION_STAGE"] = stage;
  const report = (type) => ({ fileName: `reports/mutation/${stage}.${type}` });
  const options = { htmlReporter: report("html"), jsonReporter: report("json"), ...(mutate && { mutate }) };
  for (const mutant of await new Stryker(options).runMutationTest()) {
    const known = results.get(keyOf(mutant));
    // A range has those within it, too, which the stage before has found.
    if (!known || undetected.has(known.status)) results.set(keyOf(mutant), mutant);
  }
}

function print(mutants) {
  const lines = [];
  const note = (line) => lines.push(line);
  for (const file of new Set(mutants.map(nameOf))) {
    const own = mutants.filter((mutant) => nameOf(mutant) === file);
    const survivors = own.filter(({ status }) => undetected.has(status));
    note(`${textOf(own)} ${file}`);
    for (const { location, mutatorName, replacement } of survivors) {
      note(
        `  ${location.start.line}:${location.start.column} ${mutatorName}: ${replacement.replace(/\s+/g, " ")}`,
      );
    }
  }
  for (const folder of ["plan", "facets", "run"]) {
    const own = mutants.filter((mutant) => nameOf(mutant).startsWith(`src/${folder}/`));
    if (own.length === 0) continue;
    note(`${textOf(own)} src/${folder}`);
    if (scoreOf(own) < least) process.exitCode = 1;
  }
  note(`${textOf(mutants)} in all`);
  mkdirSync("reports/mutation", { recursive: true });
  writeFileSync("reports/mutation/survivors.txt", lines.map((line) => `${line}\n`).join(""));
  console.log(lines.join("\n"));
}

function textOf(mutants) {
  const text = `${scoreOf(mutants).toFixed(1)} % of ${mutants.length}`;
  if (percent === 100) return text;
  const [low, high] = intervalOf(scoreOf(mutants) / 100, mutants.length);
  return `${text} (${low.toFixed(1)} to ${high.toFixed(1)} % with 95 % confidence)`;
}

/** Wilson's interval of a share of `n`, in percent. */
function intervalOf(share, n) {
  const z2 = 1.96 ** 2;
  const centre = share + z2 / (2 * n);
  const spread = Math.sqrt(z2 * ((share * (1 - share)) / n + z2 / (4 * n * n)));
  return [centre - spread, centre + spread].map((end) => (100 * end) / (1 + z2 / n));
}

function scoreOf(mutants) {
  return (100 * mutants.filter(({ status }) => detected.has(status)).length) / mutants.length;
}

// Stryker counts columns from 0 in a range, and from 1 in a result.
function rangeOf(mutant) {
  const { start, end } = mutant.location;
  return `${nameOf(mutant)}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
}

function keyOf(mutant) {
  return `${rangeOf(mutant)} ${mutant.replacement}`;
}

function nameOf({ fileName }) {
  return relative(".", fileName).replaceAll("\\", "/");
}

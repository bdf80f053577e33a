import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { accept, type Results } from "./acceptance.ts";
import { type Mood, moods, startOwnCatalog } from "./own-catalog.ts";
import { type Format, formats, resultsText } from "./results-text.ts";
import type { Target } from "./workspace.ts";

const root = process.cwd();
const moodNames = Object.keys(moods) as readonly Mood[];
const exitCodes = { passed: 0, failed: 1, interrupted: 130 } as const;

process.exitCode = await main();

/** Runs the acceptance as the environment says, and prints its table. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      format: { type: "string", default: "text" },
      mood: { type: "string", default: "lagging" },
      only: { type: "string", multiple: true },
      results: { type: "string" },
    },
  });
  const format = formats.find((each) => each === values.format);
  if (!format) throw new Error(`--format is one of ${formats.join(", ")}`);
  const mood = moodNames.find((each) => each === values.mood);
  if (!mood) throw new Error(`--mood is one of ${moodNames.join(", ")}`);
  const interrupted = interruption();
  try {
    const results = await acceptSomewhere(mood, values.only, interrupted);
    if (values.results !== undefined) save(results, values.results);
    return print(results, format);
  } catch (error) {
    tell(interrupted.aborted ? "Interrupted: what was made has been taken away." : String(error));
    return interrupted.aborted ? exitCodes.interrupted : exitCodes.failed;
  }
}

async function acceptSomewhere(
  mood: Mood,
  only: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Results> {
  const given = targetFrom(process.env);
  const own = given ? undefined : await startOwnCatalog(root, mood);
  const target = given ?? own?.target;
  if (!target) throw new Error("there is no server");
  try {
    return await accept({
      target,
      cli: join(root, "dist/cli.js"),
      journals: join(root, "node_modules/.cache/acceptance/journals"),
      ...(only && { only }),
      hidden: given ? process.env["ACCEPTANCE_RESTRICTED"] : own?.hidden,
      isAnySize: process.env["ACCEPTANCE_ANY_SIZE"] === "1",
      signal,
      tell,
    });
  } finally {
    await own?.close();
  }
}

function targetFrom({
  DATAHUB_GMS_URL: url,
  DATAHUB_GMS_TOKEN: token,
}: NodeJS.ProcessEnv): Target | undefined {
  return url ? { address: url.replace(/\/+$/, ""), token } : undefined;
}

/** The first Ctrl-C ends the trials, the second one everything. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(exitCodes.interrupted);
      controller.abort(new Error("interrupted"));
      tell(
        "Interrupted: taking away what was made. Once more ends at once; the next run takes away what is left.",
      );
    });
  }
  return controller.signal;
}

/** Keeps the results as data, for docs/internals/compatibility.md. */
function save(results: Results, file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, resultsText(results, "json"));
}

function print(results: Results, format: Format): number {
  process.stdout.write(resultsText(results, format));
  return results.rows.some(({ result }) => result === "failed") ? exitCodes.failed : exitCodes.passed;
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { blobId } from "./content.ts";
import { outputOf } from "./fault.ts";

/** Where a clone notes the reports of the runs that it kept itself. No push or fetch reaches this file, unlike the refs of runs. */
const file = join("datahub-gitops", "own-runs");

/** The file is shortened when it has more lines than this. */
const maxLines = 4000;

/** Notes the id of a report that this clone keeps. Where that fails the run counts as one of another clone. Throws `GitError`. */
export async function noteOwnRun(dir: string, report: string): Promise<void> {
  const path = await pathIn(dir);
  const known = linesIn(path);
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (known.length < maxLines) appendFileSync(path, `${report}\n`);
    else writeFileSync(path, `${[...known.slice(-maxLines / 2), report].join("\n")}\n`);
  } catch {
    // The run is kept all the same.
  }
}

/** Whether this clone kept a run with this report itself. Throws `GitError`. */
export async function isOwnReport(dir: string, text: Buffer): Promise<boolean> {
  const known = linesIn(await pathIn(dir));
  return [40, 64].some((length) => known.includes(blobId(text, length)));
}

async function pathIn(dir: string): Promise<string> {
  const found = await outputOf(dir, ["rev-parse", "--git-common-dir"]);
  return join(resolve(dir, found.toString().replace(/\r?\n$/, "")), file);
}

function linesIn(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n").slice(0, -1);
  } catch {
    return [];
  }
}

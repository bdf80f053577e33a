import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { outputOf } from "./fault.ts";
import { objectOf } from "./objects.ts";

/** Where a clone notes the runs that it kept itself. No push or fetch reaches this file, unlike the refs of runs. */
const file = join("datahub-gitops", "own-runs");

/** The file is shortened when it has more lines than this. */
const maxLines = 4000;

/**
 * Notes that this clone kept a run: by its tree, which stays the same where a push gives the commit another parent. Where that
 * fails the run counts as one of another clone. Throws `GitError`.
 */
export async function noteOwnRun(dir: string, commit: string): Promise<void> {
  const path = await pathIn(dir);
  const tree = await treeOf(dir, commit);
  const known = linesIn(path);
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (known.length < maxLines) appendFileSync(path, `${tree}\n`);
    else writeFileSync(path, `${[...known.slice(-maxLines / 2), tree].join("\n")}\n`);
  } catch {
    // The run is kept all the same.
  }
}

/** Whether this clone kept a run itself. Throws `GitError`. */
export async function isOwnRun(dir: string, commit: string): Promise<boolean> {
  const tree = await treeOf(dir, commit);
  return tree !== undefined && linesIn(await pathIn(dir)).includes(tree);
}

async function treeOf(dir: string, commit: string): Promise<string | undefined> {
  const tree = await objectOf(dir, `${commit}^{tree}`);
  return "id" in tree ? tree.id : undefined;
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

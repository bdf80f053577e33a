/**
 * Records which run reports this clone wrote itself, in a file that git neither pushes nor fetches, and recognizes these reports.
 */

import { appendFileSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { blobId } from "./blob-id.ts";

/** The file's path relative to the git directory. */
const file = join("datahub-gitops", "own-runs");

/** The maximum number of lines. A full file is cut to its newer half. */
const maxLines = 4000;

/** Records the blob id of a report that this clone writes. If that fails, the run seems to come from another clone. */
export function noteOwnRun(dir: string, report: string): void {
  const path = pathIn(dir);
  if (path === undefined) return;
  const known = linesIn(path);
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (known.length < maxLines) appendFileSync(path, `${report}\n`);
    else writeFileSync(path, `${[...known.slice(-maxLines / 2), report].join("\n")}\n`);
  } catch {
    // The run itself is already recorded.
  }
}

/** Whether this clone recorded the run with this report. */
export function isOwnReport(dir: string, text: Buffer): boolean {
  const path = pathIn(dir);
  const known = path === undefined ? [] : linesIn(path);
  return [40, 64].some((length) => known.includes(blobId(text, length)));
}

function pathIn(dir: string): string | undefined {
  const found = gitDirectoryOf(dir);
  return found === undefined ? undefined : join(found, file);
}

/** Returns a repository's git directory. Linked work trees share this directory. */
function gitDirectoryOf(dir: string): string | undefined {
  const { GIT_DIR } = process.env;
  const own = GIT_DIR === undefined ? gitAbove(resolve(dir)) : resolve(GIT_DIR);
  if (own === undefined) return undefined;
  const [shared] = linesIn(join(own, "commondir"));
  return shared === undefined ? own : resolve(own, shared);
}

function gitAbove(dir: string): string | undefined {
  const path = join(dir, ".git");
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return path;
  const [link = ""] = found ? linesIn(path) : [];
  if (link.startsWith("gitdir: ")) return resolve(dir, link.slice("gitdir: ".length));
  return dirname(dir) === dir ? undefined : gitAbove(dirname(dir));
}

function linesIn(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n").slice(0, -1);
  } catch {
    return [];
  }
}

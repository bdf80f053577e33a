/** Lists the run reports that this clone has written, in a file that git neither pushes nor fetches. */

import { appendFileSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { blobId } from "./blob-id.ts";

/** The path, relative to the git directory, of the file that lists the reports from this clone. */
const file = join("datahub-gitops", "own-runs");

/** The maximum number of lines in the file. When the file is full, only its newer half is kept. */
const maxLines = 4000;

/**
 * Records the blob id of a report that this clone has written. If recording fails, the run appears to come from a different
 * clone.
 */
export function noteOwnRun(dir: string, report: string): void {
  const path = pathIn(dir);
  if (path === undefined) return;
  const known = linesIn(path);
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (known.length < maxLines) appendFileSync(path, `${report}\n`);
    else writeFileSync(path, `${[...known.slice(-maxLines / 2), report].join("\n")}\n`);
  } catch {
    // The error is ignored, because the run itself has already been recorded.
  }
}

/** Whether this clone wrote a run report with this content. */
export function isOwnReport(dir: string, text: Buffer): boolean {
  const path = pathIn(dir);
  const known = path === undefined ? [] : linesIn(path);
  return [40, 64].some((length) => known.includes(blobId(text, length)));
}

function pathIn(dir: string): string | undefined {
  const found = gitDirectoryOf(dir);
  return found === undefined ? undefined : join(found, file);
}

/** Returns a repository's git directory, which all linked work trees share. */
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

/** Lists the commits on HEAD's first-parent line since it forked from another commit. */

import { isShallow, mergeBaseOf } from "./commit.ts";
import { GitError, outputOf } from "./fault.ts";
import { firstParentLine } from "./first-parents.ts";

/** The merge base of HEAD and a commit, and the commits on HEAD's first-parent line after it, the oldest first. */
export interface LineSince {
  readonly fork: string;
  readonly later: readonly string[];
}

/**
 * Returns HEAD's first-parent line since its merge base with a commit. Throws `GitError`, for example if a shallow clone lacks some
 * of its commits.
 */
export async function lineSince(dir: string, commit: string): Promise<LineSince> {
  const line = await firstParentLine(dir, commit, "HEAD");
  if (line) return { fork: commit, later: line };
  const fork = await mergeBaseOf(dir, commit);
  const listed = await firstParents(dir, `${fork}..HEAD`);
  const isCut = listed[0]?.includes(" ") === false && (await isShallow(dir));
  if (isCut) throw new GitError({ fault: "no-merge-base", isShallow: true });
  return { fork, later: listed.map((each) => each.split(" ")[0] ?? "") };
}

// Lists a commit's id and its parents' ids on each line, the oldest commit first.
async function firstParents(dir: string, range: string): Promise<readonly string[]> {
  const output = await outputOf(dir, ["rev-list", "--first-parent", "--parents", "--reverse", range]);
  return output
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}

/** Lists the first-parent commits in HEAD's history since HEAD diverged from another commit. */

import { firstParentLine, isShallow, mergeBaseOf } from "./commit.ts";
import { GitError, outputOf } from "./fault.ts";

/** The merge base of HEAD and a commit, and HEAD's first-parent commits after that merge base, oldest first. */
export interface LineSince {
  readonly fork: string;
  readonly later: readonly string[];
}

/**
 * Returns HEAD's first-parent commits since the merge base of HEAD and a commit. Throws `GitError`, for example if a shallow
 * clone lacks some of these commits.
 */
export async function lineSince(dir: string, commit: string): Promise<LineSince> {
  const line = await firstParentLine(dir, commit, "HEAD");
  if (line) return { fork: commit, later: line };
  const fork = await mergeBaseOf(dir, commit);
  const range = ["--reverse", `${fork}..HEAD`];
  const output = await outputOf(dir, ["rev-list", "--first-parent", "--parents", ...range]);
  // Each line contains a commit's id and its parents' ids.
  const listed = output.toString().split("\n").slice(0, -1);
  const isCut = listed[0]?.includes(" ") === false && (await isShallow(dir));
  if (isCut) throw new GitError({ fault: "no-merge-base", isShallow: true });
  return { fork, later: listed.map((each) => each.split(" ")[0] ?? "") };
}

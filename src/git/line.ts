import { isShallow, mergeBaseOf } from "./commit.ts";
import { GitError, outputOf } from "./fault.ts";
import { firstParentLine } from "./first-parents.ts";

/** Where HEAD and a commit went apart, and the commits on HEAD's first-parent line since, the oldest first. */
export interface LineSince {
  readonly fork: string;
  readonly later: readonly string[];
}

/** HEAD's first-parent line since its merge base with a commit. Throws `GitError`, also where a shallow clone lacks a part of it. */
export async function lineSince(dir: string, commit: string): Promise<LineSince> {
  const line = await firstParentLine(dir, commit, "HEAD");
  if (line) return { fork: commit, later: line };
  const fork = await mergeBaseOf(dir, commit);
  const listed = await firstParents(dir, `${fork}..HEAD`);
  const isCut = listed[0]?.includes(" ") === false && (await isShallow(dir));
  if (isCut) throw new GitError({ fault: "no-merge-base", isShallow: true });
  return { fork, later: listed.map((each) => each.split(" ")[0] ?? "") };
}

// For each commit, the oldest first, its id and those of its parents.
async function firstParents(dir: string, range: string): Promise<readonly string[]> {
  const output = await outputOf(dir, ["rev-list", "--first-parent", "--parents", "--reverse", range]);
  return output
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}

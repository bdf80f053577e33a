import type { GitState } from "../model/plan.ts";
import { git } from "./git.ts";

/**
 * The commit that is checked out, and whether the files of a directory differ from it. Where git cannot tell, they do.
 * `null` where there is no repository or no commit.
 */
export async function gitStateOf(dir: string): Promise<GitState> {
  const [commit, changed] = await Promise.all([
    printed(dir, ["rev-parse", "--verify", "--quiet", "HEAD"]),
    printed(dir, ["status", "--porcelain", "--untracked-files=all", "--", "."]),
  ]);
  if (!commit) return { commit: null, dirty: changed !== undefined && changed !== "", base: null };
  return { commit, dirty: changed !== "", base: null };
}

async function printed(dir: string, args: readonly string[]): Promise<string | undefined> {
  const answer = await git(dir, args);
  return "output" in answer ? answer.output.toString().trim() : undefined;
}

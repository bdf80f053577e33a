import type { GitState } from "../model/plan.ts";
import { git } from "./git.ts";

/**
 * The commit that the manifests of a directory stand in, and whether they differ from it; where git cannot tell, they
 * do. Nothing where there is no git.
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

import type { GitState } from "../model/plan.ts";
import { git } from "./git.ts";

/**
 * The commit that is checked out, and whether the files of a directory differ from it. Where git cannot tell, they do.
 * `null` where there is no repository or no commit.
 */
export async function gitStateOf(dir: string): Promise<GitState> {
  const options = ["--porcelain=v2", "--branch", "--no-ahead-behind", "--untracked-files=all"];
  const status = await printed(dir, ["status", ...options, "--", "."]);
  if (status === undefined) {
    const commit = await printed(dir, ["rev-parse", "--verify", "--quiet", "HEAD"]);
    return { commit: commit ?? null, dirty: commit !== undefined, base: null };
  }
  // `# branch.oid 5716ca59…` or `# branch.oid (initial)` among other headers, then a line for each file that differs.
  const commit = /^# branch\.oid ([0-9a-f]+)$/m.exec(status)?.[1] ?? null;
  return { commit, dirty: /^[^#]/m.test(status), base: null };
}

async function printed(dir: string, args: readonly string[]): Promise<string | undefined> {
  const answer = await git(dir, args);
  return "output" in answer ? answer.output.toString().trim() : undefined;
}

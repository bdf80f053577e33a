/** Finds a repository's main branch and the URL of its remote `origin`. */

import { git } from "./git.ts";

/**
 * Returns the default branch of the remote `origin`, or the current branch if the default branch is unknown; `undefined` if there
 * is neither.
 */
export async function mainBranchOf(dir: string): Promise<string | undefined> {
  const [remote, own] = ["refs/remotes/origin/HEAD", "HEAD"].map((ref) =>
    textOf(dir, ["symbolic-ref", "--quiet", ref]),
  );
  const branch = (await remote)?.replace(/^refs\/remotes\/origin\//, "");
  return branch ?? (await own)?.replace(/^refs\/heads\//, "");
}

/** Returns the URL of the remote `origin`; `undefined` if there is none, or if the directory is not the root of a repository. */
export async function originOf(root: string): Promise<string | undefined> {
  const prefix = await textOf(root, ["rev-parse", "--show-prefix"]);
  return prefix === "" ? await textOf(root, ["config", "--get", "remote.origin.url"]) : undefined;
}

async function textOf(dir: string, args: readonly string[]): Promise<string | undefined> {
  const answer = await git(dir, args);
  return "output" in answer ? answer.output.toString().trim() : undefined;
}

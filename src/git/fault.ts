/** Runs git commands, throws `GitError` if they fail, and classifies the failures. */

import { git, type GitFailure, type GitOptions } from "./git.ts";

/**
 * The reason for a git failure. `isShallow` means that the clone is shallow, so it may lack commits that exist in the full
 * repository.
 */
export type GitFault =
  | { readonly fault: "no-git" | "no-repository" | "no-commits" }
  | { readonly fault: "missing" | "no-merge-base"; readonly isShallow: boolean }
  | { readonly fault: "ambiguous"; readonly names: readonly string[] }
  | { readonly fault: "unreadable"; readonly words: string };

/** An error that is thrown when a git command fails. `fault` is the reason. */
export class GitError extends Error {
  override readonly name = "GitError";
  readonly fault: GitFault;

  constructor(fault: GitFault) {
    super(`git: ${fault.fault}`);
    this.fault = fault;
  }
}

/** Returns a git command's output. Throws `GitError` if the command fails. */
export async function outputOf(dir: string, args: readonly string[], options?: GitOptions): Promise<Buffer> {
  const answer = await git(dir, args, options);
  if ("failure" in answer) throw new GitError(faultOf(answer.failure));
  return answer.output;
}

/** Returns the fault for an unexpected git failure. */
export function faultOf({ status, words }: GitFailure): GitFault {
  if (status === "ENOENT") return { fault: "no-git" };
  if (words.startsWith("not a git repository")) return { fault: "no-repository" };
  return unreadable(words);
}

/**
 * Returns a fault with git's message, truncated to 200 characters. A message that contains the `safe.directory` command is not
 * truncated.
 */
export function unreadable(words: string): GitFault {
  return { fault: "unreadable", words: words.includes("safe.directory") ? words : words.slice(0, 200) };
}

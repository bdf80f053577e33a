/** Runs git commands, throws `GitError` if they fail, and classifies the failures. */

import { waitForExit, git, type GitFailure, type GitInput, start } from "./git.ts";

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
export async function outputOf(
  dir: string,
  args: readonly string[],
  input?: GitInput,
  signal?: AbortSignal,
): Promise<Buffer> {
  const answer = await git(dir, args, input, signal);
  if ("failure" in answer) throw new GitError(faultOf(answer.failure));
  return answer.output;
}

/** Returns a git command's output. Throws `GitError` if the command fails or prints more than `bytes` bytes. */
export async function outputUpTo(bytes: number, dir: string, args: readonly string[]): Promise<Buffer> {
  const tooMuch = new AbortController();
  const started = start(dir, args, tooMuch.signal);
  if ("failure" in started) throw new GitError(faultOf(started.failure));
  const { running } = started;
  const output: Buffer[] = [];
  let length = 0;
  running.stdin.end();
  running.stdout.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length <= bytes) output.push(chunk);
    else tooMuch.abort();
  });
  const failure = await waitForExit(running);
  if (length > bytes) throw new GitError(unreadable(`git printed more than ${bytes} bytes`));
  if (failure) throw new GitError(faultOf(failure));
  return Buffer.concat(output);
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

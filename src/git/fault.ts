import { endOf, git, type GitFailure, type GitInput, start } from "./git.ts";

/** Why git does not know what it was asked. A shallow clone may lack what the repository has. */
export type GitFault =
  | { readonly fault: "no-git" | "no-repository" | "no-commits" }
  | { readonly fault: "missing" | "no-merge-base"; readonly isShallow: boolean }
  | { readonly fault: "ambiguous"; readonly names: readonly string[] }
  | { readonly fault: "unreadable"; readonly words: string };

/** Git does not know what it was asked. */
export class GitError extends Error {
  override readonly name = "GitError";
  readonly fault: GitFault;

  constructor(fault: GitFault) {
    super(`git: ${fault.fault}`);
    this.fault = fault;
  }
}

/** What git printed. Throws `GitError` where it failed. */
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

/** The same, where it is no more than some bytes. */
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
  const failure = await endOf(running);
  if (length > bytes) throw new GitError(unreadable(`git printed more than ${bytes} bytes`));
  if (failure) throw new GitError(faultOf(failure));
  return Buffer.concat(output);
}

/** What a failure of git means where none is expected. */
export function faultOf({ status, words }: GitFailure): GitFault {
  if (status === "ENOENT") return { fault: "no-git" };
  if (words.startsWith("not a git repository")) return { fault: "no-repository" };
  return unreadable(words);
}

/** A fault in git's own words; of many of them the beginning, but never without the command that ends it. */
export function unreadable(words: string): GitFault {
  return { fault: "unreadable", words: words.includes("safe.directory") ? words : words.slice(0, 200) };
}

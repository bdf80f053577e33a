import type { GitAnswer, GitFailure } from "./git.ts";

/** Why git does not answer what it was asked. */
export type GitFault =
  | { readonly fault: "no-git" | "no-repository" | "no-commits" }
  | MissingCommit
  | { readonly fault: "ambiguous"; readonly names: readonly string[] }
  | { readonly fault: "unreadable"; readonly words: string };

/** A commit that this clone does not have; a shallow clone may lack what the repository has. */
interface MissingCommit {
  readonly fault: "missing";
  readonly isShallow: boolean;
}

/** What git printed, or what its failure means. */
export function outputOr(answer: GitAnswer): { readonly output: Buffer } | GitFault {
  return "output" in answer ? answer : faultOf(answer.failure);
}

/** What a failure of git means where none is expected. */
export function faultOf({ status, words }: GitFailure): GitFault {
  if (status === "ENOENT") return { fault: "no-git" };
  if (words.startsWith("not a git repository")) return { fault: "no-repository" };
  return unreadable(words);
}

/** A fault in git's own words; of many of them the beginning. */
export function unreadable(words: string): GitFault {
  return { fault: "unreadable", words: words.slice(0, 200) };
}

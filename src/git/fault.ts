import type { Problem, ProblemArgs } from "../model/problem.ts";
import type { GitAnswer, GitFailure } from "./git.ts";

/** Why the history of a catalog directory does not tell what it was asked. */
export interface Fault {
  readonly fault: FaultName;
  readonly args: ProblemArgs;
}

export type FaultName =
  | "no-git"
  | "no-repository"
  | "no-commits"
  | "missing"
  | "no-merge-base"
  | "without-catalog"
  | "link"
  | "sparse"
  | "invalid"
  | "unreadable";

export function faultOf(fault: FaultName, args: ProblemArgs = {}): Fault {
  return { fault, args };
}

/** What git printed, or what its failure means. */
export function outputOr(answer: GitAnswer): { readonly output: Buffer } | Fault {
  return "output" in answer ? answer : failed(answer.failure);
}

/** What a failure of git means where none is expected. */
export function failed({ status, words }: GitFailure): Fault {
  if (status === "ENOENT") return faultOf("no-git");
  if (words.startsWith("not a git repository")) return faultOf("no-repository");
  return faultOf("unreadable", { words: words.slice(0, 200) });
}

/** A fault as a problem. Its code begins with what could not be had: `base-missing`. */
export function problemOf(
  what: "base" | "changed-since",
  severity: Problem["severity"],
  { fault, args }: Fault,
): Problem {
  return { code: `${what}-${fault}`, severity, args };
}

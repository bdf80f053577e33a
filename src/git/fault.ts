import type { BaseFaults, ChangedSinceFaults, GitFaults } from "../model/problem-codes/history-problems.ts";
import type { Problem } from "../model/problem.ts";
import type { GitAnswer, GitFailure } from "./git.ts";

interface Faults extends BaseFaults, ChangedSinceFaults {}

type FaultIn<Table extends object> = {
  readonly [Name in keyof Table & keyof Faults]: { readonly fault: Name; readonly args: Faults[Name] };
}[keyof Table & keyof Faults];

/** Why git does not answer a question about the history of a catalog directory. */
export type Fault = FaultIn<GitFaults>;

/** Why a base is unknown. */
export type BaseFault = FaultIn<BaseFaults>;

/** Why the changed manifests are unknown. */
export type ChangedSinceFault = FaultIn<ChangedSinceFaults>;

export function faultOf<Name extends keyof Faults>(
  fault: Name,
  args: Faults[Name],
): { readonly fault: Name; readonly args: Faults[Name] } {
  return { fault, args };
}

/** What git printed, or what its failure means. */
export function outputOr(answer: GitAnswer): { readonly output: Buffer } | Fault {
  return "output" in answer ? answer : failed(answer.failure);
}

/** What a failure of git means where none is expected. */
export function failed({ status, words }: GitFailure): Fault {
  if (status === "ENOENT") return faultOf("no-git", {});
  if (words.startsWith("not a git repository")) return faultOf("no-repository", {});
  return faultOf("unreadable", { words: words.slice(0, 200) });
}

/** A warning that the base which a ref names is unknown: `base-missing`. */
export function baseProblem(ref: string, { fault, args }: BaseFault): ProblemWithPrefix<"base"> {
  return problemOf("base", fault, "warning", { ref, ...args });
}

/** An error that the manifests which changed since a ref are unknown: `changed-since-missing`. */
export function changedSinceProblem(
  ref: string,
  { fault, args }: ChangedSinceFault,
): ProblemWithPrefix<"changed-since"> {
  return problemOf("changed-since", fault, "error", { ref, ...args });
}

type ProblemWithPrefix<Prefix extends string> = Extract<
  Problem,
  { readonly code: `${Prefix}-${keyof Faults}` }
>;

// TypeScript does not see that the name of a fault and its arguments belong together.
function problemOf<Prefix extends string>(
  prefix: Prefix,
  fault: string,
  severity: Problem["severity"],
  args: object,
): ProblemWithPrefix<Prefix> {
  return { code: `${prefix}-${fault}`, severity, args } as ProblemWithPrefix<Prefix>;
}

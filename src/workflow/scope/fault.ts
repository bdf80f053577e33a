/**
 * Defines the reasons why an earlier commit's manifests are unknown, as errors and as problems, and detects entries that hide
 * manifests.
 */

import type { GitEntry, TreeEntry } from "../../git/tree.ts";
import { GitError, type GitFault } from "../../git/fault.ts";
import { mayLeadToManifests } from "../../manifests/base/catalog-files.ts";
import type { Problem, ProblemArgs } from "../../model/problem.ts";
import type { baseProblems, changedSinceProblems } from "../../model/problems/history.ts";

/** The reason why the manifests in an earlier commit are unknown. */
export type BaseFault =
  | GitFault
  /** A manifest, or a directory on the path to the manifests, is a link or submodule, and git does not store its target. */
  | { readonly fault: "link"; readonly file: string; readonly what: TreeEntry["type"] }
  | { readonly fault: "without-catalog"; readonly dir: string }
  | { readonly fault: "without-environment"; readonly environment: string; readonly commit: string }
  | { readonly fault: "sparse"; readonly file: string; readonly count: number }
  | {
      readonly fault: "invalid";
      readonly commit: string;
      readonly count: number;
      readonly first: string;
      readonly file: string;
      readonly line: number;
      readonly column: number;
    };

/** Thrown if the manifests in an earlier commit are unknown. */
export class HistoryError extends Error {
  override readonly name = "HistoryError";
  readonly fault: BaseFault;

  constructor(fault: BaseFault) {
    super(`cannot read the manifests of an earlier commit: ${fault.fault}`);
    this.fault = fault;
  }
}

/** Returns the fault in a `GitError` or `HistoryError`. Rethrows any other error. */
export function faultOf(error: unknown): BaseFault {
  if (error instanceof GitError || error instanceof HistoryError) return error.fault;
  throw error;
}

/** Whether an entry can lead to manifests that git does not store. */
export function mayHideManifests({ path, type }: GitEntry): boolean {
  return type === "submodule" || (type === "link" && mayLeadToManifests(path));
}

/** Returns a warning that a base is unknown. The plan then omits everything that requires a base. */
export function baseProblem(ref: string, fault: BaseFault): Problem {
  const problem = { code: `base-${fault.fault}`, severity: "warning", args: argsOf(ref, fault) };
  // TypeScript cannot infer the type of the arguments from the fault.
  return problem as ProblemIn<typeof baseProblems>;
}

/** Returns the error for a ref if the manifests that changed since this ref cannot be determined. */
export function changesProblem(ref: string, fault: BaseFault): Problem {
  const problem = { code: `changed-since-${fault.fault}`, severity: "error", args: argsOf(ref, fault) };
  return problem as ProblemIn<typeof changedSinceProblems>;
}

type ProblemIn<Table> = Extract<Problem, { readonly code: keyof Table }>;

function argsOf(ref: string, fault: BaseFault): ProblemArgs {
  if ("isShallow" in fault) return { ref, ...(fault.isShallow && { clone: "shallow" }) };
  const { fault: _, ...facts } = fault;
  return { ref, ...facts };
}

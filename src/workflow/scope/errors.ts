/** Defines the errors for invalid settings and manifests, and for requests that do not fit the repository. */

import type { Problem } from "../../model/problem.ts";
import type { Narrowing } from "../../plan/align/select.ts";

/** Thrown if settings or manifests are invalid. Lists all problems. */
export class ManifestError extends Error {
  override readonly name = "ManifestError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(`${problems.length} problems`);
    this.problems = problems;
  }
}

/** The reason why a request does not fit the repository. */
export type ScopeFailure =
  | { readonly code: "prune-without-base" }
  | { readonly code: "inside-catalog"; readonly directory: string; readonly catalog: string }
  | { readonly code: "environment-needed"; readonly names: readonly string[] }
  | { readonly code: "no-environments"; readonly environment: string }
  | { readonly code: "unknown-environment"; readonly environment: string; readonly names: readonly string[] }
  | ({ readonly code: "no-match"; readonly suggestion?: string | undefined } & Narrowing)
  /** An exclusion pattern matches nothing, so the plan would include entities that the user wanted to exclude. */
  | { readonly code: "excludes-nothing"; readonly patterns: readonly string[] }
  /** `by` is the flag that restricts the selection. */
  | { readonly code: "shard-of-part"; readonly by: string }
  | { readonly code: "unknown-rule"; readonly rule: string; readonly known: readonly string[] }
  | { readonly code: "unknown-base" | "unknown-changes"; readonly problem: Problem }
  /** The number of commits (`count`) that were applied after the current commit. */
  | { readonly code: "older-commit"; readonly count: number }
  | { readonly code: "other-server"; readonly server: string; readonly pinned: string };

/** Thrown if a request does not fit the repository, its history or its settings. Nothing was sent. */
export class ScopeError extends Error {
  override readonly name = "ScopeError";
  readonly failure: ScopeFailure;

  constructor(failure: ScopeFailure) {
    super(messageOf(failure));
    this.failure = failure;
  }
}

function messageOf(failure: ScopeFailure): string {
  if (failure.code === "unknown-base" || failure.code === "unknown-changes")
    return `cannot determine what an earlier commit declared: ${failure.problem.code}`;
  if (failure.code === "inside-catalog")
    return `"${failure.directory}" is part of the catalog in "${failure.catalog}", which has settings`;
  if (failure.code === "shard-of-part")
    return `only the full catalog can be divided into shards, not a selection`;
  if (failure.code === "environment-needed")
    return `the settings define environments, but none was selected: ${failure.names.join(", ")}`;
  if (failure.code === "no-environments")
    return `the environment ${failure.environment} was selected, but the settings have no environments`;
  if (failure.code === "unknown-environment")
    return `the settings have no environment ${failure.environment}, only ${failure.names.join(", ")}`;
  if (failure.code === "unknown-rule") return `no rule has the id ${failure.rule}`;
  if (failure.code === "excludes-nothing")
    return `no declared entity matches the exclusion ${failure.patterns.join(", ")}`;
  if (failure.code === "older-commit") return "the commit is older than the last applied commit";
  if (failure.code === "no-match") return "no declared entity matches the selection";
  return failure.code === "other-server"
    ? `the settings allow only the server ${failure.pinned}, but the selected server is ${failure.server}`
    : "pruning requires a base, which shows what was declared before";
}

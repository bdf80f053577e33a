/** Defines the problems with Git history: with the base, with newer applied commits, and with `--changed-since`. */

import { applied } from "./samples.ts";
import { choice, code, counted } from "./text.ts";
import { appliedRefs } from "../settings.ts";
import { problem, type Severity, type Words } from "./problem.ts";

/** The ref that the problem concerns. */
type Ref = { ref: string };

export const baseProblems = {
  /** Warning: a base is set, but Git is not installed. */
  "base-no-git": problem({
    message: (args: Ref, { severity }: Words) =>
      `cannot read the base ${code(args.ref)}: Git is not installed${effect(severity)}`,
    samples: [{ ref: applied }],
  }),
  /** Warning: a base is set, but the catalog directory is not in a Git repository. */
  "base-no-repository": problem({
    message: (args: Ref, { severity }: Words) =>
      `cannot read the base ${code(args.ref)}: the catalog directory is not in a Git repository${effect(severity)}`,
    samples: [{ ref: applied }],
  }),
  /** Warning: a base is set, but the Git repository has no commits. */
  "base-no-commits": problem({
    message: (args: Ref, { severity }: Words) =>
      isFirst(args, severity)
        ? `no base yet, because the Git repository has no commits: commit the manifests; the first complete apply then records the base as ${code(args.ref)}${effect(severity)}`
        : `cannot read the base ${code(args.ref)}: the Git repository has no commits${effect(severity)}`,
    samples: [{ ref: applied }],
  }),
  /**
   * Warning: the base is not a commit in this repository. The name may be misspelled, the clone may be shallow, the ref may not
   * have been fetched, or nothing has been applied yet.
   */
  "base-missing": problem({
    message: (args: Ref & { clone?: "shallow" }, { severity }: Words) =>
      isFirst(args, severity)
        ? `no base yet: the first complete apply records it as ${code(args.ref)}; if the remote already has one, run ${fetchOfRefs}${effect(severity)}`
        : `the base ${code(args.ref)} is not a commit in this repository: ${waysToFind(args, waysToBase(severity))}${effect(severity)}`,
    samples: [{ ref: applied }, { ref: "v1" }, { ref: "v1", clone: "shallow" }],
  }),
  /** Warning: the base matches several refs, such as a branch and a tag. */
  "base-ambiguous": problem({
    message: (args: Ref & { names: readonly string[] }, { severity }: Words) =>
      `the base ${code(args.ref)} could refer to ${choice(args.names)}: use the full name${effect(severity)}`,
    samples: [{ ref: "v1", names: ["refs/heads/v1", "refs/tags/v1"] }],
  }),
  /**
   * Warning: HEAD and the base have no common ancestor in this clone. The clone may be shallow, or the histories may be
   * unrelated.
   */
  "base-no-merge-base": problem({
    message: (args: Ref & { clone?: "shallow" }, { severity }: Words) =>
      `HEAD and the base ${code(args.ref)} have no common ancestor: ${unrelated(args)}${effect(severity)}`,
    samples: [{ ref: "main" }],
  }),
  /** Warning: the base commit does not contain the catalog directory. The directory may have been moved. */
  "base-without-catalog": problem({
    message: (args: Ref & { dir: string }, { severity }: Words) =>
      `the base ${code(args.ref)} does not contain the directory ${code(args.dir)}: the next complete apply sets a new base${effect(severity)}`,
    samples: [{ ref: applied, dir: "catalog" }],
  }),
  /**
   * Warning: the settings in the base commit are not valid or do not contain the environment, so the tool cannot determine what
   * was applied to it.
   */
  "base-without-environment": problem({
    message: (args: Ref & { environment: string; commit: string }, { severity }: Words) =>
      `the settings in the base ${code(args.ref)} (commit ${args.commit}) are not valid or do not contain the environment ${code(args.environment)}: the next complete apply sets a new base${effect(severity)}`,
    samples: [{ ref: applied, environment: "prod", commit: "0123456789ab" }],
  }),
  /** Warning: the manifests in the base commit include a symbolic link or a submodule. Its target is not part of the commit. */
  "base-link": problem({
    message: (args: Ref & { file: string; what: string }, { severity }: Words) =>
      `${code(args.file)} is a ${args.what}, so the base ${code(args.ref)} does not contain its target: move the target into the catalog directory${effect(severity)}`,
    samples: [{ ref: applied, file: "catalog/a.yaml", what: "link" }],
  }),
  /** Warning: a sparse checkout omits manifests in the base commit. */
  "base-sparse": problem({
    message: (args: Ref & { file: string; count: number }, { severity }: Words) =>
      `the sparse checkout omits ${counted(args.count, "manifest file")} in the base ${code(args.ref)} (${firstOf(args.count)}${code(args.file)}): run \`git sparse-checkout disable\`${effect(severity)}`,
    samples: [{ ref: applied, file: "catalog/a.yaml", count: 2 }],
  }),
  /** Warning: the manifests in the base commit have errors, so the tool cannot determine what they declared. */
  "base-invalid": problem({
    message: (
      args: Ref & {
        commit: string;
        count: number;
        first: string;
        file: string;
        line: number;
        column: number;
      },
      { severity }: Words,
    ) =>
      `the manifests in the base ${code(args.ref)} (commit ${args.commit}) have ${counted(args.count, "error")} (${firstOf(args.count)}${code(args.first)} at ${args.file}:${args.line}:${args.column}): the next complete apply sets a new base${effect(severity)}`,
    samples: [
      {
        ref: applied,
        commit: "0123456789ab",
        count: 1,
        first: "duplicate-key",
        file: "catalog/a.yaml",
        line: 3,
        column: 1,
      },
    ],
  }),
  /** Warning: Git could not read all of the base commit. */
  "base-unreadable": problem({
    message: (args: Ref & { words: string }, { severity }: Words) =>
      `Git could not read the base ${code(args.ref)}: ${args.words}${effect(severity)}`,
    samples: [{ ref: applied, words: "bad object" }],
  }),
};

export const newerBaseProblems = {
  /** Warning: HEAD is older than the last applied commit. `apply` refuses to run. */
  "older-commit": problem({
    message: (args: { ref: string; commit: string; count: number }) =>
      `HEAD is older than the last applied commit ${args.commit} (${code(args.ref)}): ${appliedSince(args.count)} since, and an apply would revert ${args.count === 1 ? "its" : "their"} declarations; check out a newer commit`,
    samples: [1, 2].map((count) => ({ ref: applied, commit: "cc6c1a2d9cf8", count })),
  }),
  /**
   * Warning: HEAD and the last applied commit have diverged. An apply would revert everything that only the applied commits
   * declare.
   */
  "diverged-commit": problem({
    message: (args: { ref: string; commit: string; count: number }) =>
      `HEAD does not contain the last applied commit ${args.commit} (${code(args.ref)}): ${args.count === 1 ? "1 applied commit is" : `${args.count} applied commits are`} not in HEAD, and an apply would revert ${args.count === 1 ? "its" : "their"} declarations; merge the branch that was applied`,
    samples: [1, 2].map((count) => ({ ref: applied, commit: "cc6c1a2d9cf8", count })),
  }),
};

export const changedSinceProblems = {
  /** `--changed-since` needs Git, but Git is not installed. */
  "changed-since-no-git": problem<Ref>({
    message: "Git is not installed: install it, or plan without `--changed-since`",
    samples: [{ ref: applied }],
  }),
  /** `--changed-since` needs Git, but the catalog directory is not in a Git repository. */
  "changed-since-no-repository": problem<Ref>({
    message: "the catalog directory is not in a Git repository: plan without `--changed-since`",
    samples: [{ ref: applied }],
  }),
  /** `--changed-since` needs a commit, but the Git repository has none. */
  "changed-since-no-commits": problem<Ref>({
    message: "the Git repository has no commits: plan without `--changed-since`",
    samples: [{ ref: applied }],
  }),
  /**
   * The value of `--changed-since` is not a commit in this repository. The name may be misspelled, the clone may be shallow, or
   * the ref may not have been fetched.
   */
  "changed-since-missing": problem({
    message: (args: Ref & { clone?: "shallow" }) =>
      `${code(args.ref)} is not a commit in this repository: ${waysToFind(args, "correct its name, or fetch it")}`,
    samples: [{ ref: "main" }, { ref: "main", clone: "shallow" }],
  }),
  /** The value of `--changed-since` matches several refs, such as a branch and a tag. */
  "changed-since-ambiguous": problem({
    message: (args: Ref & { names: readonly string[] }) =>
      `${code(args.ref)} could refer to ${choice(args.names)}: use the full name`,
    samples: [{ ref: "v1", names: ["refs/heads/v1", "refs/tags/v1"] }],
  }),
  /** HEAD and the `--changed-since` commit have no common ancestor in this clone. */
  "changed-since-no-merge-base": problem({
    message: (args: Ref & { clone?: "shallow" }) =>
      `HEAD and ${code(args.ref)} have no common ancestor: ${unrelated(args)}`,
    samples: [{ ref: "main" }],
  }),
  /** The path to the catalog directory contains a symbolic link in the repository. */
  "changed-since-link": problem({
    message: (args: Ref & { file: string; what: string }) =>
      `${code(args.file)} is a symbolic link, and Git does not track changes in its target: specify the target directory instead`,
    samples: [{ ref: "main", file: "catalog", what: "link" }],
  }),
  /** Git could not list the changes since the `--changed-since` commit. */
  "changed-since-unreadable": problem({
    message: (args: Ref & { words: string }) =>
      `Git could not list the changes since ${code(args.ref)}: ${args.words}`,
    samples: [{ ref: "main", words: "bad object" }],
  }),
};

function appliedSince(commits: number): string {
  return commits === 1 ? "1 commit has been applied" : `${commits} commits have been applied`;
}

/** Describes how an unknown base affects the plan. Empty for an error, because no plan is made in that case. */
function effect(severity: Severity): string {
  return severity === "warning" ? "; without a base, `merge` and `--prune` remove nothing" : "";
}

/** Returns a string that introduces the first of several errors; empty if there is only one error. */
function firstOf(count: number): string {
  return count === 1 ? "" : "the first is ";
}

/** Whether the base is missing only because no apply has created it yet. The user does not need to fix this. */
function isFirst(
  { ref, clone }: { readonly ref: string; readonly clone?: string },
  severity: Severity,
): boolean {
  return severity === "warning" && clone === undefined && ref.startsWith(appliedRefs);
}

const fetchOfRefs = `\`git fetch origin '+${appliedRefs}*:${appliedRefs}*'\``;

// An apply never creates a ref outside `appliedRefs`, so the message does not promise that the first apply creates the base.
function waysToBase(severity: Severity): string {
  const limits =
    severity === "warning"
      ? `; \`apply\` does not create it, because it is not under \`${appliedRefs}\``
      : "";
  return `correct its name, or fetch it${limits}`;
}

function unrelated({ clone }: { clone?: "shallow" }): string {
  return clone === "shallow" ? unshallow : "their histories are unrelated; specify a different commit";
}

const unshallow = "this clone is shallow; run `git fetch --unshallow` (in CI: `fetch-depth: 0`)";

function waysToFind(args: Ref & { clone?: "shallow" }, otherwise: string): string {
  const ways = [
    ...(args.ref.startsWith(appliedRefs)
      ? [`the first complete apply creates it; to fetch it into this clone, run ${fetchOfRefs}`]
      : []),
    ...(args.clone === "shallow" ? [unshallow] : []),
  ];
  return ways.length > 0 ? ways.join("; ") : otherwise;
}

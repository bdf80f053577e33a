import { appliedRefs } from "../../model/settings.ts";
import type { BaseProblems, ChangedSinceProblems } from "../../model/problem-codes.ts";
import type { Problem } from "../../model/problem.ts";
import { count } from "../count.ts";
import { choice, code, type ProblemTexts } from "./problem-text.ts";

/** Problems with the last applied commit, the base. */
export const baseTexts: ProblemTexts<BaseProblems> = {
  "base-no-git": {
    meaning: "Warning: a base is set, but Git is not installed.",
    message: (args, severity) =>
      `cannot read the base ${code(args.ref)}: Git is not installed${effect(severity)}`,
  },
  "base-no-repository": {
    meaning: "Warning: a base is set, but the catalog directory is not in a Git repository.",
    message: (args, severity) =>
      `cannot read the base ${code(args.ref)}: the catalog directory is not in a Git repository${effect(severity)}`,
  },
  "base-no-commits": {
    meaning: "Warning: a base is set, but the Git repository has no commits.",
    message: (args, severity) =>
      isFirst(args, severity)
        ? `no base yet: the Git repository has no commits, and the first complete apply records one as ${code(args.ref)}${effect(severity)}`
        : `cannot read the base ${code(args.ref)}: the Git repository has no commits${effect(severity)}`,
  },
  "base-missing": {
    meaning:
      "Warning: the base does not name a commit of this repository. The name may be misspelt, the clone may be shallow, the ref may not have been fetched, or nothing has been applied yet.",
    message: (args, severity) =>
      isFirst(args, severity)
        ? `no base yet: the first complete apply records one as ${code(args.ref)}; if there is one elsewhere, run ${fetchOfRefs}${effect(severity)}`
        : `the base ${code(args.ref)} does not name a commit of this repository: ${waysToFind(args, waysToBase(severity))}${effect(severity)}`,
  },
  "base-ambiguous": {
    meaning: "Warning: the base is the name of several refs, such as a branch and a tag.",
    message: (args, severity) =>
      `the base ${code(args.ref)} can mean ${choice(args.names)}: write the full name${effect(severity)}`,
  },
  "base-no-merge-base": {
    meaning:
      "Warning: HEAD and the base have no common ancestor in this clone. The clone may be shallow, or their histories are unrelated.",
    message: (args, severity) =>
      `HEAD and the base ${code(args.ref)} have no common ancestor: ${unrelated(args)}${effect(severity)}`,
  },
  "base-without-catalog": {
    meaning: "Warning: the base commit does not contain the catalog directory. It may have been moved.",
    message: (args, severity) =>
      `the base ${code(args.ref)} does not contain the directory ${code(args.dir)}: the next complete apply sets a new base${effect(severity)}`,
  },
  "base-without-environment": {
    meaning:
      "Warning: the settings of the base commit are not valid, or do not have the environment, so it is unknown what was applied there.",
    message: (args, severity) =>
      `the settings of the base ${code(args.ref)} (commit ${args.commit}) are not valid or have no environment ${code(args.environment)}: the next complete apply sets a new base${effect(severity)}`,
  },
  "base-link": {
    meaning:
      "Warning: the manifests of the base commit include a link or submodule. Its target is not part of the commit.",
    message: (args, severity) =>
      `${code(args.file)} is a ${args.what}, so the base ${code(args.ref)} does not contain its manifests: move the manifests into the catalog directory${effect(severity)}`,
  },
  "base-sparse": {
    meaning: "Warning: a sparse checkout leaves out manifests of the base commit.",
    message: (args, severity) =>
      `the sparse checkout leaves out ${count(args.count, "manifest file")} of the base ${code(args.ref)}, beginning with ${code(args.file)}: run \`git sparse-checkout disable\`${effect(severity)}`,
  },
  "base-invalid": {
    meaning: "Warning: the manifests of the base commit have errors, so what they declared is unknown.",
    message: (args, severity) =>
      `the manifests of the base ${code(args.ref)} (commit ${args.commit}) have ${count(args.count, "error")}, beginning with ${code(args.first)} at ${args.file}:${args.line}:${args.column}: the next complete apply sets a new base${effect(severity)}`,
  },
  "base-unreadable": {
    meaning: "Warning: Git could not read all of the base commit.",
    message: (args, severity) =>
      `Git could not read the base ${code(args.ref)}: ${args.words}${effect(severity)}`,
  },
};

/** Problems with `--changed-since`. */
export const changedSinceTexts: ProblemTexts<ChangedSinceProblems> = {
  "changed-since-no-git": {
    meaning: "`--changed-since` needs Git, but Git is not installed.",
    message: () => "Git is not installed: install it, or plan without `--changed-since`",
  },
  "changed-since-no-repository": {
    meaning: "`--changed-since` needs Git, but the catalog directory is not in a Git repository.",
    message: () => "the catalog directory is not in a Git repository: plan without `--changed-since`",
  },
  "changed-since-no-commits": {
    meaning: "`--changed-since` needs a commit, but the Git repository has none.",
    message: () => "the Git repository has no commits: plan without `--changed-since`",
  },
  "changed-since-missing": {
    meaning:
      "`--changed-since` does not name a commit of this repository. The name may be misspelt, the clone may be shallow, or the ref may not have been fetched.",
    message: (args) =>
      `${code(args.ref)} does not name a commit of this repository: ${waysToFind(args, "correct its name, or fetch it")}`,
  },
  "changed-since-ambiguous": {
    meaning: "`--changed-since` is the name of several refs, such as a branch and a tag.",
    message: (args) => `${code(args.ref)} can mean ${choice(args.names)}: write the full name`,
  },
  "changed-since-no-merge-base": {
    meaning: "HEAD and the commit of `--changed-since` have no common ancestor in this clone.",
    message: (args) => `HEAD and ${code(args.ref)} have no common ancestor: ${unrelated(args)}`,
  },
  "changed-since-link": {
    meaning: "The path to the catalog directory contains a link of the repository.",
    message: (args) =>
      `${code(args.file)} is a link, and Git does not track changes behind it: name the target directory instead`,
  },
  "changed-since-unreadable": {
    meaning: "Git could not list the changes.",
    message: (args) => `Git could not list the changes since ${code(args.ref)}: ${args.words}`,
  },
};

/** What an unknown base means for the plan. An error ends the run, so there is no plan. */
function effect(severity: Problem["severity"]): string {
  return severity === "warning" ? "; without a base, `merge` and `--prune` remove nothing" : "";
}

/** Whether nothing is wrong: a repository begins without the ref of the settings. */
function isFirst(
  { ref, clone }: { readonly ref: string; readonly clone?: string },
  severity: Problem["severity"],
): boolean {
  return severity === "warning" && clone === undefined && ref.startsWith(appliedRefs);
}

const fetchOfRefs = `\`git fetch origin '+${appliedRefs}*:${appliedRefs}*'\``;

// A ref elsewhere is never created by an apply, so waiting for one does not help.
function waysToBase(severity: Problem["severity"]): string {
  const limits =
    severity === "warning" ? `; an apply creates and moves only refs under \`${appliedRefs}\`` : "";
  return `correct its name, or fetch it${limits}`;
}

function unrelated({ clone }: BaseProblems["base-no-merge-base"]): string {
  return clone === "shallow" ? unshallow : "their histories are unrelated; name another commit";
}

const unshallow = "this clone is shallow; run `git fetch --unshallow` (in CI: `fetch-depth: 0`)";

function waysToFind(args: BaseProblems["base-missing"], otherwise: string): string {
  const ways = [
    ...(args.ref.startsWith(appliedRefs)
      ? [`the first complete apply creates it; to fetch it into this clone, run ${fetchOfRefs}`]
      : []),
    ...(args.clone === "shallow" ? [unshallow] : []),
  ];
  return ways.length > 0 ? ways.join("; ") : otherwise;
}

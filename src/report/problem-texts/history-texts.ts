/** The messages of problems with Git: the base, newer applied commits, and `--changed-since`. */

import { appliedRefs } from "../../model/settings.ts";
import type { AheadProblems, BaseProblems, ChangedSinceProblems } from "../../model/problem-codes.ts";
import type { Problem } from "../../model/problem.ts";
import { count } from "../count.ts";
import { choice, code, type ProblemTexts } from "./problem-text.ts";

/** Problems with the last applied commit, the base. */
export const baseTexts: ProblemTexts<BaseProblems> = {
  "base-no-git": (args, severity) =>
    `cannot read the base ${code(args.ref)}: Git is not installed${effect(severity)}`,
  "base-no-repository": (args, severity) =>
    `cannot read the base ${code(args.ref)}: the catalog directory is not in a Git repository${effect(severity)}`,
  "base-no-commits": (args, severity) =>
    isFirst(args, severity)
      ? `no base yet: the Git repository has no commits, and the first complete apply records one as ${code(args.ref)}${effect(severity)}`
      : `cannot read the base ${code(args.ref)}: the Git repository has no commits${effect(severity)}`,
  "base-missing": (args, severity) =>
    isFirst(args, severity)
      ? `no base yet: the first complete apply records one as ${code(args.ref)}; if there is one elsewhere, run ${fetchOfRefs}${effect(severity)}`
      : `the base ${code(args.ref)} does not name a commit of this repository: ${waysToFind(args, waysToBase(severity))}${effect(severity)}`,
  "base-ambiguous": (args, severity) =>
    `the base ${code(args.ref)} can mean ${choice(args.names)}: write the full name${effect(severity)}`,
  "base-no-merge-base": (args, severity) =>
    `HEAD and the base ${code(args.ref)} have no common ancestor: ${unrelated(args)}${effect(severity)}`,
  "base-without-catalog": (args, severity) =>
    `the base ${code(args.ref)} does not contain the directory ${code(args.dir)}: the next complete apply sets a new base${effect(severity)}`,
  "base-without-environment": (args, severity) =>
    `the settings of the base ${code(args.ref)} (commit ${args.commit}) are not valid or have no environment ${code(args.environment)}: the next complete apply sets a new base${effect(severity)}`,
  "base-link": (args, severity) =>
    `${code(args.file)} is a ${args.what}, so the base ${code(args.ref)} does not contain its manifests: move the manifests into the catalog directory${effect(severity)}`,
  "base-sparse": (args, severity) =>
    `the sparse checkout leaves out ${count(args.count, "manifest file")} of the base ${code(args.ref)}, beginning with ${code(args.file)}: run \`git sparse-checkout disable\`${effect(severity)}`,
  "base-invalid": (args, severity) =>
    `the manifests of the base ${code(args.ref)} (commit ${args.commit}) have ${count(args.count, "error")}, beginning with ${code(args.first)} at ${args.file}:${args.line}:${args.column}: the next complete apply sets a new base${effect(severity)}`,
  "base-unreadable": (args, severity) =>
    `Git could not read the base ${code(args.ref)}: ${args.words}${effect(severity)}`,
};

/** Problems with a last applied commit that is not in the history of HEAD. */
export const newerBaseTexts: ProblemTexts<AheadProblems> = {
  "older-commit": (args) =>
    `HEAD is older than the last applied commit ${args.commit} (${code(args.ref)}): ${appliedSince(args.count)} since, and an apply takes back what ${args.count === 1 ? "it declares" : "they declare"}; check out a newer commit`,
  "diverged-commit": (args) =>
    `HEAD does not contain the last applied commit ${args.commit} (${code(args.ref)}): ${args.count === 1 ? "1 applied commit is" : `${args.count} applied commits are`} not in HEAD, and an apply takes back what ${args.count === 1 ? "it declares" : "they declare"}; merge the branch that was applied`,
};

/** Problems with `--changed-since`. */
export const changedSinceTexts: ProblemTexts<ChangedSinceProblems> = {
  "changed-since-no-git": () => "Git is not installed: install it, or plan without `--changed-since`",
  "changed-since-no-repository": () =>
    "the catalog directory is not in a Git repository: plan without `--changed-since`",
  "changed-since-no-commits": () => "the Git repository has no commits: plan without `--changed-since`",
  "changed-since-missing": (args) =>
    `${code(args.ref)} does not name a commit of this repository: ${waysToFind(args, "correct its name, or fetch it")}`,
  "changed-since-ambiguous": (args) =>
    `${code(args.ref)} can mean ${choice(args.names)}: write the full name`,
  "changed-since-no-merge-base": (args) =>
    `HEAD and ${code(args.ref)} have no common ancestor: ${unrelated(args)}`,
  "changed-since-link": (args) =>
    `${code(args.file)} is a link, and Git does not track changes behind it: name the target directory instead`,
  "changed-since-unreadable": (args) =>
    `Git could not list the changes since ${code(args.ref)}: ${args.words}`,
};

function appliedSince(commits: number): string {
  return commits === 1 ? "1 commit was applied" : `${commits} commits were applied`;
}

/** The effect of an unknown base on the plan. Empty for an error, which ends the run without a plan. */
function effect(severity: Problem["severity"]): string {
  return severity === "warning" ? "; without a base, `merge` and `--prune` remove nothing" : "";
}

/** Whether nothing is wrong, because no apply has created the base yet. */
function isFirst(
  { ref, clone }: { readonly ref: string; readonly clone?: string },
  severity: Problem["severity"],
): boolean {
  return severity === "warning" && clone === undefined && ref.startsWith(appliedRefs);
}

const fetchOfRefs = `\`git fetch origin '+${appliedRefs}*:${appliedRefs}*'\``;

// An apply never creates a ref outside of `appliedRefs`, so the message does not promise it.
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

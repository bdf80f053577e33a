import { appliedRefs } from "../../model/policy.ts";
import type { ProblemArgs } from "../../model/problem.ts";
import { count } from "../count.ts";
import { code, type ProblemTexts, quoted, textArg } from "./problem-text.ts";

/** What follows from a base that is not known, said in every text of a warning. */
const unknown = "so nothing is removed under `merge` and nothing is pruned";

/** The same as far as a run goes on: where the base was named by hand, it ends. */
function consequence(args: ProblemArgs): string {
  return args["stops"] === undefined ? `, ${unknown}` : "";
}

/** Problems of the last applied commit, the base. */
const baseTexts: ProblemTexts = {
  "base-no-git": {
    meaning: "Warning: a base is named, and git is not installed.",
    message: (args) => `git is not installed: ${baseIsUnknown(args)}`,
  },
  "base-no-repository": {
    meaning: "Warning: a base is named, and the catalog directory is in no git repository.",
    message: (args) => `the catalog directory is in no git repository: ${baseIsUnknown(args)}`,
  },
  "base-no-commits": {
    meaning: "Warning: a base is named, and the git repository has no commit yet.",
    message: (args) => `the git repository has no commit yet: ${baseIsUnknown(args)}`,
  },
  "base-missing": {
    meaning:
      "Warning: the base names no commit of this repository: a slip, a shallow clone, a ref that was not fetched, or nothing was applied yet.",
    message: (args) =>
      `the base ${quoted(args, "ref")} names no commit here${consequence(args)}: ${waysToFind(args, waysToBase(args))}`,
  },
  "base-without-catalog": {
    meaning: "Warning: the base commit does not have the catalog directory. Perhaps it was moved.",
    message: (args) =>
      `the base ${quoted(args, "ref")} has no directory ${quoted(args, "dir")}, ${unknown}: the first complete apply makes a new base`,
  },
  "base-link": {
    meaning:
      "Warning: a link or submodule stands among the manifests of the base commit. What it leads to is not in the commit.",
    message: (args) =>
      `${quoted(args, "file")} is a ${textArg(args, "what")}, and the base ${quoted(args, "ref")} does not say what it held, ${unknown}: put the manifests into the catalog directory itself`,
  },
  "base-sparse": {
    meaning: "Warning: manifests of the base commit are missing only because the work tree is a sparse one.",
    message: (args) =>
      `the sparse work tree leaves out ${count(Number(args["count"]), "manifest file")} of the base ${quoted(args, "ref")}, ${quoted(args, "file")} first, ${unknown}: \`git sparse-checkout disable\` brings them`,
  },
  "base-invalid": {
    meaning: "Warning: the manifests of the base commit have errors, so nobody knows what they declared.",
    message: (args) =>
      `the manifests of the base ${quoted(args, "ref")} (commit ${textArg(args, "commit")}) have ${count(Number(args["count"]), "error")}, ${code(textArg(args, "first"))} at ${textArg(args, "file")}:${textArg(args, "line")}:${textArg(args, "column")} first, ${unknown}: the next complete apply makes a new base`,
  },
  "base-unreadable": {
    meaning: "Warning: git could not read the base commit, or not all of it.",
    message: (args) =>
      `git could not read the base ${quoted(args, "ref")}${consequence(args)}: ${textArg(args, "words")}`,
  },
};

/** Problems of `--changed-since`. */
const changedSinceTexts: ProblemTexts = {
  "changed-since-no-git": {
    meaning: "`--changed-since` is used, and git is not installed.",
    message: () => "git is not installed, and only git knows what has changed",
  },
  "changed-since-no-repository": {
    meaning: "`--changed-since` is used, and the catalog directory is in no git repository.",
    message: () => "the catalog directory is in no git repository, and only git knows what has changed",
  },
  "changed-since-no-commits": {
    meaning: "`--changed-since` is used, and the git repository has no commit yet.",
    message: () => "the git repository has no commit yet: plan without `--changed-since`",
  },
  "changed-since-missing": {
    meaning: "`--changed-since` names no commit of this repository: a slip, a shallow clone, or not fetched.",
    message: (args) =>
      `${quoted(args, "ref")} names no commit here: ${waysToFind(args, "correct its name, or fetch it")}`,
  },
  "changed-since-no-merge-base": {
    meaning: "HEAD and what `--changed-since` names have no commit in common, as far as this clone knows.",
    message: (args) =>
      `HEAD and ${quoted(args, "ref")} have no commit in common: ${waysToFind(args, "their histories are unrelated; name another commit")}`,
  },
  "changed-settings": {
    meaning: "Warning: the settings have changed, and only changed manifests are looked at.",
    message: () =>
      "the settings have changed, which concerns every entity, and this plan looks only at the changed manifests: plan without --changed-since to see all of it",
  },
  "changed-since-link": {
    meaning: "The catalog directory is reached through a link of the repository.",
    message: (args) =>
      `${quoted(args, "file")} is a link, and git does not say what changed behind it: name the directory that it leads to`,
  },
  "changed-since-unreadable": {
    meaning: "git could not tell what has changed.",
    message: (args) =>
      `git could not tell what changed since ${quoted(args, "ref")}: ${textArg(args, "words")}`,
  },
};

/** Problems of the history that manifests have in git. */
export const historyTexts: ProblemTexts = { ...baseTexts, ...changedSinceTexts };

function baseIsUnknown(args: ProblemArgs): string {
  return `the base ${quoted(args, "ref")} is not known${consequence(args)}`;
}

/** Whoever waits for an apply to make another ref waits in vain. */
function waysToBase(args: ProblemArgs): string {
  const making =
    args["stops"] === undefined ? `; an apply makes and moves only refs below \`${appliedRefs}\`` : "";
  return `correct its name, or fetch it${making}`;
}

function waysToFind(args: ProblemArgs, otherwise: string): string {
  const ways = [
    ...(textArg(args, "ref").startsWith(appliedRefs)
      ? [
          `the first complete apply makes it, and \`git fetch origin '+${appliedRefs}*:${appliedRefs}*'\` brings it into a clone`,
        ]
      : []),
    ...(args["clone"] === "shallow"
      ? [
          "this clone is shallow, and `git fetch --unshallow` (in CI `fetch-depth: 0`) brings its whole history",
        ]
      : []),
  ];
  return ways.length > 0 ? ways.join("; ") : otherwise;
}

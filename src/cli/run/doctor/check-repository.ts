/** Checks the Git repository: history, last applied commit and ignored manifests. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Ahead, commitOf, isShallow } from "../../../git/commit.ts";
import { gitStateWithIgnored, withoutCommit } from "../../../git/state.ts";
import { isHidden, isManifest } from "../../../manifests/base/catalog-files.ts";
import { type Check, ok, problem, warning } from "../../../model/diagnosis.ts";
import type { Problem } from "../../../model/problem.ts";
import { count } from "../../../report/count.ts";
import { messageOf } from "../../../report/document/problems.ts";
import { findBase } from "../../../workflow/scope/base.ts";
import { policyOf } from "../../../workflow/scope/policy.ts";
import type { Manifests, Repository } from "../../../workflow/scope/repository.ts";
import type { Io } from "../../io.ts";

/** The settings and manifests that were read. */
export interface Known {
  readonly repository: Repository;
  readonly manifests: Manifests;
}

/** Checks the repository. The last applied commit is checked only if the settings are valid. */
export async function checkRepository(
  directory: string,
  known: Known | undefined,
  io: Io,
): Promise<readonly Check[]> {
  const root = resolve(io.cwd, directory);
  // The check of the manifests reports a missing directory.
  if (!existsSync(root)) return [];
  const { commit, ignored } = await gitStateWithIgnored(root);
  if (commit === null) return [await checkMissingCommit(root, directory)];
  const left = ignored.filter((path) => isManifest(path) && !isHidden(path));
  const [first] = left;
  return [
    (await isShallow(root))
      ? problem(
          "repository",
          "this clone is shallow, so earlier declarations may be missing",
          "run `git fetch --unshallow`; in CI, use `fetch-depth: 0`",
        )
      : ok("repository", `commit ${commit.slice(0, 12)} is checked out with its full history`),
    ...(first === undefined
      ? []
      : [
          warning(
            "ignored",
            `Git ignores ${count(left.length, "manifest")}, such as ${first}`,
            "remove them from .gitignore, or move them out of the catalog directory; ignored files count as uncommitted",
          ),
        ]),
    ...(known ? await checkBase(root, known, io) : []),
  ];
}

/** Determines why there is no commit. Distinguishes between an unreadable repository and a repository without commits. */
async function checkMissingCommit(root: string, directory: string): Promise<Check> {
  const why = await withoutCommit(root);
  const without = "`merge` and `--prune` remove nothing without Git history";
  if (why.fault === "no-git") return warning("repository", "git is not installed", `install git; ${without}`);
  if (why.fault === "unreadable") {
    const [words, hint] = why.words.split("; to allow it, run: ");
    const todo =
      hint === undefined ? "fix the problem that keeps git from reading the repository" : `run ${hint}`;
    return problem(
      "repository",
      `git cannot read the repository of ${directory}: ${words}`,
      `${todo}; ${without}`,
    );
  }
  return warning(
    "repository",
    `${directory} is not in a Git repository that has a commit`,
    `run \`git init\` and commit the manifests; ${without}`,
  );
}

async function checkBase(root: string, { repository, manifests }: Known, io: Io): Promise<readonly Check[]> {
  const name = repository.settings.base;
  if (name === undefined) return [];
  const request = {
    repository,
    policy: policyOf(repository.settings),
    selection: {},
    signal: io.interrupted,
  };
  const { ref, known, problems } = await findBase(request, manifests);
  const anchor = known?.anchor ?? null;
  const [reason] = problems;
  if (ref?.commit && ref.ahead) return [aheadCheck(ref.commit.slice(0, 12), ref.ahead, name)];
  if (anchor !== null || !reason)
    return [
      ok("base", `${name} is at the last applied commit ${(ref?.commit ?? anchor ?? "").slice(0, 12)}`),
    ];
  const isThere = (await commitOf(root, name).catch(() => null)) !== null;
  return [
    isThere
      ? problem("base", messageOf(reason), remedyFor(reason))
      : warning(
          "base",
          messageOf(reason),
          `the first apply creates ${name}; in CI, fetch it first: git fetch origin '+refs/datahub-gitops/*:refs/datahub-gitops/*'`,
        ),
  ];
}

function remedyFor({ code }: Problem): string {
  return code === "base-no-merge-base"
    ? "if history was rewritten, run `datahub-gitops apply --move-base`"
    : "fix the problem with the base, or apply again";
}

function aheadCheck(commit: string, { count: commits, isDescendant }: Ahead, ref: string): Check {
  if (isDescendant)
    return warning(
      "base",
      `HEAD is ${count(commits, "commit")} behind the last applied commit ${commit}, so apply refuses to run`,
      "check out the applied branch, and pull it",
    );
  return warning(
    "base",
    `HEAD does not contain the last applied commit ${commit}, so ${ref} cannot move forward: a different branch was applied, or history was rewritten or squashed`,
    "merge the applied branch; if its history was rewritten, run `datahub-gitops apply --move-base`",
  );
}

/** Moves problems that involve two files to the file that has changed since the merge base. */

import { join, resolve } from "node:path";
import { forkOf } from "../../git/commit.ts";
import { treeOf } from "../../git/tree.ts";
import { displayName } from "../../manifests/base/catalog-files.ts";
import { type PlanProblem, sortProblems } from "../../model/problem.ts";
import { isUnchanged } from "./base-files.ts";
import { faultOf } from "./fault.ts";
import type { SelectedRepository } from "./selection.ts";
import type { FileIds } from "../../manifests/base/desired.ts";

/** Moves a problem to its second file if only that file has changed since the merge base. Returns the problems sorted. */
export async function movedToChangedFiles<Each extends PlanProblem>(
  problems: readonly Each[],
  { repository, selection }: SelectedRepository,
  declared: FileIds,
): Promise<readonly Each[]> {
  const ref = selection.changedSince ?? selection.base ?? repository.settings.base;
  if (ref === undefined || !problems.some(isOfTwoFiles)) return sortProblems(problems);
  const root = resolve(repository.cwd, repository.directory);
  const tree = await forkOf(root, ref)
    .then((commit) => treeOf(root, commit))
    .catch(faultOf);
  if ("fault" in tree) return sortProblems(problems);
  const named = new Map(
    tree.map((entry) => {
      const file = join(root, entry.path);
      const name = displayName(file, repository.cwd);
      return [name, { ...entry, file, name }];
    }),
  );
  const hasChanged = (name: string): boolean => {
    const entry = named.get(name);
    return entry?.type !== "file" || !isUnchanged(entry, declared);
  };
  return sortProblems(
    problems.map((problem) => {
      const { origin, related } = problem;
      if (!origin || !related || hasChanged(origin.file) || !hasChanged(related.file)) return problem;
      return { ...problem, origin: related, related: origin };
    }),
  );
}

function isOfTwoFiles({ origin, related }: PlanProblem): boolean {
  return origin !== undefined && related !== undefined && origin.file !== related.file;
}

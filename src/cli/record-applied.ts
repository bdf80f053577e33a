import { resolve } from "node:path";
import { appliedRefs, moveBase } from "../manifests/applied-ref.ts";
import { changedSince } from "../manifests/changed-since.ts";
import type { Plan } from "../model/plan.ts";
import { settled } from "../plan/conflicts.ts";
import type { Io } from "./io.ts";
import type { BaseRef } from "./scope.ts";
import type { ScopeOptions } from "./scope-files.ts";

/** An apply that came to its end without an error. */
export interface Completed {
  readonly plan: Plan;
  readonly baseRef: BaseRef | undefined;
}

/**
 * Notes in git which commit has been applied: moves the ref that names the base to it. Only of a whole apply from a clean
 * work tree, and only below `refs/datahub-gitops/`; says on stderr what became of it.
 */
export async function recordApplied(
  dir: string,
  { plan, baseRef }: Completed,
  options: ScopeOptions & { readonly quiet?: boolean },
  io: Io,
): Promise<void> {
  const { commit, dirty } = plan.git;
  const isPart = options.target !== undefined || options.changedSince !== undefined;
  if (baseRef === undefined || !isAppliedRef(baseRef.name) || isPart) return;
  const say = (text: string): void => {
    if (options.quiet !== true) io.stderr.write(`${text}\n`);
  };
  if (settled(plan).held.length > 0) return say(`${baseRef.name} stays where it is: a conflict was skipped`);
  if (commit === null) return say(`${baseRef.name} stays where it is: there is no commit to move it to`);
  if (baseRef.commit === commit) return;
  const root = resolve(io.cwd, dir);
  if (dirty || !(await isCommitted(root, commit, io))) {
    return say(`${baseRef.name} stays where it is: the manifests differ from the last commit`);
  }
  const fault = await moveBase(root, baseRef.name, { from: baseRef.commit, to: commit });
  const short = commit.slice(0, 12);
  if (fault === undefined) return say(`${baseRef.name} is now at ${short}`);
  io.stderr.write(`warning: ${baseRef.name} could not be moved to ${short}: ${fault}\n`);
}

// `git status` believes an index that may be told to assume that nothing has changed; the files themselves do not lie.
async function isCommitted(root: string, commit: string, { cwd }: Io): Promise<boolean> {
  const changed = await changedSince(root, commit, { cwd });
  return "files" in changed && changed.files.size === 0;
}

/** Whether it names a ref that is ours, and not a commit beside it, such as `refs/datahub-gitops/applied~1`. */
function isAppliedRef(name: string): boolean {
  return name.startsWith(appliedRefs) && !/[~^:]|@\{/.test(name);
}

import { resolve } from "node:path";
import { appliedRefs, moveBase } from "../manifests/applied-ref.ts";
import type { Plan } from "../model/plan.ts";
import { settled } from "../plan/conflicts.ts";
import type { Io } from "./io.ts";
import type { BaseRef, ScopeOptions } from "./scope.ts";

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
  if (dirty) return say(`${baseRef.name} stays where it is: the manifests differ from the last commit`);
  if (baseRef.commit === commit) return;
  const move = { from: baseRef.commit, to: commit };
  const fault = await moveBase(resolve(io.cwd, dir), baseRef.name, move);
  const short = commit.slice(0, 12);
  if (fault === undefined) return say(`${baseRef.name} is now at ${short}`);
  io.stderr.write(`warning: ${baseRef.name} could not be moved to ${short}: ${fault}\n`);
}

/** Whether it names a ref that is ours, and not a commit beside it, such as `refs/datahub-gitops/applied~1`. */
function isAppliedRef(name: string): boolean {
  return name.startsWith(appliedRefs) && !/[~^:]|@\{/.test(name);
}

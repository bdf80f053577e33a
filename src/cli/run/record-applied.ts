import { resolve } from "node:path";
import { moveBase } from "../../git/applied-ref.ts";
import { changedSince } from "../../scope/changed-since.ts";
import { isDefinitionKind } from "../../kinds/index.ts";
import type { Plan } from "../../model/plan.ts";
import { appliedRefs } from "../../model/policy.ts";
import { settled } from "../../plan/diff/conflicts.ts";
import type { Io } from "../io.ts";
import type { BaseRef } from "../../scope/scope.ts";
import type { ScopeOptions } from "../../scope/scope-files.ts";

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
  const { commit } = plan.git;
  if (baseRef === undefined || !isAppliedRef(baseRef.name)) return;
  const { name, commit: from } = baseRef;
  // A look at a part that found nothing to do is no news.
  if (isPart(options) && plan.changes.length === 0) return;
  const root = resolve(io.cwd, dir);
  const say = (text: string): void => {
    if (options.quiet !== true) io.stderr.write(`${text}\n`);
  };
  const obstacle = await obstacleTo(root, plan, options, io);
  if (obstacle !== undefined) return say(`${name} was not moved: ${obstacle}`);
  if (commit === null || from === commit) return;
  const fault = await moveBase(root, name, { from, to: commit });
  const short = commit.slice(0, 12);
  if (fault !== undefined) {
    io.stderr.write(`warning: cannot move ${name} to ${short}: ${fault}\n`);
    return;
  }
  say(`${name} now points to ${short}`);
  if (from !== null && leavesSomething(plan)) {
    say(
      `definitions that are no longer declared were not deleted; to delete them later, use --prune --base ${from.slice(0, 12)}`,
    );
  }
}

/** Why the commit cannot be taken for applied, if it cannot. */
async function obstacleTo(
  root: string,
  plan: Plan,
  options: ScopeOptions,
  io: Io,
): Promise<string | undefined> {
  const { commit, dirty } = plan.git;
  if (isPart(options)) return "only a part of the catalog was applied";
  if (settled(plan).held.length > 0) return "a conflict was skipped";
  if (commit === null) return "the repository has no commit";
  if (dirty || !(await isCommitted(root, commit, io))) return "the manifests differ from the last commit";
  return undefined;
}

function isPart({ target, changedSince: since }: ScopeOptions): boolean {
  return target !== undefined || since !== undefined;
}

function leavesSomething({ unmanaged }: Plan): boolean {
  return unmanaged.some(({ reason, kind }) => reason === "no-longer-declared" && isDefinitionKind(kind));
}

// `git status` believes an index that may be told to assume that nothing has changed; the files themselves do not lie.
async function isCommitted(root: string, commit: string, { cwd }: Io): Promise<boolean> {
  const changed = await changedSince(root, commit, { cwd });
  return "files" in changed && changed.files.size === 0 && !changed.isSparse;
}

/** Whether it names a ref that is ours, and not a commit beside it, such as `refs/datahub-gitops/applied~1`. */
function isAppliedRef(name: string): boolean {
  return name.startsWith(appliedRefs) && !/[~^:]|@\{/.test(name);
}

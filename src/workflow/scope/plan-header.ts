/** Writes the scope and the shard to a plan's header, and reads the scope of a saved plan. */

import { resolve } from "node:path";
import { type Ahead, aheadOf, commitOf } from "../../git/commit.ts";
import { commitIdOf } from "../../git/objects.ts";
import { gitStateOf } from "../../git/state.ts";
import { displayName } from "../../manifests/base/catalog-files.ts";
import { compareText } from "../../model/json.ts";
import type { Plan, PlanShard } from "../../model/plan.ts";
import type { PlanScope } from "../../model/plan-scope.ts";
import { sha256 } from "../../plan/base/hash.ts";
import { digestOfDeclarations } from "../../plan/align/changed-declarations.ts";
import type { AppliedScope } from "./record-applied.ts";
import type { Scope } from "./scope.ts";
import { narrowingIn } from "./selection.ts";

/** Returns the scope for a plan's header. */
export function scopeHeader({ repository, selection, baseRef }: Scope): PlanScope {
  const { cwd, directory, environment } = repository;
  const { rules, changedSince } = selection;
  return {
    directory: displayName(resolve(cwd, directory), cwd),
    ...(environment !== undefined && { environment }),
    ...(baseRef && { ref: baseRef.name }),
    ...narrowingIn(selection),
    ...(rules && { rules }),
    ...(changedSince !== undefined && { changedSince }),
  };
}

/** Returns the shard for a plan's header, or `undefined` if the selection is not a shard. */
export function shardHeader(scope: Scope): PlanShard | undefined {
  const { shard } = scope.selection;
  return shard && { ...shard, inputs: `sha256:${sha256(inputsOf(scope))}` };
}

/** Returns the inputs that determine a plan, except the commit and the limits. */
function inputsOf({ repository: { settings }, policy, desired, git }: Scope): object {
  const isCommitted = git.commit !== null && !git.dirty;
  return {
    modes: policy.modes,
    ignore: (settings.ignore ?? []).map(({ origin: _, ...rule }) => rule),
    missing: policy.missing,
    onConflict: policy.onConflict,
    prune: policy.prune && [...policy.prune].toSorted(compareText),
    pruneAssignments: policy.pruneAssignments,
    prunable: [...settings.prune.kinds].toSorted(compareText),
    prunesAssignments: settings.prune.assignments,
    manifests: isCommitted ? undefined : digestOfDeclarations(desired.state, desired.rules, desired.exempt),
  };
}

/**
 * Returns the scope of a saved plan, with the commits that HEAD and the plan's ref point to now. Returns `undefined` for a plan
 * without manifests.
 */
export async function savedScope(
  { git, scope, shard }: Plan,
  cwd: string,
): Promise<AppliedScope | undefined> {
  if (!scope) return undefined;
  const { directory, ref, rules, changedSince } = scope;
  const root = resolve(cwd, directory);
  // A ref counts as missing if it matches no commit or several commits.
  const commit = ref === undefined ? null : await commitOf(root, ref).catch(() => null);
  const ahead = commit === null ? undefined : await aheadOfPlan(root, commit, git.commit);
  return {
    repository: { cwd, directory },
    selection: { ...narrowingIn(scope), rules, changedSince, shard },
    git,
    baseRef: ref === undefined ? undefined : { name: ref, commit, ahead },
    head: (await gitStateOf(root)).commit,
  };
}

/**
 * Returns how far the last applied commit is ahead of the planned commit. Uses HEAD if the plan has no commit or the commit is
 * not in this clone.
 */
async function aheadOfPlan(
  root: string,
  applied: string,
  planned: string | null,
): Promise<Ahead | undefined> {
  const isHere = planned !== null && (await commitIdOf(root, planned)) !== undefined;
  return await aheadOf(root, isHere ? planned : "HEAD", applied).catch(() => undefined);
}

/** Writes the scope and the shard into a plan's header, and reads a saved plan's scope. */

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

/** Returns a plan's scope for its header. */
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

/** Returns a plan's shard for its header; `undefined` if the selection is not a shard. */
export function shardHeader(scope: Scope): PlanShard | undefined {
  const { shard } = scope.selection;
  return shard && { ...shard, inputs: `sha256:${sha256(inputsOf(scope))}` };
}

/** Returns the inputs that determine a plan, except its commit and its limits. */
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

/** Returns a saved plan's scope, with the current commits for HEAD and its ref; `undefined` for a plan without manifests. */
export async function savedScope(
  { git, scope, shard }: Plan,
  cwd: string,
): Promise<AppliedScope | undefined> {
  if (!scope) return undefined;
  const { directory, ref, rules, changedSince } = scope;
  const root = resolve(cwd, directory);
  // A ref that names no commit or several commits counts as missing.
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
 * Returns how far the last applied commit is ahead of the planned one, or of HEAD if the plan has no commit or this clone lacks it.
 */
async function aheadOfPlan(
  root: string,
  applied: string,
  planned: string | null,
): Promise<Ahead | undefined> {
  const isHere = planned !== null && (await commitIdOf(root, planned)) !== undefined;
  return await aheadOf(root, isHere ? planned : "HEAD", applied).catch(() => undefined);
}

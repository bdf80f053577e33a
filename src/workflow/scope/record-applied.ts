/** Moves the ref for the last applied commit after a complete apply, or returns the reason why it did not move. */

import { resolve } from "node:path";
import { moveAppliedRef } from "../../git/applied-ref.ts";
import { isAncestor } from "../../git/commit.ts";
import { appliedRefs, isRunRef } from "../../model/settings.ts";
import type { Leftovers } from "../../model/plan-scope.ts";
import type { Report } from "../../model/report.ts";
import { isBlocked } from "../../plan/checks/guards/index.ts";
import { isStopped } from "../../plan/policies/findings.ts";
import { isInConflict } from "../../model/conflicts.ts";
import { pendingIn, heldBackIn } from "../../model/held-back.ts";
import { isError } from "../../model/problem.ts";
import { changedFrom } from "./changed-from.ts";
import { faultOf } from "./fault.ts";
import type { CatalogPath } from "./repository.ts";
import type { Scope } from "./scope.ts";
import { partialFlagOf, type Selection } from "./selection.ts";

/** Whether the ref for the last applied commit moved, or the reason why it did not. */
export type Recorded = { readonly ref: string } & (
  | { readonly status: "moved"; readonly from: string | null; readonly to: string }
  | { readonly status: "unchanged" }
  | { readonly status: "kept"; readonly because: Obstacle }
  | {
      readonly status: "kept";
      readonly because: "not-forward";
      readonly from: string;
      readonly isOlder: boolean;
    }
  | { readonly status: "kept"; readonly because: "left-behind"; readonly left: Leftovers }
  | { readonly status: "refused"; readonly to: string; readonly words: string }
);

/** The reason why a commit does not count as applied. */
type Obstacle = "failed" | "part" | "conflict" | "no-commit" | "other-commit" | "dirty" | "unknown";

/** The properties of a scope that determine whether the ref moves. `head` is the current commit. */
export interface AppliedScope {
  readonly baseRef: Scope["baseRef"];
  readonly git: Scope["git"];
  readonly repository: CatalogPath;
  readonly selection: Omit<Selection, "base">;
  readonly head?: string | null;
}

/**
 * Moves the ref to the applied commit if and only if all of these conditions are met: the ref is below `refs/datahub-gitops/`,
 * the apply was complete and used a clean work tree, nothing is left to prune, and the move is forward or `anywhere` is set.
 * Returns `undefined` for other refs.
 */
export async function recordApplied(
  scope: AppliedScope,
  report: Report,
  { anywhere = false }: { readonly anywhere?: boolean } = {},
): Promise<Recorded | undefined> {
  const { baseRef, git, repository } = scope;
  if (baseRef === undefined || !isAppliedRef(baseRef.name)) return undefined;
  // A partial plan without changes needs no message.
  if (isPart(scope) && report.plan.changes.length === 0) return undefined;
  const ref = baseRef.name;
  const because = await obstacleTo(scope, report);
  if (because !== undefined) return { ref, status: "kept", because };
  if (git.commit === null || baseRef.commit === git.commit) return { ref, status: "unchanged" };
  const left = report.plan.scope?.left;
  if (left) return { ref, status: "kept", because: "left-behind", left };
  const move = { from: baseRef.commit, to: git.commit };
  const root = resolve(repository.cwd, repository.directory);
  if (move.from !== null && !anywhere && !(await isAncestor(root, move.from, move.to))) {
    return {
      ref,
      status: "kept",
      because: "not-forward",
      from: move.from,
      isOlder: baseRef.ahead?.isDescendant === true,
    };
  }
  const words = await moveAppliedRef(root, ref, move);
  if (words !== undefined) return { ref, status: "refused", to: git.commit, words };
  return { ref, status: "moved", ...move };
}

async function obstacleTo(scope: AppliedScope, report: Report): Promise<Obstacle | undefined> {
  const { commit, dirty } = scope.git;
  if (!isComplete(report)) return "failed";
  if (isPart(scope)) return "part";
  // Changes that are held back because of a fight do not count, because earlier applies wrote them more than once.
  if (report.plan.changes.some(isInConflict)) return "conflict";
  if (commit === null) return "no-commit";
  if (scope.head !== undefined && scope.head !== commit) return "other-commit";
  return dirty ? "dirty" : await differenceFrom(commit, scope);
}

/** Whether all changes in the plan are known to be applied, except for changes that are held back. */
function isComplete({ plan, outcomes, stopped, unproved }: Report): boolean {
  const hasErrors = (plan.problems ?? []).some(isError);
  if (stopped !== undefined || unproved !== undefined || hasErrors || isBlocked(plan) || isStopped(plan))
    return false;
  const pending = pendingIn(plan.changes);
  const heldBack = new Set(heldBackIn(plan.changes));
  return (
    (pending.length === 0 || outcomes.length > 0) &&
    outcomes.every(
      ({ status, operation }) =>
        status === "applied" || operation.changes.every((change) => heldBack.has(change)),
    )
  );
}

function isPart({ selection }: AppliedScope): boolean {
  return selection.shard !== undefined || partialFlagOf(selection) !== undefined;
}

// `git status` trusts its index, which can mark files as unchanged (`update-index --assume-unchanged`).
async function differenceFrom(
  commit: string,
  { repository: { cwd, directory } }: AppliedScope,
): Promise<"dirty" | "unknown" | undefined> {
  const changed = await changedFrom(directory, commit, { cwd }).catch(faultOf);
  if ("fault" in changed) return "unknown";
  return changed.files.size === 0 && !changed.isSparse ? undefined : "dirty";
}

/**
 * Whether a name is one of this tool's refs. An expression relative to a ref, such as `refs/datahub-gitops/applied~1`, does not
 * count.
 */
function isAppliedRef(name: string): boolean {
  return name.startsWith(appliedRefs) && !isRunRef(name) && !/[~^:]|@\{/.test(name);
}

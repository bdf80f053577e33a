import type { PlanShard } from "../model/plan.ts";
import { compareText } from "../model/json.ts";
import { sha256 } from "../plan/hash.ts";
import { digestOfDeclarations } from "../plan/sides/changed-declarations.ts";
import type { Scope } from "./scope.ts";

/** What a plan tells of the shard that it is made for; `undefined` where it is the whole or another part. */
export function toldShard(scope: Scope): PlanShard | undefined {
  const { shard } = scope.selection;
  return shard && { ...shard, inputs: `sha256:${sha256(inputsOf(scope))}` };
}

/** What decides about a plan and is told neither by its commit nor by its limits. */
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

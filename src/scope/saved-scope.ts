import { resolve } from "node:path";
import { commitOf } from "../git/commit.ts";
import { gitStateOf } from "../git/state.ts";
import { displayName } from "../manifests/catalog-files.ts";
import type { Plan, PlanScope } from "../model/plan.ts";
import type { AppliedScope } from "./record-applied.ts";
import type { Scope } from "./scope.ts";
import { narrowingIn } from "./selection.ts";

/** What a plan tells of the scope that it is made for. */
export function toldScope({ repository, selection, baseRef }: Scope): PlanScope {
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

/**
 * The scope of a plan that was saved, with the commit that is checked out now, and the one that its ref names now.
 * `undefined` for a plan that was not made of a directory of manifests.
 */
export async function savedScope(
  { git, scope, shard }: Pick<Plan, "git" | "scope" | "shard">,
  cwd: string,
): Promise<AppliedScope | undefined> {
  if (!scope) return undefined;
  const { directory, ref, rules, changedSince } = scope;
  const root = resolve(cwd, directory);
  const found = ref === undefined ? undefined : await commitOf(root, ref);
  const commit = found && "commit" in found ? found.commit : null;
  return {
    repository: { cwd, directory },
    selection: { ...narrowingIn(scope), rules, changedSince, shard },
    git,
    baseRef: ref === undefined ? undefined : { name: ref, commit },
    head: (await gitStateOf(root)).commit,
  };
}

import { resolve } from "node:path";
import { gitStateWithIgnored } from "../git/state.ts";
import { isHidden, isManifest } from "../manifests/catalog-files.ts";
import type { Desired } from "../manifests/desired-state.ts";
import type { GitState } from "../model/plan.ts";
import type { Problem } from "../model/problem.ts";
import type { Policy } from "../plan/policy.ts";
import { withoutEntities } from "../plan/sides/select.ts";
import { type BaseRef, findBase } from "./base.ts";
import { ScopeError } from "./errors.ts";
import { loadManifests } from "./repository.ts";
import { type ScopeRequest, selectedOf, type Selection } from "./selection.ts";

/** What a plan looks at: what is declared, what was declared before, and by which policy they are compared. */
export interface Scope extends ScopeRequest {
  readonly desired: Desired;
  /** The policy that was asked for, with what was declared before and the part that is looked at. */
  readonly policy: Policy;
  readonly git: GitState;
  readonly baseRef: BaseRef | undefined;
  /** What is to be said of what is ignored, and of the base. */
  readonly problems: readonly Problem[];
}

/**
 * Reads the manifests of a repository, and of its history what the policy and the selection need. Throws
 * `ManifestError` when manifests are not valid, `ScopeError` when the request does not fit the repository, and the reason
 * of the signal.
 */
export async function readScope(
  asked: Omit<ScopeRequest, "selection"> & { readonly selection?: Selection },
): Promise<Scope> {
  const request: ScopeRequest = { selection: {}, ...asked };
  const { repository, policy, selection } = request;
  refuseShardOfPart(selection);
  // The commit first: what is committed while the manifests are read is then seen as a difference from it.
  const git = await committedState(resolve(repository.cwd, repository.directory));
  const desired = await loadManifests(repository, request.signal);
  const base = await findBase(request, desired);
  const state = withoutEntities(desired.state, policy.ignored);
  const before = base.before && withoutEntities(base.before, policy.ignored);
  const applied = base.applied && withoutEntities(base.applied, policy.ignored);
  const part = await selectedOf(request, { ...desired, state }, before);
  return {
    ...request,
    desired: { ...desired, state },
    policy: { ...policy, base: before, applied, part, shard: selection.shard },
    git: { ...git, base: base.anchor },
    baseRef: base.ref,
    problems: [...desired.ignored, ...base.problems],
  };
}

function refuseShardOfPart({ shard, targets, changedSince }: Selection): void {
  if (shard && (targets || changedSince !== undefined)) {
    throw new ScopeError({ code: "shard-of-part", by: targets ? "target" : "changed-since" });
  }
}

/** The commit that is checked out, and whether it holds all manifests as they are: those that git ignores it does not. */
async function committedState(root: string): Promise<GitState> {
  const { ignored, ...state } = await gitStateWithIgnored(root);
  if (state.commit === null || state.dirty) return state;
  return { ...state, dirty: ignored.some((path) => isManifest(path) && !isHidden(path)) };
}

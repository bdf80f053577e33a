import { resolve } from "node:path";
import { blobId } from "../git/content.ts";
import { gitStateWithIgnored } from "../git/state.ts";
import { isHidden, isManifest } from "../manifests/catalog-files.ts";
import type { DeclaredState, Desired } from "../manifests/desired-state.ts";
import type { Policies } from "../model/catalog-policy.ts";
import type { GitState } from "../model/plan.ts";
import { isError, type Problem } from "../model/problem.ts";
import type { Policy } from "../plan/policy.ts";
import type { Urn } from "../model/urn.ts";
import { withoutEntities } from "../plan/sides/select.ts";
import { matchedIn } from "../plan/rules/expand.ts";
import { allRules, type RuleSources, type ExpandedState } from "../plan/rules/expand-all.ts";
import { type BaseRef, findBase } from "./base.ts";
import { atChangedFiles } from "./changed-places.ts";
import { ManifestError, ScopeError } from "./errors.ts";
import type { KnownBase } from "./history.ts";
import { readManifests } from "./repository.ts";
import {
  declaredAtMergeBase,
  policiesAtFork,
  partBy,
  refuseUnknownRules,
  type ScopeRequest,
  selectedOf,
  type Selection,
} from "./selection.ts";

/** All that a plan needs but the live state: what is and was declared, and the policy. */
export interface Scope extends ScopeRequest {
  /** What documents declare, and the rules. */
  readonly desired: Desired;
  /** The requested policy, with what documents declared before, and the selected part where no rule decides it. */
  readonly policy: Policy;
  /** Where there are rules: what they and the assets of the catalog become together. */
  readonly rules?: ScopeRules;
  /** The policies and waivers of the anchor; absent where it is not known. */
  readonly policiesBefore?: Policies;
  /** Those of the merge base of HEAD and the ref since which changes are asked for; absent where it is not known. */
  readonly policiesAtFork?: Policies;
  readonly git: GitState;
  readonly baseRef: BaseRef | undefined;
  /** The warnings of the manifests, and of the base. */
  readonly problems: readonly Problem[];
}

/** Rules, and what is selected once it is known what they match. It throws `ScopeError` where no target matches. */
interface ScopeRules extends RuleSources {
  readonly select: (expanded: ExpandedState) => ReadonlySet<Urn> | undefined;
}

/**
 * Reads manifests, and their history as far as it is needed. Throws `ManifestError`, `ScopeError` and the reason of the signal.
 */
export async function readScope(
  asked: Omit<ScopeRequest, "selection"> & { readonly selection?: Selection },
): Promise<Scope> {
  const request: ScopeRequest = { selection: {}, ...asked };
  const { repository, policy, selection } = request;
  const { shard, ...others } = selection;
  const by = shard && partBy(others);
  if (by) throw new ScopeError({ code: "shard-of-part", by });
  // The commit first: what is committed while the manifests are read is then seen as a difference from it.
  const git = await committedState(resolve(repository.cwd, repository.directory));
  const isCompared = repository.settings.base !== undefined || selection.base !== undefined;
  const idOf = isCompared || selection.changedSince !== undefined ? blobId : undefined;
  const loaded = await readManifests(repository, request.signal, idOf);
  if (loaded.problems.some(isError)) {
    throw new ManifestError(await atChangedFiles(loaded.problems, request, loaded));
  }
  refuseUnknownRules(selection, loaded.rules);
  const base = await findBase(request, loaded);
  const desired = { ...loaded, state: withoutEntities(loaded.state, policy.ignored) };
  const before = base.known && withoutEntities(base.known.before, policy.ignored);
  const applied = base.known && withoutEntities(base.known.declared.state, policy.ignored);
  const since = await declaredAtMergeBase(request, desired, base.known);
  const fork = since ?? (await policiesAtFork(request, desired, base.known));
  const scope = {
    ...request,
    desired,
    policy: { ...policy, base: before, applied, shard },
    ...(base.known && { policiesBefore: base.known.declared }),
    ...(fork && { policiesAtFork: fork }),
    git: { ...git, base: base.anchor },
    baseRef: base.ref,
    problems: [...loaded.warnings, ...base.problems],
  };
  const rules = rulesFor(scope, base.known, since);
  if (allRules(rules).length > 0) return { ...scope, rules };
  const declared = { now: desired.state, before, since: since?.state, touched: since?.touched };
  return {
    ...scope,
    policy: { ...scope.policy, part: selectedOf(selection, { ...declared, matchedBy: () => [] }) },
  };
}

function rulesFor(
  { desired, policy, selection }: Pick<Scope, "desired" | "policy" | "selection">,
  known: KnownBase | undefined,
  since: DeclaredState | undefined,
): ScopeRules {
  const { applied } = policy;
  const isIgnored = (urn: Urn): boolean => policy.ignored.entity(urn) !== undefined;
  return {
    now: desired,
    ...(known &&
      applied && {
        history: {
          anchor: { ...known.declared, state: applied },
          later: known.epochs,
          documents: withoutEntities(known.later, policy.ignored),
        },
      }),
    ...(since && { comparisonBase: since }),
    isIgnored,
    select: ({ now, before, comparisonBase }) =>
      selectedOf(selection, {
        now: now.state,
        before,
        since: comparisonBase,
        matchedBy: (rule) => matchedIn(now, rule),
      }),
  };
}

/** The commit that is checked out, and whether it has all manifests as they are: it lacks those that git ignores. */
async function committedState(root: string): Promise<GitState> {
  const { ignored, ...state } = await gitStateWithIgnored(root);
  if (state.commit === null || state.dirty) return state;
  return { ...state, dirty: ignored.some((path) => isManifest(path) && !isHidden(path)) };
}

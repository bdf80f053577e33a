/** Assembles all inputs of a plan except the live state: the manifests, their history, the selection and the policy. */

import { resolve } from "node:path";
import { blobId } from "../../git/blob-id.ts";
import { gitStateWithIgnored } from "../../git/state.ts";
import { isHidden, isManifest } from "../../manifests/base/catalog-files.ts";
import type { Policies } from "../../model/catalog-policy.ts";
import type { GitState } from "../../model/plan.ts";
import { isError, type Problem } from "../../model/problem.ts";
import type { Policy } from "../../plan/base/policy.ts";
import type { Urn } from "../../model/urn.ts";
import { withoutEntities } from "../../plan/align/select.ts";
import type { Declaring } from "../../plan/rules/declared-by.ts";
import { matchedIn } from "../../plan/rules/expand.ts";
import { allRules } from "../../plan/rules/expand-all.ts";
import type { RuleInputs } from "../../sync/rules/expand-rules.ts";
import { type BaseRef, findBase } from "./base.ts";
import { movedToChangedFiles } from "./changed-places.ts";
import { ManifestError, ScopeError } from "./errors.ts";
import type { KnownBase } from "./history.ts";
import { namedInManifests } from "./named-selection.ts";
import { readManifests } from "./repository.ts";
import {
  type RequestedSelection,
  declaredAtFork,
  partialFlagOf,
  refuseUnknownRules,
  type ScopeRequest,
  selectedOf,
} from "./selection.ts";
import type { Desired, DeclaredState } from "../../manifests/base/desired.ts";

/** All inputs of a plan except the live state. */
export interface Scope extends ScopeRequest {
  /** The declarations in documents, and the rules. */
  readonly desired: Desired;
  /**
   * The requested policy, together with the selection and the earlier declarations from documents. The selection is absent if it
   * depends on rules.
   */
  readonly policy: Policy;
  /**
   * The rules to match against the assets in the catalog, with a function that then selects entities and throws `ScopeError` if no
   * target matches. Absent if there are no rules.
   */
  readonly rules?: RuleInputs;
  /** The policies and waivers at the base's anchor. Absent if they are unknown. */
  readonly policiesBefore?: Policies;
  /** The policies and waivers at the merge base of HEAD and the `--changed-since` ref. Absent if they are unknown. */
  readonly policiesAtFork?: Policies;
  readonly git: GitState;
  readonly baseRef: BaseRef | undefined;
  /** Warnings about the manifests and the base. */
  readonly problems: readonly Problem[];
}

/**
 * Reads the manifests, and their history if needed. Throws `ManifestError` if the manifests are invalid, `ScopeError` if the
 * request does not fit the repository, or the signal's reason if it is aborted.
 */
export async function readScope(
  requested: Omit<ScopeRequest, "selection"> & { readonly selection?: RequestedSelection },
): Promise<Scope> {
  const { repository, policy, selection: wanted = {} } = requested;
  const { platforms, domains, ...exact } = wanted;
  const { shard } = wanted;
  const by = shard && partialFlagOf(wanted);
  if (by) throw new ScopeError({ code: "shard-of-part", by });
  // Read the commit first. A commit that is made during the read then shows up as a difference.
  const git = await committedState(resolve(repository.cwd, repository.directory));
  const isCompared = repository.settings.base !== undefined || wanted.base !== undefined;
  const idOf = isCompared || wanted.changedSince !== undefined ? blobId : undefined;
  const loaded = await readManifests(repository, requested.signal, idOf);
  if (loaded.problems.some(isError)) {
    throw new ManifestError(
      await movedToChangedFiles(loaded.problems, { ...requested, selection: exact }, loaded),
    );
  }
  refuseUnknownRules(exact, loaded.rules);
  const base = await findBase({ ...requested, selection: exact }, loaded);
  const desired = { ...loaded, state: withoutEntities(loaded.state, policy.ignored) };
  const before = base.known && withoutEntities(base.known.before, policy.ignored);
  const applied = base.known && withoutEntities(base.known.declared.state, policy.ignored);
  const ahead = base.ahead && withoutEntities(base.ahead.state, policy.ignored);
  const states = [desired.state, ...(before ? [before] : [])];
  const selection = { ...exact, ...namedInManifests({ platforms, domains }, states) };
  const request: ScopeRequest = { ...requested, selection };
  const plansAll = shard !== undefined || repository.settingsChanges !== undefined;
  const fork = await declaredAtFork(request, desired, base.known, plansAll);
  const since = plansAll ? undefined : fork;
  const scope = {
    ...request,
    desired,
    policy: { ...policy, base: before, applied, ahead, shard },
    ...(base.known && { policiesBefore: base.known.declared }),
    ...(fork && { policiesAtFork: fork }),
    git: { ...git, base: base.known?.anchor ?? null },
    baseRef: base.ref,
    problems: [...loaded.warnings, ...base.problems],
  };
  const rules = rulesFor(scope, { ...base, since });
  if (allRules(rules).length > 0) return { ...scope, rules };
  const declared = { now: desired.state, before, since: since?.state, touched: since?.touched };
  return {
    ...scope,
    policy: { ...scope.policy, part: selectedOf(selection, { ...declared, matchedBy: () => [] }) },
  };
}

/** The declarations in other commits. */
interface Earlier {
  readonly known: KnownBase | undefined;
  readonly ahead?: DeclaredState | undefined;
  readonly since: DeclaredState | undefined;
}

function rulesFor({ desired, policy, selection }: Scope, { known, ahead, since }: Earlier): RuleInputs {
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
    ...(ahead && policy.ahead && { ahead: { ...ahead, state: policy.ahead } }),
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

/** Returns the current commit, and whether the work tree differs from it. Manifests that git ignores count as differences. */
async function committedState(root: string): Promise<GitState> {
  const { ignored, ...state } = await gitStateWithIgnored(root);
  if (state.commit === null || state.dirty) return state;
  return { ...state, dirty: ignored.some((path) => isManifest(path) && !isHidden(path)) };
}

/** Returns the declarations in a scope that determine which values count as declared for a policy. */
export function declaringIn({ desired, policy: { ignored } }: Scope): Declaring {
  return { ...desired, ignored };
}

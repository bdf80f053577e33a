import { resolve } from "node:path";
import { gitStateWithIgnored } from "../git/state.ts";
import { isHidden, isManifest } from "../manifests/catalog-files.ts";
import type { Desired } from "../manifests/desired-state.ts";
import type { GitState } from "../model/plan.ts";
import type { Problem } from "../model/problem.ts";
import type { State } from "../model/state.ts";
import type { Policy } from "../plan/policy.ts";
import type { Base, Declared } from "../plan/sides/base.ts";
import { selectTargets, withoutEntities } from "../plan/sides/select.ts";
import { baseOf, loadBase, type Narrow } from "./base.ts";
import type { ChangedFiles } from "./changed-since.ts";
import { ScopeError } from "./errors.ts";
import type { PolicyChoices } from "./policy.ts";
import {
  type All,
  allManifests,
  allToPrune,
  changedFiles,
  changedSettings,
  readManifests,
  type ScopeRequest,
  type Selection,
} from "./selection.ts";

/** The ref that names the base, and the commit that it names where it names one. */
export interface BaseRef {
  readonly name: string;
  readonly commit: string | null;
}

/** What a plan looks at: what is declared, what was declared before, and by which policy they are compared. */
export interface Scope extends ScopeRequest {
  readonly desired: Desired;
  /** The policy that was asked for, with what was declared before. */
  readonly policy: Policy;
  readonly git: GitState;
  readonly baseRef: BaseRef | undefined;
  /** What is to be said of what is ignored, and of the base. */
  readonly problems: readonly Problem[];
  /** All that the repository declares, where the plan looks only at a part of it. */
  readonly whole: (() => Promise<State>) | undefined;
}

/**
 * Reads the manifests of a repository, and of its history what the policy and the selection need. Throws
 * `ManifestError` when manifests are not valid, and `ScopeError` when the request does not fit the repository.
 */
export async function readScope(
  asked: Omit<ScopeRequest, "selection"> & { readonly selection?: Selection },
): Promise<Scope> {
  const request: ScopeRequest = { selection: {}, ...asked };
  const { repository, selection, policy } = request;
  const isPruning = policy.prune !== undefined;
  const ref = selection.base ?? repository.settings.base;
  if (isPruning && ref === undefined) throw new ScopeError({ code: "prune-without-base" });
  const changed = await changedFiles(request);
  // The commit first: what is committed while the manifests are read is then seen as a difference from it.
  const git = await committedState(resolve(repository.cwd, repository.directory));
  const desired = await readManifests(request, changed);
  const found = ref === undefined ? undefined : await loadBase(request, ref, desired);
  const known = found && "declared" in found ? found : undefined;
  const narrow: Narrow = (declared) => withoutEntities(selected(declared, selection.targets), policy.ignored);
  const all = isPruning ? allToPrune(repository) : allManifests(repository);
  const base = known && (await baseOf(request, { known, desired, changed, narrow, all }));
  const mentions = changed && base && isPruning && (await mentionsOf(desired, base, all));
  const looked = { ...narrow(desired), ...(mentions && { references: mentions }) };
  refuseEmptyTarget(selection, changed, [looked, ...(base ? [base] : [])]);
  return {
    ...request,
    desired: looked,
    policy: { ...policyFor(selection, policy), base },
    git: { ...git, base: known?.commit ?? null },
    baseRef: ref === undefined || !found ? undefined : { name: ref, commit: found.commit },
    problems: [
      ...desired.ignored,
      ...(found && "reason" in found ? [found.reason] : []),
      ...(await changedSettings(request, changed)),
    ],
    whole: wholeOf(selection, desired, allManifests(repository)),
  };
}

/** The commit that is checked out, and whether it holds all manifests as they are: those that git ignores it does not. */
async function committedState(root: string): Promise<GitState> {
  const { ignored, ...state } = await gitStateWithIgnored(root);
  if (state.commit === null || state.dirty) return state;
  return { ...state, dirty: ignored.some((path) => isManifest(path) && !isHidden(path)) };
}

function policyFor({ targets, changedSince }: Selection, policy: PolicyChoices): PolicyChoices {
  const isPart = targets !== undefined || changedSince !== undefined;
  return isPart && policy.pruneAssignments ? { ...policy, pruneAssignments: "facets" } : policy;
}

// Among changed files there may well be none that matches.
function refuseEmptyTarget(
  { targets }: Selection,
  changed: ChangedFiles | undefined,
  looked: readonly Declared[],
): void {
  if (!targets || changed || looked.some(({ state }) => state.size > 0)) return;
  throw new ScopeError({ code: "no-match", targets });
}

function wholeOf({ changedSince, targets }: Selection, { state }: Desired, all: All): Scope["whole"] {
  if (changedSince !== undefined) return async () => (await all()).state;
  return targets && (async () => state);
}

/** The references of the manifests that are looked at, and those of the others to what a prune would delete. */
async function mentionsOf(
  { state, references }: Desired,
  base: Base,
  all: All,
): Promise<Desired["references"]> {
  const gone = new Set([...base.state.keys()].filter((urn) => !state.has(urn)));
  if (gone.size === 0) return references;
  const whole = await all();
  return [...references, ...whole.references.filter(({ urn, from }) => gone.has(urn) && !state.has(from))];
}

function selected<T extends Declared>(declared: T, patterns: readonly string[] | undefined): T {
  return patterns ? selectTargets(declared, patterns) : declared;
}

import { resolve } from "node:path";
import type { ChangedFiles } from "./changed-since.ts";
import type { Desired } from "../manifests/desired-state.ts";
import { gitStateOf } from "../git/state.ts";
import type { GitState } from "../model/plan.ts";
import type { Limits } from "../model/policy.ts";
import type { Problem } from "../model/problem.ts";
import type { State } from "../model/state.ts";
import type { Base, Declared } from "../plan/sides/base.ts";
import { type Ignored, ignoring } from "../plan/adopt/ignore.ts";
import { selectTargets, withoutEntities } from "../plan/sides/select.ts";
import { UsageError } from "../cli/errors.ts";
import { baseOf, loadBase, type Narrow } from "./scope-base.ts";
import {
  type All,
  allManifests,
  allToPrune,
  changedFiles,
  changedSettings,
  readManifests,
  type Repository,
  type ScopeOptions,
} from "./scope-files.ts";

/** The ref that names the base, and the commit that it names where it names one. */
export interface BaseRef {
  readonly name: string;
  readonly commit: string | null;
}

/** What a plan looks at: what is declared, what was declared before, and what is left alone. */
export interface Scope {
  readonly desired: Desired;
  readonly base: Base | undefined;
  readonly ignored: Ignored;
  readonly git: GitState;
  readonly baseRef: BaseRef | undefined;
  /** What is to be said of what is ignored, and of the base. */
  readonly problems: readonly Problem[];
  /** All that the repository declares, where the plan looks only at a part of it. */
  readonly whole: (() => Promise<State>) | undefined;
}

/**
 * Reads the manifests, and of git's history what is asked for. The limit on what has vanished says how exactly the
 * whole must be known. Throws `ManifestError`, `RunError` or `UsageError`.
 */
export async function loadScope(repository: Repository, limits: Limits): Promise<Scope> {
  const { dir, options, settings, io } = repository;
  const ref = options.base ?? settings.base;
  if (options.prune === true && ref === undefined) {
    throw new UsageError(
      "--prune needs a base to know what was declared before; use --base <ref> or set `base` in the settings",
    );
  }
  const changed = await changedFiles(repository);
  // The commit first: what is committed while the manifests are read is then seen as a difference from it.
  const git = await gitStateOf(resolve(io.cwd, dir));
  const desired = await readManifests(repository, changed);
  const found = ref === undefined ? undefined : await loadBase(repository, ref, desired);
  const known = found && "declared" in found ? found : undefined;
  const ignored = ignoring(settings.ignore ?? []);
  const narrow: Narrow = (declared) => withoutEntities(selected(declared, options.target), ignored);
  const all = options.prune === true ? allToPrune(repository) : allManifests(repository);
  const base = known && (await baseOf(repository, { known, desired, changed, narrow, all }, limits));
  const mentions = changed && base && (await mentionsOf(desired, base, options.prune === true, all));
  const looked = { ...narrow(desired), ...(mentions && { references: mentions }) };
  refuseEmptyTarget(options, changed, [looked, ...(base ? [base] : [])]);
  return {
    desired: looked,
    base,
    ignored,
    git: { ...git, base: known?.commit ?? null },
    baseRef: ref === undefined || !found ? undefined : { name: ref, commit: found.commit },
    problems: [
      ...desired.problems.filter(({ code }) => code.startsWith("ignored-")),
      ...(found && "reason" in found ? [found.reason] : []),
      ...(await changedSettings(repository, changed)),
    ],
    whole: wholeOf(options, desired, allManifests(repository)),
  };
}

// Among changed files there may well be none that matches.
function refuseEmptyTarget(
  { target }: ScopeOptions,
  changed: ChangedFiles | undefined,
  looked: readonly Declared[],
): void {
  if (!target || changed || looked.some(({ state }) => state.size > 0)) return;
  throw new UsageError(
    `no declared entity matches --target ${target.join(" ")}; a pattern must match the whole URN, such as urn:li:tag:pii, and * matches any text`,
  );
}

function wholeOf({ changedSince, target }: ScopeOptions, { state }: Desired, all: All): Scope["whole"] {
  if (changedSince !== undefined) return async () => (await all()).state;
  return target && (async () => state);
}

/** The references of the manifests that are looked at, and those of the others to what a prune would delete. */
async function mentionsOf(
  { state, references }: Desired,
  base: Base,
  isPruning: boolean,
  all: All,
): Promise<Desired["references"]> {
  const gone = new Set([...base.state.keys()].filter((urn) => !state.has(urn)));
  if (!isPruning || gone.size === 0) return references;
  const whole = await all();
  return [...references, ...whole.references.filter(({ urn, from }) => gone.has(urn) && !state.has(from))];
}

function selected<T extends Declared>(declared: T, patterns: readonly string[] | undefined): T {
  return patterns ? selectTargets(declared, patterns) : declared;
}

import { dirname, resolve } from "node:path";
import { displayName } from "../manifests/catalog-files.ts";
import { type Desired, readDesired } from "../manifests/desired-state.ts";
import { defaultSettingsFile } from "../manifests/settings/settings.ts";
import type { Problem } from "../model/problem.ts";
import { type ChangedFiles, changedSince } from "./changed-since.ts";
import { ScopeError } from "./errors.ts";
import type { PolicyChoices } from "./policy.ts";
import { loadManifests, type Manifests, type Repository } from "./repository.ts";

/** The part of a repository that is looked at, and what it is compared with. Without any of these it is the whole. */
export interface Selection {
  /** Patterns of URNs, in which `*` matches any text: only entities that match one of them. */
  readonly targets?: readonly string[] | undefined;
  /** A ref: only manifests that differ from the merge base of HEAD and this ref. */
  readonly changedSince?: string | undefined;
  /** The ref of the last applied commit, where it is not the settings' `base`. */
  readonly base?: string | undefined;
  /**
   * Whether the plan is only shown and never applied. Then mistakes in manifests that are not looked at do not count,
   * and references to what they declare are warnings.
   */
  readonly isPreview?: boolean | undefined;
}

/** What is to be looked at, and by which policy it is judged. */
export interface ScopeRequest {
  readonly repository: Repository;
  readonly policy: PolicyChoices;
  readonly selection: Selection;
}

/** Reads all manifests, those too that the plan does not look at; only once, and only where somebody asks. */
export type All = () => Promise<Desired>;

/** All manifests, with their mistakes: one in a manifest that the plan does not look at is no mistake of the plan. */
export function allManifests({ cwd, directory, settingsFile }: Repository): All {
  return once(() => readDesired(directory, { cwd, settings: settingsFile }));
}

/**
 * All manifests for a plan that deletes what none of them declares: one that cannot be read may declare it. Throws
 * `ManifestError`.
 */
export function allToPrune(repository: Repository): All {
  return once(() => loadManifests(repository));
}

function once(read: All): All {
  let all: Promise<Desired> | undefined;
  return () => (all ??= read());
}

/**
 * The manifests that a plan looks at. What is to be applied must not overlook a mistake in the others, such as a
 * membership that one of them contradicts. Throws `ManifestError`.
 */
export async function readManifests(
  { repository, selection }: ScopeRequest,
  changed: ChangedFiles | undefined,
): Promise<Manifests> {
  if (!changed) return await loadManifests(repository);
  const all = selection.isPreview === true ? allManifests(repository) : allToPrune(repository);
  const whole = await all();
  return await loadManifests(repository, changed.files, whole.declarations);
}

/** The files that differ, where only those are looked at. Throws `ScopeError` where git cannot tell. */
export async function changedFiles({
  repository: { cwd, directory },
  selection,
}: ScopeRequest): Promise<ChangedFiles | undefined> {
  if (selection.changedSince === undefined) return undefined;
  const found = await changedSince(directory, selection.changedSince, { cwd });
  if ("reason" in found) throw new ScopeError({ code: "unknown-changes", problem: found.reason });
  return found;
}

/** A warning where the settings have changed, too: they concern more than the changed manifests. */
export async function changedSettings(
  { repository: { cwd, directory, settingsFile }, selection: { changedSince: ref } }: ScopeRequest,
  changed: ChangedFiles | undefined,
): Promise<readonly Problem[]> {
  if (!changed || ref === undefined) return [];
  const file = resolve(cwd, settingsFile ?? defaultSettingsFile(directory));
  const around = settingsFile === undefined ? changed : await changedSince(dirname(file), ref, { cwd });
  // Settings outside of a repository have no history.
  if ("reason" in around || !around.files.has(file)) return [];
  const origin = { file: displayName(file, cwd), line: 1, column: 1 };
  return [{ code: "changed-settings", severity: "warning", args: {}, origin }];
}

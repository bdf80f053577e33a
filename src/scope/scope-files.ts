import { dirname, resolve } from "node:path";
import { displayName } from "../manifests/catalog-files.ts";
import { type ChangedFiles, changedSince } from "./changed-since.ts";
import { type Desired, readDesired } from "../manifests/desired-state.ts";
import { defaultSettingsFile, type Settings } from "../manifests/settings/settings.ts";
import type { Problem } from "../model/problem.ts";
import { messageOf } from "../report/problems.ts";
import { RunError } from "../cli/errors.ts";
import type { Io } from "../cli/io.ts";
import { loadDesired } from "./repository.ts";

/** The options that say what a plan looks at. */
export interface ScopeOptions {
  readonly settings?: string;
  readonly target?: readonly string[];
  readonly base?: string;
  readonly changedSince?: string;
  readonly prune?: boolean;
}

/** Where a catalog stands, what is set for it, and whether it is to be written to. */
export interface Repository {
  readonly dir: string;
  readonly options: ScopeOptions;
  readonly settings: Settings;
  readonly writes: boolean;
  readonly io: Io;
}

/** Reads all manifests, those too that the plan does not look at; only once, and only where somebody asks. */
export type All = () => Promise<Desired>;

/** All manifests, with their mistakes: one in a manifest that the plan does not look at is no mistake of the plan. */
export function allManifests({ dir, options, io }: Repository): All {
  return once(() => readDesired(resolve(io.cwd, dir), { cwd: io.cwd, settings: options.settings }));
}

/**
 * All manifests for a plan that deletes what none of them declares: one that cannot be read may declare it. Throws
 * `ManifestError`.
 */
export function allToPrune({ dir, options, io }: Repository): All {
  return once(() => loadDesired(dir, options.settings, io));
}

function once(read: All): All {
  let all: Promise<Desired> | undefined;
  return () => (all ??= read());
}

/**
 * The manifests that a plan looks at. What writes must not overlook a mistake in the others, such as a membership that
 * one of them contradicts. Throws `ManifestError`.
 */
export async function readManifests(
  { dir, options, settings, writes, io }: Repository,
  changed: ChangedFiles | undefined,
): Promise<Desired> {
  const ignore = settings.ignore && { ignore: settings.ignore };
  if (changed && writes) await loadDesired(dir, options.settings, io, { ...ignore });
  return await loadDesired(dir, options.settings, io, { ...ignore, only: changed?.files });
}

/** The files that differ, where only those are looked at. Throws `RunError` where git cannot tell. */
export async function changedFiles({ dir, options, io }: Repository): Promise<ChangedFiles | undefined> {
  if (options.changedSince === undefined) return undefined;
  const found = await changedSince(resolve(io.cwd, dir), options.changedSince, { cwd: io.cwd });
  if ("reason" in found) throw new RunError(`--changed-since: ${messageOf(found.reason)}`);
  return found;
}

/** A warning where the settings have changed, too: they concern more than the changed manifests. */
export async function changedSettings(
  { dir, options, io }: Repository,
  changed: ChangedFiles | undefined,
): Promise<readonly Problem[]> {
  if (!changed || options.changedSince === undefined) return [];
  const file = resolve(io.cwd, options.settings ?? defaultSettingsFile(dir));
  const { cwd } = io;
  const around =
    options.settings === undefined
      ? changed
      : await changedSince(dirname(file), options.changedSince, { cwd });
  // Settings that stand in no repository have no history to tell.
  if ("reason" in around || !around.files.has(file)) return [];
  const origin = { file: displayName(file, cwd), line: 1, column: 1 };
  return [{ code: "changed-settings", severity: "warning", args: {}, origin }];
}

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { displayName } from "../manifests/catalog-files.ts";
import { type Desired, readDesired } from "../manifests/desired-state.ts";
import { ignoredValues } from "../manifests/settings/ignored-values.ts";
import { defaultSettingsFile, readSettings, type Settings } from "../manifests/settings/settings.ts";
import type { SettingChange } from "../model/plan.ts";
import { type Problem, sortProblems } from "../model/problem.ts";
import { ManifestError, ScopeError } from "./errors.ts";
import { settingsChange } from "./settings-change.ts";

/** Where the manifests of a catalog are. */
export interface Location {
  /** Problems and plans name files relative to this directory. */
  readonly cwd: string;
  /** The catalog directory, absolute or relative to `cwd`. */
  readonly directory: string;
  /** The settings file, where it is not `datahub-gitops.yaml` in the catalog directory. */
  readonly settingsFile?: string | undefined;
}

/** A catalog directory with its settings. */
export interface Repository extends Location {
  /** By which plans are judged: where settings changed, with the stricter limits of both. */
  readonly settings: Settings;
  /** What the settings say otherwise than at the merge base of HEAD and the ref that was asked for. */
  readonly settingsChanges?: readonly SettingChange[];
}

/** Manifests without an error. */
export interface Manifests extends Desired {
  /** Those of the warnings that are about what the settings ignore. */
  readonly ignored: readonly Problem[];
}

/**
 * Reads the settings of a catalog directory; without a settings file the defaults hold. Throws `ManifestError` with
 * every problem, the manifests' too, when the settings are not valid, and `ScopeError` when the directory is part of
 * another catalog with settings: its pin, modes and guards would not hold. Whoever plans what changed since a ref names it:
 * then settings that changed, too, do not loosen the limits by which that very change is judged.
 */
export async function openRepository(location: Location, changedSince?: string): Promise<Repository> {
  const { cwd, directory, settingsFile } = location;
  const above = settingsFile === undefined ? catalogAbove(resolve(cwd, directory)) : undefined;
  if (above !== undefined) {
    const [name, catalog] = [displayName(resolve(cwd, directory), cwd), displayName(above, cwd)];
    throw new ScopeError({ code: "inside-catalog", directory: name, catalog });
  }
  const { settings, problems } = await readSettings(settingsFile, resolve(cwd, directory), { cwd });
  if (hasErrors(problems)) {
    const manifests = await readDesired(directory, { cwd, settings: settingsFile });
    throw new ManifestError(sortProblems([...problems, ...manifests.problems]));
  }
  const change =
    changedSince === undefined ? undefined : await settingsChange(location, settings, changedSince);
  return {
    ...location,
    settings,
    ...(change && { settings: change.settings, settingsChanges: change.changes }),
  };
}

/** Reads all manifests. Throws `ManifestError` with every problem when one of them is an error, and the reason of the signal. */
export async function loadManifests(
  { cwd, directory, settingsFile, settings }: Repository,
  signal?: AbortSignal,
): Promise<Manifests> {
  const desired = await readDesired(directory, { cwd, settings: settingsFile, signal });
  const ignored = ignoredValues(desired, settings.ignore ?? []);
  const problems = sortProblems([...desired.problems, ...ignored]);
  if (hasErrors(problems)) throw new ManifestError(problems);
  return { ...desired, problems, ignored };
}

/** The nearest directory above one, within its repository, that has settings. */
function catalogAbove(directory: string): string | undefined {
  const parent = dirname(directory);
  if (parent === directory || existsSync(join(directory, ".git"))) return undefined;
  return existsSync(defaultSettingsFile(parent)) ? parent : catalogAbove(parent);
}

function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some(({ severity }) => severity === "error");
}

/**
 * Opens a catalog directory: reads the settings for one or all environments, rejects invalid environments, and reads the
 * manifests.
 */

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { resolveLinks } from "../../files/links.ts";
import { displayName } from "../../manifests/base/catalog-files.ts";
import { readDesired, type ReadingOptions } from "../../manifests/documents/desired-state.ts";
import { ignoredValues } from "../../manifests/settings/ignored-values.ts";
import { defaultSettingsFile, readSettings } from "../../manifests/settings/settings.ts";
import type { Settings } from "../../manifests/settings/settings-content.ts";
import type { CatalogPolicy } from "../../model/catalog-policy.ts";
import { hasTrait, isError, type Problem, sortProblems } from "../../model/problem.ts";
import { codeOwnersIn } from "./code-owners.ts";
import { ManifestError, ScopeError } from "./errors.ts";
import { unfitDeclarations } from "../../plan/checks/defined-values.ts";
import { type SettingsChange, settingsChange } from "./settings-change.ts";
import type { Desired } from "../../manifests/base/desired.ts";

/** The path of a catalog directory. */
export interface CatalogPath {
  /** The directory to which file names in problems and plans are relative. */
  readonly cwd: string;
  /** The catalog directory, absolute or relative to `cwd`. */
  readonly directory: string;
}

/** Returns the absolute path of a catalog directory. */
export function rootOf({ cwd, directory }: CatalogPath): string {
  return resolve(cwd, directory);
}

/** The location of a catalog and its settings. */
export interface Location extends CatalogPath {
  /** The settings file, if it is not `datahub-gitops.yaml` in the catalog directory. */
  readonly settingsFile?: string | undefined;
  /** The environment, if the settings have environments. */
  readonly environment?: string | undefined;
}

/** A catalog directory with its settings, and the earlier settings if they have changed since the requested ref. */
export interface Repository extends Location, Partial<SettingsChange> {
  /**
   * The settings of the environment, with the stricter of the old and new limits if limits have changed since the requested ref.
   */
  readonly settings: Settings;
}

/** The declarations in all manifests. */
export interface Manifests extends Desired {
  /** Warnings that plans also report, because reading the catalog cannot resolve them. */
  readonly warnings: readonly Problem[];
}

/**
 * Reads the settings of a catalog directory, with defaults. If limits have changed since a ref, the stricter limits apply. Throws
 * `ManifestError` if the settings are invalid, and `ScopeError` if the environment is invalid or the directory is inside another
 * catalog.
 */
export async function openRepository(location: Location, changedSince?: string): Promise<Repository> {
  const { cwd, directory, settingsFile, environment } = location;
  const settings = settingsOf(await settingsAt(location), environment);
  if (changedSince === undefined) return { ...location, settings };
  const file = resolve(cwd, settingsFile ?? defaultSettingsFile(directory));
  return { ...location, settings, ...(await settingsChange(file, { settings, environment }, changedSince)) };
}

/** Opens the requested environment, or each environment in the order of the settings. */
export async function openRepositories(location: Location): Promise<readonly Repository[]> {
  const { environments = new Map() } = await settingsAt(location);
  if (location.environment !== undefined || environments.size === 0) return [await openRepository(location)];
  return [...environments].map(([environment, settings]) => ({ ...location, environment, settings }));
}

async function settingsAt({ cwd, directory, settingsFile }: Location): Promise<Settings> {
  const path = resolve(cwd, directory);
  const above =
    settingsFile === undefined ? (catalogAbove(path) ?? catalogAbove(resolveLinks(path))) : undefined;
  if (above !== undefined) {
    const [name, catalog] = [displayName(path, cwd), displayName(above, cwd)];
    throw new ScopeError({ code: "inside-catalog", directory: name, catalog });
  }
  const read = await readSettings(settingsFile, path, { cwd });
  const { settings, problems, hasEnvironments } = read;
  if (!problems.some(isError)) return settings;
  // Without valid environments, it is unknown which manifests belong together.
  if (hasEnvironments) throw new ManifestError(problems);
  const manifests = await readDesired(directory, { cwd, settings: settingsFile });
  throw new ManifestError(sortProblems([...problems, ...manifests.problems]));
}

function settingsOf(settings: Settings, environment: string | undefined): Settings {
  const names = [...(settings.environments?.keys() ?? [])];
  if (environment === undefined) {
    if (names.length > 0) throw new ScopeError({ code: "environment-needed", names });
    return settings;
  }
  const own = settings.environments?.get(environment);
  if (own) return own;
  throw new ScopeError(
    names.length === 0
      ? { code: "no-environments", environment }
      : { code: "unknown-environment", environment, names },
  );
}

/** Returns the options for reading the environment's manifests, or all manifests if there is no environment. */
export function readingOf({ cwd, settingsFile, settings }: Repository): ReadingOptions {
  return { cwd, settings: settingsFile, paths: settings.paths };
}

/**
 * Reads all manifests. Throws `ManifestError` with all problems if any of them is an error, or the signal's reason if it is
 * aborted.
 */
export async function loadManifests(repository: Repository, signal?: AbortSignal): Promise<Manifests> {
  const manifests = await readManifests(repository, signal);
  if (manifests.problems.some(isError)) throw new ManifestError(manifests.problems);
  return manifests;
}

/** Reads all manifests and returns their problems. Throws only if the signal is aborted. */
export async function readManifests(
  repository: Repository,
  signal?: AbortSignal,
  idOf?: (bytes: Buffer) => string,
): Promise<Manifests> {
  const desired = await readDesired(repository.directory, { ...readingOf(repository), signal, idOf });
  const ignored = ignoredValues(desired, repository.settings.ignore ?? []);
  const unfit = unfitDeclarations(desired.state, desired.rules);
  const problems = sortProblems([...desired.problems, ...ignored, ...unfit]);
  const warnings = problems.filter(
    (problem) => problem.severity === "warning" && !hasTrait(problem, "undeclared"),
  );
  return { ...desired, policies: withCodeOwners(desired.policies, repository), problems, warnings };
}

function withCodeOwners(policies: readonly CatalogPolicy[], { cwd }: Repository): readonly CatalogPolicy[] {
  if (policies.length === 0) return policies;
  const ownersOf = codeOwnersIn(cwd);
  return policies.map((policy) => {
    const codeOwners = ownersOf(policy.origin.file);
    return codeOwners.length > 0 ? { ...policy, codeOwners } : policy;
  });
}

/** Returns the nearest parent directory that has settings and is in the repository. */
function catalogAbove(directory: string): string | undefined {
  const parent = dirname(directory);
  if (parent === directory || existsSync(join(directory, ".git"))) return undefined;
  return existsSync(defaultSettingsFile(parent)) ? parent : catalogAbove(parent);
}

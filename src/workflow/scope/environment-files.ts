/** Finds the files and changes of an environment in earlier commits, according to the settings in each commit. */

import { basename, dirname, resolve } from "node:path";
import type { LineSince } from "../../git/commits-since.ts";
import { blobsOf, changesOn, type CommitChanges, fileAt, type TreeEntry } from "../../git/tree.ts";
import { allPaths, type PathFilter, pathFilter } from "../../manifests/settings/environments.ts";
import { defaultSettingsFile, readSettingsBytes } from "../../manifests/settings/settings.ts";
import { isError } from "../../model/problem.ts";
import { mayHideManifests } from "./fault.ts";

/** A catalog directory, its environment, and the location of its settings. */
export interface EnvironmentSettings {
  /** The absolute path of the catalog directory. */
  readonly root: string;
  readonly cwd: string;
  /** The settings file, if it is not the default file. */
  readonly settings?: string | undefined;
  readonly environment?: string | undefined;
}

/** A commit's changes to the files that the settings in that commit assign to an environment. */
export interface EnvironmentChanges extends CommitChanges {
  /**
   * Whether the settings in the commit are invalid or do not contain the environment. Such a commit could not be applied in the
   * environment.
   */
  readonly declaresNothing: boolean;
  readonly changesSettings: boolean;
}

/**
 * Returns a filter for an environment's files in a commit. The filter accepts all files if the settings have no environments.
 * Returns `undefined` if the settings are invalid or do not contain the environment, because nothing was applied there.
 */
export async function environmentFilesAt(
  commit: string,
  of: EnvironmentSettings,
): Promise<PathFilter | undefined> {
  if (of.environment === undefined) return allPaths;
  const { dir, name } = placeOfSettings(of);
  const found = await fileAt(dir, commit, name);
  // The target of a link is not in the commit.
  return found.isLink === true ? undefined : partIn(found.file?.bytes, of.environment);
}

/**
 * Returns a file filter for each commit of `line` that changed the settings, keyed by commit id. The map is empty without an
 * environment.
 */
export async function environmentFilesAlong(
  line: LineSince,
  of: EnvironmentSettings,
): Promise<ReadonlyMap<string, PathFilter | undefined>> {
  const { environment } = of;
  if (environment === undefined) return new Map();
  const { dir, name } = placeOfSettings(of);
  const commits = await changesOn(dir, line, name);
  const turns = commits.filter(({ changed, removed }) => changed.length + removed.length > 0);
  const parts = turns.map(async ({ commit, changed }) => {
    const files = changed.filter(({ type }) => type === "file");
    const [bytes] = await blobsOf(dir, files);
    return [commit, partIn(bytes, environment)] as const;
  });
  return new Map(await Promise.all(parts));
}

function placeOfSettings({ root, cwd, settings }: EnvironmentSettings): { dir: string; name: string } {
  const file = settings === undefined ? defaultSettingsFile(root) : resolve(cwd, settings);
  return { dir: dirname(file), name: basename(file) };
}

function partIn(bytes: Buffer | undefined, environment: string): PathFilter | undefined {
  if (!bytes) return allPaths;
  const { settings, problems } = readSettingsBytes("", bytes);
  if (problems.some(isError)) return undefined;
  if (!settings.environments) return allPaths;
  const own = settings.environments.get(environment);
  return own && pathFilter(own.paths);
}

/**
 * Returns the changes that commits make in an environment. New settings can add files to the environment or remove them from it.
 */
export function changesWithParts(
  commits: readonly CommitChanges[],
  parts: ReadonlyMap<string, PathFilter | undefined>,
  start: { readonly part: PathFilter; readonly tree: readonly TreeEntry[] },
): readonly EnvironmentChanges[] {
  const files = new Map(start.tree.map((entry) => [entry.path, entry]));
  let { part } = start;
  let declaresNothing = false;
  return commits.map((changes) => {
    const { commit, changed, removed } = changes;
    for (const path of removed) files.delete(path);
    for (const entry of changed) files.set(entry.path, entry);
    const changesSettings = parts.has(commit);
    const next = changesSettings ? parts.get(commit) : part;
    declaresNothing = changesSettings ? next === undefined : declaresNothing;
    const before = part;
    part = next ?? part;
    const isSeen = (entry: TreeEntry): boolean => mayHideManifests(entry) || part(entry.path);
    const moved =
      part === before ? [] : [...files.values()].filter(({ path }) => before(path) !== part(path));
    return {
      commit,
      changed: [...new Set([...changed.filter(isSeen), ...moved.filter(({ path }) => part(path))])],
      removed: [...removed, ...moved.flatMap(({ path }) => (part(path) ? [] : [path]))],
      declaresNothing,
      changesSettings,
    };
  });
}

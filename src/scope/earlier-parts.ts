import { basename, dirname, resolve } from "node:path";
import { changesOn, type CommitChanges, type LineSince } from "../git/changes-since.ts";
import { blobsOf, fileAt, type TreeEntry } from "../git/commit.ts";
import { everything, type Part, partOf } from "../manifests/settings/environments.ts";
import { defaultSettingsFile, readSettingsBytes } from "../manifests/settings/settings.ts";
import { isError } from "../model/problem.ts";
import { isOpaque } from "./fault.ts";

/** The environment of which history is asked for, and where its settings are. */
export interface OfEnvironment {
  readonly cwd: string;
  /** The settings file, where it is not the default one. */
  readonly settings?: string | undefined;
  readonly environment?: string | undefined;
}

/** What a commit changed among the files that its own settings give to an environment. */
export interface SeenChanges extends CommitChanges {
  /** Whether its settings are not valid or lack the environment: it could not be applied there and declares nothing. */
  readonly isVoid: boolean;
  /** Whether it changed the settings. */
  readonly isTurn: boolean;
}

/**
 * The files of an environment in a commit, by the settings of that commit: all files where these have no environments, and
 * `undefined` where they are not valid or lack it, so that nothing was applied there.
 */
export async function earlierPart(
  root: string,
  commit: string,
  of: OfEnvironment,
): Promise<Part | undefined> {
  if (of.environment === undefined) return everything;
  const { dir, name } = placeOfSettings(root, of);
  const found = await fileAt(dir, commit, name);
  // What is behind a link is not in the commit.
  return found.isLink === true ? undefined : partIn(found.file?.bytes, of.environment);
}

/** The same for each commit of a line that changed the settings, by its id. None without an environment. */
export async function laterParts(
  root: string,
  line: LineSince,
  of: OfEnvironment,
): Promise<ReadonlyMap<string, Part | undefined>> {
  const { environment } = of;
  if (environment === undefined) return new Map();
  const { dir, name } = placeOfSettings(root, of);
  const commits = await changesOn(dir, line, name);
  const turns = commits.filter(({ changed, removed }) => changed.length + removed.length > 0);
  const entries = turns.map(({ changed }) => changed.find(({ type }) => type === "file"));
  const files = entries.flatMap((entry) => entry ?? []);
  const blobs = [...(await blobsOf(dir, files))];
  const parts = turns.map(
    ({ commit }, index) => [commit, partIn(entries[index] ? blobs.shift() : undefined, environment)] as const,
  );
  return new Map(parts);
}

function placeOfSettings(root: string, { cwd, settings }: OfEnvironment): { dir: string; name: string } {
  const file = settings === undefined ? defaultSettingsFile(root) : resolve(cwd, settings);
  return { dir: dirname(file), name: basename(file) };
}

function partIn(bytes: Buffer | undefined, environment: string): Part | undefined {
  if (!bytes) return everything;
  const { settings, problems } = readSettingsBytes("", bytes);
  if (problems.some(isError)) return undefined;
  if (!settings.environments) return everything;
  const own = settings.environments.get(environment);
  return own && partOf(own.paths);
}

/** The changes of commits as an environment sees them: new settings add files to it, and remove others from it. */
export function changesSeen(
  commits: readonly CommitChanges[],
  parts: ReadonlyMap<string, Part | undefined>,
  start: { readonly part: Part; readonly tree: readonly TreeEntry[] },
): readonly SeenChanges[] {
  const files = new Map(start.tree.map((entry) => [entry.path, entry]));
  let { part } = start;
  let isVoid = false;
  return commits.map((changes) => {
    const { commit, changed, removed } = changes;
    for (const path of removed) files.delete(path);
    for (const entry of changed) files.set(entry.path, entry);
    const isTurn = parts.has(commit);
    const next = isTurn ? parts.get(commit) : part;
    isVoid = isTurn ? next === undefined : isVoid;
    const before = part;
    part = next ?? part;
    const isSeen = (entry: TreeEntry): boolean => isOpaque(entry) || part(entry.path);
    const moved =
      part === before ? [] : [...files.values()].filter(({ path }) => before(path) !== part(path));
    return {
      commit,
      changed: [...new Set([...changed.filter(isSeen), ...moved.filter(({ path }) => part(path))])],
      removed: [...removed, ...moved.flatMap(({ path }) => (part(path) ? [] : [path]))],
      isVoid,
      isTurn,
    };
  });
}

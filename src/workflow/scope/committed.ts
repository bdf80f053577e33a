/** Reads declarations from earlier commits: the last applied declarations, and the declarations in deleted files. */

import { resolve } from "node:path";
import { forkOf } from "../../git/commit.ts";
import { earlierFiles, earlierVersions } from "../../git/earlier-files.ts";
import type { TreeEntry } from "../../git/tree.ts";
import { ownFiles } from "../../manifests/edit/export/file-path.ts";
import { displayName } from "../../manifests/base/catalog-files.ts";
import { groupBy } from "../../model/group-by.ts";
import { pathFilter } from "../../manifests/settings/environments.ts";
import {
  type BaseFile,
  readDeclarations,
  isDeleted,
  manifestEntries,
  currentManifests,
} from "./base-files.ts";
import { faultOf, mayHideManifests } from "./fault.ts";
import { declaredAt } from "./history.ts";
import { appendTo } from "../../model/append.ts";
import type { Urn } from "../../model/urn.ts";
import type { Applied } from "../../plan/order/applied-entities.ts";
import { fileOf, urnOf } from "../../model/packed-declarations.ts";
import type { Repository } from "./repository.ts";
import type { Desired } from "../../manifests/base/desired.ts";
import type { Declaration } from "../../model/declaration.ts";

/** The declarations in earlier commits. Empty without Git. */
export interface Committed {
  /** The last applied declaration of each entity. */
  readonly applied: Iterable<Declaration>;
  /** Earlier declarations in deleted files, and in files from which a manifest may have been removed. */
  readonly deleted: Iterable<Declaration>;
}

/**
 * Reads declarations from the available history. `applies` lists the applies since the last applied commit, newest first. Throws
 * only if the signal is aborted.
 */
export async function committedOf(
  repository: Repository,
  declared: Desired,
  signal: AbortSignal,
  applies: readonly Applied[] = [],
): Promise<Committed> {
  const applied = await appliedIn(repository, declared, { signal, applies }).catch(orNothing);
  return { applied, deleted: await deletedIn(repository, declared, signal).catch(orNothing) };
}

function orNothing(error: unknown): readonly Declaration[] {
  faultOf(error);
  return [];
}

async function appliedIn(
  repository: Repository,
  declared: Desired,
  { signal, applies }: { readonly signal: AbortSignal; readonly applies: readonly Applied[] },
): Promise<Iterable<Declaration>> {
  const { cwd, directory, settings } = repository;
  const root = resolve(cwd, directory);
  if (settings.base === undefined) return [];
  const now = currentManifests(repository, declared, signal);
  const last = lastApplied(applies, declared);
  const found: Declaration[] = [];
  for (const commit of new Set(last.values())) {
    const { declarations } = await declaredAt(root, commit, now);
    appendTo(
      found,
      declarations.filter((each) => last.get(urnOf(each)) === commit),
    );
  }
  const { declarations } = await declaredAt(root, await forkOf(root, settings.base), now);
  return [...found, ...declarations.filter((each) => !last.has(urnOf(each)))];
}

/** Returns the commit of each entity's last apply, if that apply is later than the last applied commit. */
function lastApplied(applies: readonly Applied[], { declarations }: Desired): ReadonlyMap<Urn, string> {
  const last = new Map<Urn, string>();
  for (const urn of new Set(declarations.map(urnOf))) {
    const found = applies.find(({ covers }) => covers(urn));
    if (found) last.set(urn, found.commit);
  }
  return last;
}

async function deletedIn(
  { cwd, directory, settingsFile: settings, settings: { paths } }: Repository,
  declared: Desired,
  signal: AbortSignal,
): Promise<Iterable<Declaration>> {
  const root = resolve(cwd, directory);
  const isPart = pathFilter(paths);
  const isSeen = (entry: BaseFile): boolean => !mayHideManifests(entry) && isPart(entry.path);
  const known = (entries: readonly TreeEntry[]): readonly BaseFile[] =>
    manifestEntries(root, entries, { cwd, settings }).filter(isSeen);
  const deleted = known(await earlierFiles(root)).filter(({ name }) => isDeleted(name, declared));
  const shared = known(await earlierVersions(root, handWritten(root, cwd, declared)));
  return (await readDeclarations(root, [...deleted, ...shared], signal)).declarations;
}

/**
 * Returns the files that can lose a manifest without being deleted. These are all files except those that an export writes for a
 * single entity.
 */
function handWritten(root: string, cwd: string, { declarations, names }: Desired): readonly string[] {
  const counts = groupBy(declarations, fileOf);
  const own = new Set<string>();
  for (const { path, before } of ownFiles(declarations, { root, cwd, folder: "" }).values())
    if (counts.get(fileOf(before))?.length === 1) own.add(path);
  return [...names].map((name) => displayName(resolve(cwd, name), root)).filter((path) => !own.has(path));
}

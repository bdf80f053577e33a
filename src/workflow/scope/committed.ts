/** Reads declarations from earlier commits: the last applied declarations, and the declarations in deleted files. */

import { resolve } from "node:path";
import { forkOf } from "../../git/commit.ts";
import { earlierFiles, earlierVersions } from "../../git/earlier-files.ts";
import { ownFiles } from "../../manifests/edit/export/file-path.ts";
import { displayName } from "../../manifests/base/catalog-files.ts";
import { groupBy } from "../../model/group-by.ts";
import { type PathFilter, pathFilter } from "../../manifests/settings/environments.ts";
import {
  type CurrentManifests,
  currentManifests,
  isDeleted,
  knownFiles,
  readDeclarations,
} from "./base-files.ts";
import { faultOf } from "./fault.ts";
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
  applies: readonly Applied[],
): Promise<Committed> {
  const { base, paths } = repository.settings;
  const now = currentManifests(repository, declared, signal);
  const applied = base === undefined ? [] : await appliedIn(base, applies, now).catch(orNothing);
  return { applied, deleted: await deletedIn(pathFilter(paths), now).catch(orNothing) };
}

function orNothing(error: unknown): readonly Declaration[] {
  faultOf(error);
  return [];
}

async function appliedIn(
  base: string,
  applies: readonly Applied[],
  now: CurrentManifests,
): Promise<Iterable<Declaration>> {
  const last = lastApplied(applies, now.declared);
  const found: Declaration[] = [];
  for (const commit of new Set(last.values())) {
    const { declarations } = await declaredAt(commit, now);
    appendTo(
      found,
      declarations.filter((each) => last.get(urnOf(each)) === commit),
    );
  }
  const { declarations } = await declaredAt(await forkOf(now.root, base), now);
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

async function deletedIn(part: PathFilter, now: CurrentManifests): Promise<Iterable<Declaration>> {
  const { root, declared } = now;
  const earlier = knownFiles(await earlierFiles(root), part, now);
  const deleted = earlier.filter(({ name }) => isDeleted(name, declared));
  const shared = knownFiles(await earlierVersions(root, handWritten(now)), part, now);
  return (await readDeclarations([...deleted, ...shared], now)).declarations;
}

/**
 * Returns the files that can lose a manifest without being deleted. These are all files except those that an export writes for a
 * single entity.
 */
function handWritten({ root, cwd, declared }: CurrentManifests): readonly string[] {
  const { declarations, names } = declared;
  const counts = groupBy(declarations, fileOf);
  const own = new Set<string>();
  for (const { path, before } of ownFiles(declarations, { root, cwd, folder: "" }).values())
    if (counts.get(fileOf(before))?.length === 1) own.add(path);
  return [...names].map((name) => displayName(resolve(cwd, name), root)).filter((path) => !own.has(path));
}

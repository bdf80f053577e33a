import { resolve } from "node:path";
import { forkOf } from "../git/commit.ts";
import { earlierFiles } from "../git/earlier-files.ts";
import type { Declaration } from "../manifests/declaration.ts";
import type { Desired } from "../manifests/desired-state.ts";
import { pathFilter } from "../manifests/settings/environments.ts";
import { collectedFrom, isGone, manifestEntries, currentManifests } from "./base-files.ts";
import { faultOf, isOpaque } from "./fault.ts";
import { declaredAt } from "./history.ts";
import type { Repository } from "./repository.ts";

/** What earlier commits declared in the manifests of a directory; nothing without Git. */
export interface Committed {
  /** What the manifests of the last applied commit declared, each by itself. */
  readonly applied: Iterable<Declaration>;
  /** What files that are gone declared in an earlier commit. */
  readonly deleted: Iterable<Declaration>;
}

/** Reads the manifests of earlier commits, as far as Git has them. Throws only the reason of the signal. */
export async function committedOf(
  repository: Repository,
  declared: Desired,
  signal: AbortSignal,
): Promise<Committed> {
  const applied = await appliedIn(repository, declared, signal).catch(orNothing);
  return { applied, deleted: await deletedIn(repository, declared, signal).catch(orNothing) };
}

function orNothing(error: unknown): readonly Declaration[] {
  faultOf(error);
  return [];
}

async function appliedIn(
  repository: Repository,
  declared: Desired,
  signal: AbortSignal,
): Promise<Iterable<Declaration>> {
  const { cwd, directory, settings } = repository;
  const root = resolve(cwd, directory);
  if (settings.base === undefined) return [];
  const now = currentManifests(repository, declared, signal);
  return (await declaredAt(root, await forkOf(root, settings.base), now)).declarations;
}

async function deletedIn(
  { cwd, directory, settingsFile: settings, settings: { paths } }: Repository,
  declared: Desired,
  signal: AbortSignal,
): Promise<Iterable<Declaration>> {
  const root = resolve(cwd, directory);
  const isPart = pathFilter(paths);
  const gone = manifestEntries(root, await earlierFiles(root), { cwd, settings }).filter(
    (entry) => !isOpaque(entry) && isPart(entry.path) && isGone(entry.name, declared),
  );
  return (await collectedFrom(root, gone, signal)).declarations;
}

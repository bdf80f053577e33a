import { resolve } from "node:path";
import { forkOf } from "../git/commit.ts";
import { earlierFiles } from "../git/earlier-files.ts";
import type { Declaration } from "../manifests/declaration.ts";
import type { Desired } from "../manifests/desired-state.ts";
import { pathFilter } from "../manifests/settings/environments.ts";
import { collectedFrom, isGone, manifestEntries, currentManifests } from "./base-files.ts";
import { faultOf, isOpaque } from "./fault.ts";
import { declaredAt } from "./history.ts";
import type { Urn } from "../model/urn.ts";
import type { Applied } from "../plan/applied-entities.ts";
import { urnOf } from "../manifests/packed-declarations.ts";
import type { Repository } from "./repository.ts";

/** What earlier commits declared in the manifests of a directory; nothing without Git. */
export interface Committed {
  /** What manifests declared when they were applied last, each by itself. */
  readonly applied: Iterable<Declaration>;
  /** What files that are gone declared in an earlier commit. */
  readonly deleted: Iterable<Declaration>;
}

/**
 * Reads the manifests of earlier commits, as far as Git has them. `applies` are those since the last applied commit, the newest
 * first. Throws only the reason of the signal.
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
    found.push(...declarations.filter((each) => last.get(urnOf(each)) === commit));
  }
  const { declarations } = await declaredAt(root, await forkOf(root, settings.base), now);
  return [...found, ...declarations.filter((each) => !last.has(urnOf(each)))];
}

/** By entity the commit from which it was applied last, where that is not the last applied commit. */
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
  const gone = manifestEntries(root, await earlierFiles(root), { cwd, settings }).filter(
    (entry) => !isOpaque(entry) && isPart(entry.path) && isGone(entry.name, declared),
  );
  return (await collectedFrom(root, gone, signal)).declarations;
}

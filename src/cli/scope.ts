import { dirname, resolve } from "node:path";
import { type ChangedFiles, changedSince } from "../manifests/changed-since.ts";
import { type Desired, readDesired } from "../manifests/desired-state.ts";
import { displayName } from "../manifests/catalog-files.ts";
import { gitStateOf } from "../manifests/git-state.ts";
import { type BaseReading, type KnownBase, readBase } from "../manifests/history.ts";
import { defaultSettingsFile, type Settings } from "../manifests/settings.ts";
import type { GitState } from "../model/plan.ts";
import type { Limits } from "../model/policy.ts";
import type { Problem } from "../model/problem.ts";
import type { Entity, State } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import type { Base, Declared } from "../plan/base.ts";
import { isBeyond } from "../plan/guards.ts";
import { type Ignored, ignoring } from "../plan/ignore.ts";
import { selectTargets, withoutEntities } from "../plan/select.ts";
import { messageOf } from "../report/problems.ts";
import { RunError, UsageError } from "./errors.ts";
import type { Io } from "./io.ts";
import { loadDesired } from "./repository.ts";

/** The options that say what a plan looks at. */
export interface ScopeOptions {
  readonly settings?: string;
  readonly target?: readonly string[];
  readonly base?: string;
  readonly changedSince?: string;
  readonly prune?: boolean;
}

/** The ref that names the base, and the commit that it names where it names one. */
export interface BaseRef {
  readonly name: string;
  readonly commit: string | null;
}

/** What a plan looks at: what is declared, what was declared before, and what is left alone. */
export interface Scope {
  readonly desired: Desired;
  readonly base: Base | undefined;
  readonly ignored: Ignored;
  readonly git: GitState;
  readonly baseRef: BaseRef | undefined;
  /** What is to be said of what is ignored, and of the base. */
  readonly problems: readonly Problem[];
  /** All that the repository declares, where the plan looks only at a part of it. */
  readonly whole: (() => Promise<State>) | undefined;
}

/** Where a catalog stands, and what is set for it. */
interface Repository {
  readonly dir: string;
  readonly options: ScopeOptions;
  readonly settings: Settings;
  readonly io: Io;
}

/**
 * Reads the manifests, and of git's history what is asked for. The limit on what has vanished says how exactly the
 * whole must be known. Throws `ManifestError`, `RunError` or `UsageError`.
 */
export async function loadScope(repository: Repository, limits: Limits): Promise<Scope> {
  const { dir, options, settings, io } = repository;
  const ref = options.base ?? settings.base;
  if (options.prune === true && ref === undefined) {
    throw new UsageError(
      "--prune needs to know what was declared before: give --base REF, or set `base` in the settings",
    );
  }
  const changed = await changedFiles(repository);
  const [desired, git] = await Promise.all([
    readManifests(repository, changed),
    gitStateOf(resolve(io.cwd, dir)),
  ]);
  const found = ref === undefined ? undefined : await loadBase(repository, ref, desired);
  const known = found && "declared" in found ? found : undefined;
  const ignored = ignoring(settings.ignore ?? []);
  const narrow: Narrow = (declared) => withoutEntities(selected(declared, options.target), ignored);
  const all = once(() => readAll(repository));
  const base = known && (await baseOf(repository, { known, desired, changed, narrow, all }, limits));
  const mentions = changed && base && (await mentionsOf(desired, base, options.prune === true, all));
  const scope = { desired: { ...narrow(desired), ...(mentions && { references: mentions }) }, base };
  // Among changed files there may well be none.
  if (options.target && !changed && scope.desired.state.size + (base?.state.size ?? 0) === 0) {
    throw new UsageError(
      `no declared entity matches --target ${options.target.join(" ")}: it is compared with the whole URN, such as urn:li:tag:pii, and * stands for any text`,
    );
  }
  const ignoredValues = desired.problems.filter(({ code }) => code.startsWith("ignored-"));
  const problems = [
    ...ignoredValues,
    ...(found && "reason" in found ? [found.reason] : []),
    ...(await changedSettings(repository, changed)),
  ];
  const baseRef = ref === undefined || !found ? undefined : { name: ref, commit: found.commit };
  const whole = wholeOf(options, desired, all);
  return { ...scope, ignored, git: { ...git, base: known?.commit ?? null }, baseRef, problems, whole };
}

// A mistake in a manifest that the plan does not look at is no mistake of the plan.
function wholeOf(
  { changedSince: since, target }: ScopeOptions,
  { state }: Desired,
  all: All,
): Scope["whole"] {
  if (since !== undefined) return async () => (await all()).state;
  return target && (async () => state);
}

/** Reads all manifests, those too that the plan does not look at; only once, and only where somebody asks. */
type All = () => Promise<Desired>;

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** All manifests, with their mistakes. */
async function readAll({ dir, options, io }: Repository): Promise<Desired> {
  return await readDesired(resolve(io.cwd, dir), { cwd: io.cwd, settings: options.settings });
}

/** The references of the manifests that are looked at, and those of the others to what a prune would delete. */
async function mentionsOf(
  { state, references }: Desired,
  base: Base,
  isPruning: boolean,
  all: All,
): Promise<Desired["references"]> {
  const gone = new Set([...base.state.keys()].filter((urn) => !state.has(urn)));
  if (!isPruning || gone.size === 0) return references;
  const whole = await all();
  return [...references, ...whole.references.filter(({ urn, from }) => gone.has(urn) && !state.has(from))];
}

type Narrow = <T extends Declared>(declared: T) => T;

function selected<T extends Declared>(declared: T, patterns: readonly string[] | undefined): T {
  return patterns ? selectTargets(declared, patterns) : declared;
}

async function readManifests(
  { dir, options, settings, io }: Repository,
  changed: ChangedFiles | undefined,
): Promise<Desired> {
  return await loadDesired(dir, options.settings, io, {
    ...(settings.ignore && { ignore: settings.ignore }),
    only: changed?.files,
  });
}

async function changedFiles({ dir, options, io }: Repository): Promise<ChangedFiles | undefined> {
  if (options.changedSince === undefined) return undefined;
  const found = await changedSince(resolve(io.cwd, dir), options.changedSince, { cwd: io.cwd });
  if ("reason" in found) throw new RunError(`--changed-since: ${messageOf(found.reason)}`);
  return found;
}

/** A warning where the settings have changed, too: they concern more than the changed manifests. */
async function changedSettings(
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

// What the settings name may not be there yet; what somebody names by hand must be.
const usual: ReadonlySet<string> = new Set([
  "base-invalid",
  "base-without-catalog",
  "base-link",
  "base-sparse",
]);

async function loadBase(
  { dir, options, settings, io }: Repository,
  ref: string,
  declared: Desired,
): Promise<BaseReading> {
  const base = await readBase(resolve(io.cwd, dir), ref, {
    cwd: io.cwd,
    settings: options.settings,
    declared,
  });
  if (!("reason" in base)) return base;
  const { reason } = base;
  if (options.base !== undefined && !usual.has(reason.code)) {
    throw new RunError(messageOf({ ...reason, args: { ...reason.args, stops: "yes" } }));
  }
  const origin = options.base === undefined ? settings.baseOrigin : undefined;
  return { ...base, reason: { ...reason, ...(origin && { origin }) } };
}

interface Found {
  readonly known: KnownBase;
  readonly desired: Desired;
  readonly changed: ChangedFiles | undefined;
  readonly narrow: Narrow;
  readonly all: All;
}

/** The part of the base that is looked at: all of it, or what stood in the files that have changed. */
async function baseOf(repository: Repository, found: Found, limits: Limits): Promise<Base> {
  const { known, desired, changed, narrow, all } = found;
  const { state, groups } = narrow(known.declared);
  if (!changed) return { state, groups, size: state.size };
  const isLookedAt = (urn: Urn, { origin }: Entity): boolean =>
    desired.state.has(urn) || changed.names.has(origin?.file ?? "");
  const part = new Map([...state].filter(([urn, entity]) => isLookedAt(urn, entity)));
  const missing = [...part.keys()].filter((urn) => !desired.state.has(urn));
  // A file that has not changed here may declare it since another one did in base.
  const now = missing.length > 0 ? await all() : desired;
  const gone = missing.filter((urn) => !now.state.has(urn));
  for (const urn of missing) if (now.state.has(urn)) part.delete(urn);
  // Base declares as much at least; only where that does not settle it all of it is counted.
  const isSettled = !isBeyond(gone.length, limits.vanished.max_percent, part.size);
  const size = isSettled ? part.size : await wholeSize(repository, found, now, new Set(part.keys()));
  return { state: part, groups: new Map([...groups].filter(([user]) => part.has(user))), size };
}

/** How many entities base declares in all. Errors in files that have not changed are not this plan's. */
async function wholeSize(
  repository: Repository,
  { known, changed, narrow }: Pick<Found, "known" | "changed" | "narrow">,
  now: Desired,
  part: ReadonlySet<Urn>,
): Promise<number> {
  const whole = await loadBase(repository, known.commit, now);
  if ("declared" in whole) return narrow(whole.declared).state.size;
  const others = [...narrow(now).state.values()].filter(
    ({ urn, origin }) => !part.has(urn) && !changed?.names.has(origin?.file ?? ""),
  );
  return part.size + others.length;
}

/**
 * Opens a target, reads the selected scope and creates the plan. Refuses to write if the current commit is older than the last
 * applied commit.
 */

import type { Ahead } from "../../git/commit.ts";
import { planScope } from "../../workflow/plan-scope.ts";
import type { Plan, Shard } from "../../model/plan.ts";
import { count } from "../../report/count.ts";
import { ScopeError } from "../../workflow/scope/errors.ts";
import { policyOf } from "../../workflow/scope/policy.ts";
import { openRepository, type Repository } from "../../workflow/scope/repository.ts";
import { readScope, type Scope } from "../../workflow/scope/scope.ts";
import { createdAt } from "../created-at.ts";
import type { Io } from "../io.ts";
import { limitsWith } from "../options/limits.ts";
import { locationOf } from "../options/options.ts";
import type { NarrowingOptions } from "../options/scope.ts";
import { pastRuns } from "./past-runs.ts";
import { type Target, type TargetOptions, withTarget } from "../options/target.ts";
import { progressOf } from "../output/progress.ts";
import type { ResultOptions } from "../output/print.ts";
import type { MissingRule, OnConflict } from "../../plan/base/policy.ts";

/** The options that `plan` and `apply` share. */
export interface PlanOptions extends TargetOptions, NarrowingOptions, ResultOptions {
  readonly settings?: string;
  readonly env?: string;
  readonly rule?: readonly string[];
  readonly base?: string;
  readonly changedSince?: string;
  readonly prune?: boolean;
  readonly shard?: Shard;
  readonly missing?: MissingRule;
  readonly forceConflicts?: boolean;
  readonly skipConflicts?: boolean;
  /** Whether to apply a commit even if newer commits were already applied. */
  readonly allowOlderCommit?: boolean;
}

/** The input for a plan. */
export interface PlanRequest {
  /** The catalog directory. */
  readonly dir: string;
  readonly options: PlanOptions;
  /** Whether the plan will be applied. */
  readonly writes: boolean;
  /** Whether to add the drift class to each change. */
  readonly classifyDrift?: boolean;
  /** Whether to report column patterns without a match as problems. */
  readonly isStrict?: boolean;
}

/** A plan, its scope and its open target. */
export interface Planned {
  readonly plan: Plan;
  readonly scope: Scope;
  readonly target: Target;
}

/** Creates a plan and passes it to `use`. Closes the target afterwards. */
export async function withPlan<T>(
  request: PlanRequest,
  io: Io,
  use: (planned: Planned) => Promise<T>,
): Promise<T> {
  const { dir, options, writes } = request;
  const repository = await openRepository(locationOf(dir, options, io), options.changedSince);
  const rules = { settings: repository.settings, writes };
  return await withTarget(options, rules, io, async (target) =>
    use(await planFor(request, repository, target, io)),
  );
}

/** Reads the manifests and the Git history that are needed for a plan. */
export async function scopeFor(
  { options, classifyDrift, isStrict }: PlanRequest,
  repository: Repository,
  io: Io,
): Promise<Scope> {
  return await readScope({
    repository,
    policy: policyOf(repository.settings, {
      limits: limitsWith(repository.settings.limits, options),
      missing: options.missing,
      onConflict: onConflictOf(options),
      prune: options.prune,
      classifyDrift,
      isStrict,
    }),
    selection: {
      targets: options.target,
      excluded: options.exclude,
      kinds: options.kind,
      platforms: options.platform,
      domains: options.domain,
      rules: options.rule,
      changedSince: options.changedSince,
      shard: options.shard,
      base: options.base,
    },
    signal: io.interrupted,
  });
}

async function planFor(
  request: PlanRequest,
  repository: Repository,
  target: Target,
  io: Io,
): Promise<Planned> {
  const { options } = request;
  const note = notesOn(options, io);
  const scope = await scopeFor(request, repository, io);
  if (request.writes) refuseOlderCommit(scope.baseRef?.ahead, options);
  const { documents, files } = scope.desired;
  note(`${count(documents, "document")} in ${count(files, "file")} read`);
  const progress = progressOf("Reading", io, options.quiet === true);
  const { plan, requests } = await planScope(scope, target.connection, {
    createdAt: createdAt(io),
    target: target.name,
    pastRuns: () => pastRuns(repository, { server: target.name, base: scope.git.base }, io),
    signal: io.interrupted,
    onProgress: progress.report,
  }).finally(() => progress.end());
  io.measure?.({ plan, traffic: target.connection.traffic.counts() });
  note(`catalog read with ${count(requests, "request")} and compared`);
  return { plan, scope, target };
}

/** Throws `ScopeError` if commits newer than the current one were already applied, unless an option allows this. */
export function refuseOlderCommit(ahead: Ahead | undefined, { allowOlderCommit }: PlanOptions): void {
  if (!ahead?.isDescendant || allowOlderCommit === true) return;
  throw new ScopeError({ code: "older-commit", count: ahead.count });
}

function notesOn({ verbose }: PlanOptions, io: Io): (text: string) => void {
  const started = performance.now();
  return (text) => {
    if (verbose === true) io.stderr.write(`${text} (${Math.round(performance.now() - started)} ms)\n`);
  };
}

function onConflictOf({ forceConflicts, skipConflicts }: PlanOptions): OnConflict | undefined {
  if (forceConflicts === true) return "desired";
  return skipConflicts === true ? "live" : undefined;
}

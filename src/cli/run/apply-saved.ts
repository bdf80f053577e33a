/**
 * Applies a plan that was saved with `plan --out`, after checking that the plan matches the options, the repository and the
 * target.
 */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isSameAddress } from "../../datahub/endpoint.ts";
import { checkServer } from "../../datahub/server-config.ts";
import type { Plan } from "../../model/plan.ts";
import { isError } from "../../model/problem.ts";
import { withLimits } from "../../plan/plan.ts";
import { awaitedBy, shardOfPlan } from "../../plan/shard.ts";
import { count } from "../../report/count.ts";
import { openRepository, type Repository } from "../../workflow/scope/repository.ts";
import { savedScope } from "../../workflow/scope/plan-header.ts";
import { UsageError } from "../errors.ts";
import { type ExitCode, exitCodes, highestPrecedence } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { limitsWith } from "../options/limits.ts";
import { withTarget } from "../options/target.ts";
import { printProblems, writeReports } from "../output/print.ts";
import { printError } from "../output/messages.ts";
import { type ApplyOptions, applyPlanned } from "./apply-run.ts";
import { reevaluateSaved } from "./reevaluate.ts";
import { withCurrentFights } from "./past-runs.ts";
import { refuseOlderCommit } from "./plan-run.ts";
import { readSavedPlan, refuseOtherDirectory } from "./saved-file.ts";

/**
 * Applies exactly the changes in a saved plan, without asking for approval. Guards recheck the plan, using the limits in the plan
 * and the current flags. A plan that has problems, or that was made for a different target or environment, is refused before
 * anything is sent.
 */
export async function applySaved(file: string, options: ApplyOptions, io: Io): Promise<ExitCode> {
  refusePlanningOptions(options);
  const saved = await readSavedPlan(file, io);
  refuseShard(file, saved, options);
  const refused = await refuseProblems(file, saved, options, io);
  if (refused !== undefined) return refused;
  refuseOtherEnvironment(file, saved, options);
  if (saved.scope)
    refuseOtherDirectory(file, saved.scope.directory, "run apply in the repository that contains it", io);
  const limited = withLimits(limitsWith(saved.limits, options), saved);
  const { shard } = options;
  const repository = await repositoryOf(saved, options, io);
  const settings = repository?.settings;
  const rules = { settings, writes: options.dryRun !== true };
  if (rules.writes) refuseOlderCommit((await savedScope(saved, io.cwd))?.baseRef?.ahead, options);
  return await withTarget(options, rules, io, async (target) => {
    refuseOtherTarget(file, saved, target.name);
    await checkServer(target.connection, io.interrupted);
    const current = await withCurrentFights(limited, repository, io);
    const complete = await reevaluateSaved(current, repository, target, io);
    const plan = shard ? shardOfPlan(complete, shard) : complete;
    const awaited = shard && awaitedBy(plan, complete);
    const scope = await savedScope(plan, io.cwd);
    const planned = { plan, target, scope, runs: settings?.runs, isSaved: true, awaited } as const;
    return await applyPlanned(planned, options, io);
  });
}

/** The options that would change a plan. These options cannot be combined with a saved plan. */
const planningOptions = {
  target: "--target",
  exclude: "--exclude",
  kind: "--kind",
  platform: "--platform",
  domain: "--domain",
  rule: "--rule",
  changedSince: "--changed-since",
  base: "--base",
  prune: "--prune",
  missing: "--missing",
  forceConflicts: "--force-conflicts",
  skipConflicts: "--skip-conflicts",
} satisfies Partial<Record<keyof ApplyOptions, string>>;

function refusePlanningOptions(options: ApplyOptions): void {
  const given = Object.entries(planningOptions).find(([name]) => Object.hasOwn(options, name));
  if (given) throw new UsageError(`${given[1]} cannot be used with a saved plan; use it with plan --out`);
}

/**
 * Throws `UsageError` if the plan covers a single shard, because guards check all shards together. Also throws it if `--shard` is
 * used for a plan with deletions, because entities can be deleted only after all shards are applied.
 */
function refuseShard(file: string, { shard, summary }: Plan, options: ApplyOptions): void {
  if (shard) {
    throw new UsageError(
      `${file} is the plan of shard ${shard.index} of ${shard.of}; merge the plans of all shards with merge-plans, and apply the result`,
    );
  }
  if (options.shard && summary.delete > 0) {
    throw new UsageError(
      `${file} deletes ${count(summary.delete, "entity", "entities")}, which is possible only after all shards are applied; apply it without --shard`,
    );
  }
}

/** If the plan has errors, prints its problems, writes the problems to the report files, and returns the exit code. */
async function refuseProblems(
  file: string,
  { problems = [] }: Plan,
  options: ApplyOptions,
  io: Io,
): Promise<ExitCode | undefined> {
  const errors = problems.filter(isError);
  if (errors.length === 0) return undefined;
  printProblems(problems, options.format, io);
  printError(
    `${file} cannot be applied, because it has ${count(errors.length, "problem")}; save a new plan after fixing the cause`,
    io,
  );
  return highestPrecedence([exitCodes.invalid, await writeReports({ problems }, options, io)]);
}

/** Opens the plan's catalog directory and environment. Returns `undefined` if the directory does not exist locally. */
async function repositoryOf(
  { scope }: Plan,
  { settings }: ApplyOptions,
  io: Io,
): Promise<Repository | undefined> {
  if (scope === undefined || !existsSync(resolve(io.cwd, scope.directory))) return undefined;
  const { directory, environment } = scope;
  return await openRepository({ cwd: io.cwd, directory, settingsFile: settings, environment });
}

function refuseOtherEnvironment(file: string, { scope }: Plan, { env }: ApplyOptions): void {
  if (env === undefined || env === scope?.environment) return;
  const made = scope?.environment === undefined ? "without an environment" : `for ${scope.environment}`;
  throw new UsageError(`${file} was made ${made}, but --env is ${env}; nothing was sent`);
}

function refuseOtherTarget(file: string, { target }: Plan, given: string): void {
  if (isSameAddress(given, target)) return;
  throw new UsageError(`${file} was made for ${target}, but the target is ${given}; nothing was sent`);
}

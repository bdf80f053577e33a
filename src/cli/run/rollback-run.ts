/** Plans the reversal of a run, and applies the plan after approval or only shows it, for `rollback`. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { createReader } from "../../datahub/client.ts";
import { isSameAddress } from "../../datahub/endpoint.ts";
import { checkServer } from "../../datahub/server-config.ts";
import { isOwnReport } from "../../git/own-runs.ts";
import { gitStateOf } from "../../git/state.ts";
import { planRollback, withOverruled } from "../../workflow/rollback.ts";
import { tool } from "../../workflow/version.ts";
import { displayName } from "../../manifests/base/catalog-files.ts";
import { defaultLimits, unlimited } from "../../plan/checks/guards/index.ts";
import { defaultPruneKinds } from "../../manifests/schema/settings-fields.ts";
import type { Plan, PlanHeader } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import { ManifestError } from "../../workflow/scope/errors.ts";
import { openRepository, type Repository } from "../../workflow/scope/repository.ts";
import { createdAt } from "../created-at.ts";
import { InputError, UsageError } from "../errors.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { catalogFor } from "../options/catalog.ts";
import { limitsWith } from "../options/limits.ts";
import { selectionBy } from "../options/scope.ts";
import { type Target, type TargetOptions, withTarget } from "../options/target.ts";
import { note } from "../output/messages.ts";
import type { ResultOptions } from "../output/print.ts";
import { progressOf } from "../output/progress.ts";
import { showPlan } from "../output/show-plan.ts";
import type { ApprovalOptions } from "./approval.ts";
import { applyPlanned } from "./apply-run.ts";
import { scopeFor } from "./plan-run.ts";
import { readRun } from "./kept-runs.ts";
import { isFile, readSaved, readText, refuseOtherDirectory } from "./saved-file.ts";
import { flagsText } from "../output/flags-text.ts";

/** The options for `rollback`. */
export interface RollbackOptions extends TargetOptions, ResultOptions, ApprovalOptions {
  readonly target?: readonly string[];
  readonly exclude?: readonly string[];
  readonly settings?: string;
  readonly env?: string;
  readonly dryRun?: boolean;
  /** The file to save the plan to. If it is set, the plan is not applied. */
  readonly out?: string;
  /** Whether to delete entities that the run created. */
  readonly prune?: boolean;
  readonly verify?: boolean;
}

/** The run to roll back. */
interface Run {
  /** The id of the run, or the name of the file that contains the report. */
  readonly name: string;
  readonly report: Report;
  /** The manifests and settings of the run, or `undefined` if the catalog directory does not exist locally. */
  readonly repository: Repository | undefined;
  /** Whether the run was recorded in this clone. If not, anyone with push access could have created the run. */
  readonly isOwn: boolean;
}

/** Plans the rollback of a run. Applies the plan like any other plan, unless the options request only the plan. */
export async function rollBack(
  name: string,
  dir: string | undefined,
  options: RollbackOptions,
  io: Io,
): Promise<ExitCode> {
  const isShown = options.dryRun === true || options.out !== undefined;
  if (!isShown && options.autoApprove !== true && !io.isInteractive)
    throw new UsageError("rollback cannot ask for approval without a terminal; use --auto-approve");
  const run = await runNamed(name, dir, options, io);
  refuseUnmatched(run, options);
  const { settings } = run.repository ?? {};
  const rules = { settings, writes: !isShown };
  return await withTarget(options, rules, io, async (target) => {
    refuseOtherServer(run, target);
    await checkServer(target.connection, io.interrupted);
    const plan = await planOf(run, target, options, io);
    if (isShown) return await showPlan(plan, options, io);
    const { git, scope: header } = plan;
    const { cwd } = io;
    const scope = header && {
      repository: { cwd, directory: header.directory },
      selection: {},
      git,
      // The state after a rollback does not correspond to a commit, so the base is not moved.
      baseRef: undefined,
    };
    return await applyPlanned({ plan, target, scope, runs: settings?.runs }, options, io);
  });
}

async function runNamed(
  name: string,
  dir: string | undefined,
  options: RollbackOptions,
  io: Io,
): Promise<Run> {
  const { report, isOwn } = isFile(name, io)
    ? { report: await reportIn(name, io), isOwn: isOwnReport(io.cwd, Buffer.from(readText(name, io))) }
    : await readRun(name, dir, options, io);
  const { directory: ofRun, environment } = report.plan.scope ?? {};
  if (ofRun !== undefined && dir === undefined)
    refuseOtherDirectory(name, ofRun, "pass the catalog directory as the second argument", io);
  const isThere = (directory: string): boolean => existsSync(resolve(io.cwd, directory));
  const own = ofRun !== undefined && isThere(ofRun) ? ofRun : undefined;
  const directory = dir ?? own ?? catalogFor(dir, options, io);
  const isHere = isThere(directory);
  if (!isHere && (dir !== undefined || options.prune === true))
    throw new UsageError(
      `the catalog directory ${directory} does not exist${dir === undefined ? "; --prune needs its settings, so pass the right directory as the second argument" : ""}`,
    );
  if (!isHere && options.quiet !== true)
    note(
      "There is no catalog directory here, so the rollback will be neither recorded nor compared with manifests.",
      io,
    );
  const place = { directory, settingsFile: options.settings, environment: options.env ?? environment };
  const repository = isHere ? await openRepository({ cwd: io.cwd, ...place }) : undefined;
  return { name, report, isOwn, repository };
}

async function reportIn(file: string, io: Io): Promise<Report> {
  const saved = await readSaved(file, io);
  if ("report" in saved) return saved.report;
  throw new InputError(`${file} is a plan, not a report; use the report of the apply`);
}

function refuseUnmatched({ name, report }: Run, options: RollbackOptions): void {
  const isSelected = selectionBy(options);
  if (!isSelected || report.plan.changes.some(({ urn }) => isSelected(urn))) return;
  const { target, exclude } = options;
  const flags = flagsText({ target, exclude });
  throw new UsageError(`${name} did not change any entity selected by ${flags}; nothing was sent`);
}

function refuseOtherServer({ name, report }: Run, { name: given }: Target): void {
  const { target } = report.plan;
  if (isSameAddress(given, target)) return;
  throw new UsageError(`${name} is for ${target}, but the target is ${given}; nothing was sent`);
}

async function planOf(
  { name, report, repository, isOwn }: Run,
  target: Target,
  options: RollbackOptions,
  io: Io,
): Promise<Plan> {
  const reader = createReader(target.connection);
  const progress = progressOf("Reading", io, options.quiet === true);
  const { prune, limits } = repository?.settings ?? {
    prune: { kinds: new Set(defaultPruneKinds) },
    limits: defaultLimits,
  };
  const plan = await planRollback(report, reader, {
    header: await headerOf(target, repository, io),
    origin: { file: name, line: 1, column: 1 },
    limits: limitsWith(isOwn ? unlimited : limits, options),
    prune: options.prune === true ? prune.kinds : undefined,
    isSelected: selectionBy(options),
    signal: io.interrupted,
    onProgress: progress.report,
  }).finally(() => progress.end());
  const { git } = report.plan;
  // If there were uncommitted changes, the run may have written values that its commit does not declare.
  const commit = git.dirty ? null : git.commit;
  return repository ? await compared(plan, { repository, target, commit }, options, io) : plan;
}

async function headerOf(target: Target, repository: Repository | undefined, io: Io): Promise<PlanHeader> {
  const header = { tool, createdAt: createdAt(io), target: target.name };
  if (!repository) return { ...header, git: await gitStateOf(io.cwd) };
  const { cwd, directory, environment, settings } = repository;
  const root = resolve(cwd, directory);
  return {
    ...header,
    git: await gitStateOf(root),
    scope: {
      directory: displayName(root, cwd),
      ...(environment !== undefined && { environment }),
    },
    ...(settings.writes === "conditional" && { writes: settings.writes }),
  };
}

/**
 * Adds warnings about manifests that would revert the changes in the plan. If the manifests are not valid, prints a note instead.
 */
async function compared(
  plan: Plan,
  {
    repository,
    target,
    commit,
  }: { readonly repository: Repository; readonly target: Target; readonly commit: string | null },
  options: RollbackOptions,
  io: Io,
): Promise<Plan> {
  try {
    const request = { dir: repository.directory, options: { format: "text" as const }, writes: false };
    const scope = await scopeFor(request, repository, io);
    return await withOverruled(plan, scope, createReader(target.connection), {
      signal: io.interrupted,
      commit,
    });
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    if (options.quiet !== true)
      note(
        "The manifests have errors, so it is unclear whether the next apply will revert the rollback.",
        io,
      );
    return plan;
  }
}

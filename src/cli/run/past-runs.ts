/**
 * Reads the writes of earlier applies from recorded runs, finds the applies since the base, and updates the fights in a saved
 * plan.
 */

import { forkOf, inHistory } from "../../git/commit.ts";
import { GitError } from "../../git/fault.ts";
import { keptRuns } from "../../git/read-runs.ts";
import { gitStateOf } from "../../git/state.ts";
import { fightRules, type PastWrites } from "../../workflow/plan-scope.ts";
import { appendTo } from "../../model/append.ts";
import type { Plan } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import type { StoredRun } from "../../model/run.ts";
import { defaultKeptRuns } from "../../model/settings.ts";
import { type Applied, appliedBy } from "../../plan/order/applied-entities.ts";
import { writesIn } from "../../plan/notes/fights.ts";
import { withFightsNow } from "../../plan/plan.ts";
import { collectWritten } from "../../plan/base/written-since.ts";
import { faultOf } from "../../workflow/scope/fault.ts";
import { type Repository, rootOf } from "../../workflow/scope/repository.ts";
import { createdAt } from "../created-at.ts";
import { InputError } from "../errors.ts";
import type { Io } from "../io.ts";
import { note } from "../output/messages.ts";
import { gitFaultText, warnOfForeignCommits, refuse, reportsIn } from "./kept-runs.ts";
import { isOfRollback } from "../../plan/base/changes.ts";
import type { PastWrite } from "../../plan/base/policy.ts";

/** The server and the base for selecting runs. */
interface RunsOf {
  readonly server: string;
  /** The last applied commit, if it is known. */
  readonly base: string | null;
}

/**
 * Reads the values that earlier applies wrote to a server: recent writes for detecting fights, and all writes since the base.
 * Only runs whose commit is in HEAD's history are read, because anyone with push access can push runs. Returns nothing if runs
 * are turned off or there is no repository. Prints a warning if commits cannot be read, and for each invalid run. Throws
 * `RunError` if Git cannot read a run.
 */
export async function pastRuns(
  repository: Repository,
  { server, base }: RunsOf,
  io: Io,
): Promise<PastWrites> {
  const { add, written } = collectWritten();
  const writes: PastWrite[] = [];
  const { now, since } = fightRules(repository.settings, createdAt(io));
  const isRecent = ({ at }: StoredRun): boolean => Date.parse(at) > since && Date.parse(at) <= now;
  const runs = await runsInHistory(repository, server, io);
  const sinceBase = base === null ? new Set() : await commitsOf(repository, runs, base);
  for await (const { run, report } of reportsOfRuns(
    repository,
    runs.filter((each) => isRecent(each) || sinceBase.has(each.commit)),
    io,
  )) {
    if (isRecent(run)) appendTo(writes, writesIn(report, Date.parse(run.at)));
    if (sinceBase.has(run.commit)) add(report);
  }
  return { writes, written };
}

/**
 * Returns the applies to a server since the last applied commit, newest first. Returns an empty list if that commit is unknown or
 * there are no runs.
 */
export async function appliesSinceBase(
  repository: Repository,
  server: string,
  io: Io,
): Promise<readonly Applied[]> {
  const { settings } = repository;
  const runs = settings.base === undefined ? [] : await runsInHistory(repository, server, io);
  if (settings.base === undefined || runs.length === 0) return [];
  const base = await forkOf(rootOf(repository), settings.base).catch(faultOf);
  if (typeof base !== "string") return [];
  const since = await commitsOf(repository, runs, base);
  const applies: Applied[] = [];
  const later = runs.filter(({ commit }) => since.has(commit));
  for await (const { report } of reportsOfRuns(repository, later, io)) {
    const applied = report.plan.changes.some(isOfRollback) ? undefined : appliedBy(report);
    if (applied) applies.push(applied);
  }
  return applies.toReversed();
}

/** Returns the recorded runs on a server whose commits are in HEAD's history, oldest first. */
async function runsInHistory(repository: Repository, server: string, io: Io): Promise<readonly StoredRun[]> {
  if (repository.settings.runs === false) return [];
  // Sorts the runs by time. Otherwise, runs that were pushed late would follow newer runs from other clones.
  const runs = (await runsOf(repository, io)).filter((run) => run.server === server);
  const known = await commitsOf(repository, runs);
  return runs
    .filter(({ commit }) => commit !== null && known.has(commit))
    .toReversed()
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Returns the commits of the runs that are in HEAD's history. If `since` is given, ignores earlier history. */
async function commitsOf(
  repository: Repository,
  runs: readonly StoredRun[],
  since?: string,
): Promise<ReadonlySet<string | null>> {
  if (runs.length === 0) return new Set();
  const commits = runs.flatMap(({ commit }) => commit ?? []);
  return await inHistory(rootOf(repository), commits, since).catch(refuse);
}

/**
 * Yields the valid reports of runs, in the order of the runs. An invalid report only causes a warning, because it must not block
 * applies by other users.
 */
async function* reportsOfRuns(
  repository: Repository,
  runs: readonly StoredRun[],
  io: Io,
): AsyncGenerator<{ readonly run: StoredRun; readonly report: Report }> {
  for await (const { run, reportOf } of reportsIn(repository, runs)) {
    try {
      yield { run, report: reportOf() };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      // An invalid report is not an error, because a different version of this program may have written it.
      note(`warning: ignored a run while looking for repeatedly reverted values: ${error.message}`, io);
    }
  }
}

async function runsOf(repository: Repository, io: Io): Promise<readonly StoredRun[]> {
  const dir = rootOf(repository);
  const { keep = defaultKeptRuns } = repository.settings.runs || {};
  try {
    const { runs, others } = await keptRuns(dir, keep);
    warnOfForeignCommits(others, io);
    return runs;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const { fault } = error;
    if (fault.fault === "no-git" || fault.fault === "no-repository") return [];
    if ((await gitStateOf(dir)).commit !== null) return refuse(error);
    note(`warning: could not determine which values are repeatedly reverted: ${gitFaultText(fault)}`, io);
    return [];
  }
}

/** Detects fights in the runs recorded so far, and adds them to a saved plan. Without a repository, the plan is unchanged. */
export async function withCurrentFights(
  plan: Plan,
  repository: Repository | undefined,
  io: Io,
): Promise<Plan> {
  if (!repository || plan.changes.length === 0) return plan;
  const { writes } = await pastRuns(repository, { server: plan.target, base: null }, io);
  if (writes.length === 0) return plan;
  return withFightsNow(
    { ...fightRules(repository.settings, createdAt(io)), writes, base: plan.git.base },
    plan,
  );
}

import { resolve } from "node:path";
import { GitError } from "../../git/fault.ts";
import { keptRuns } from "../../git/runs.ts";
import { gitStateOf } from "../../git/state.ts";
import { fightRules } from "../../library/plan-scope.ts";
import type { Plan } from "../../model/plan.ts";
import type { KeptRun } from "../../model/run.ts";
import { type PastWrite, writesIn } from "../../plan/fights.ts";
import { withFightsNow } from "../../plan/plan.ts";
import type { Repository } from "../../scope/repository.ts";
import { createdAt } from "../created-at.ts";
import { InputError } from "../errors.ts";
import type { Io } from "../io.ts";
import { note } from "../output/messages.ts";
import { gitWords, refuse, reportsIn } from "./runs.ts";

/**
 * Reads what earlier applies to a server wrote, from the runs that are kept, as far back as it decides about fights. Nothing
 * where runs are turned off, and where there is no repository. Where no commit can be read, so that there is no base either, and
 * for a run whose report is none, it prints a warning. Throws `RunError` where Git cannot read a run.
 */
export async function pastWrites(
  repository: Repository,
  server: string,
  io: Io,
): Promise<readonly PastWrite[]> {
  const { settings } = repository;
  if (settings.runs === false) return [];
  const { now, since } = fightRules(settings, createdAt(io));
  const isRecent = (run: KeptRun): boolean =>
    run.server === server && Date.parse(run.at) > since && Date.parse(run.at) <= now;
  // What a clone pushed late comes after what others did meanwhile.
  const recent = (await runsOf(repository, io)).filter(isRecent).toReversed().toSorted(byTime);
  const reports = await reportsIn(repository, recent);
  return reports.flatMap((reportOf, index) => {
    try {
      return writesIn(reportOf(), Date.parse(recent[index]?.at ?? ""));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      // Another version may have written it: that must not keep this one from applying.
      note(`warning: what a run wrote does not count for fights: ${error.message}`, io);
      return [];
    }
  });
}

function byTime(a: KeptRun, b: KeptRun): number {
  return Date.parse(a.at) - Date.parse(b.at);
}

async function runsOf({ cwd, directory }: Repository, io: Io): Promise<readonly KeptRun[]> {
  const dir = resolve(cwd, directory);
  return await keptRuns(dir).catch(async (error: unknown) => {
    if (!(error instanceof GitError)) throw error;
    const { fault } = error;
    if (fault.fault === "no-git" || fault.fault === "no-repository") return [];
    if ((await gitStateOf(dir)).commit !== null) return refuse(error);
    note(`warning: what others set back again and again is not known: ${gitWords(fault)}`, io);
    return [];
  });
}

/** A saved plan without what is to be held back by now. Without its repository it stays as it is. */
export async function withCurrentFights(
  plan: Plan,
  repository: Repository | undefined,
  io: Io,
): Promise<Plan> {
  if (!repository || plan.changes.length === 0) return plan;
  const writes = await pastWrites(repository, plan.target, io);
  if (writes.length === 0) return plan;
  return withFightsNow(
    { ...fightRules(repository.settings, createdAt(io)), writes, base: plan.git.base },
    plan,
  );
}

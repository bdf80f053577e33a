import { resolve } from "node:path";
import { GitError } from "../../git/fault.ts";
import { keptRuns } from "../../git/runs.ts";
import { fightRules } from "../../library/plan-scope.ts";
import type { Plan } from "../../model/plan.ts";
import type { KeptRun } from "../../model/run.ts";
import { type PastWrite, writesIn } from "../../plan/fights.ts";
import { withFightsNow } from "../../plan/plan.ts";
import type { Repository } from "../../scope/repository.ts";
import { createdAt } from "../created-at.ts";
import type { Io } from "../io.ts";
import { refuse, reportsIn } from "./runs.ts";

/**
 * Reads what earlier applies to a server wrote, from the runs that are kept, as far back as it decides about fights. Nothing
 * where runs are turned off, and where there is no repository. Throws `RunError` and `InputError` where a run cannot be
 * read: an apply that does not know the runs would fight without end.
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
  const recent = (await runsOf(repository)).filter(isRecent).toReversed();
  const reports = await reportsIn(repository, recent);
  return reports.flatMap((report, index) => writesIn(report, Date.parse(recent[index]?.at ?? "")));
}

async function runsOf({ cwd, directory }: Repository): Promise<readonly KeptRun[]> {
  return await keptRuns(resolve(cwd, directory)).catch((error: unknown) => {
    const isNone = error instanceof GitError && ["no-git", "no-repository"].includes(error.fault.fault);
    return isNone ? [] : refuse(error);
  });
}

/** A saved plan without what is to be held back by now. Without its repository it stays as it is. */
export async function heldBackNow(plan: Plan, repository: Repository | undefined, io: Io): Promise<Plan> {
  if (!repository || plan.changes.length === 0) return plan;
  const writes = await pastWrites(repository, plan.target, io);
  if (writes.length === 0) return plan;
  return withFightsNow(
    { ...fightRules(repository.settings, createdAt(io)), writes, base: plan.git.base },
    plan,
  );
}

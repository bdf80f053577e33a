/** Records applies as runs in the Git repository; lists, pushes and reads these runs; and describes Git faults. */

import { withoutSecretsInAddresses } from "../../model/text/address.ts";
import { isDeepStrictEqual } from "node:util";
import { GitError, type GitFault } from "../../git/fault.ts";
import { isOwnReport } from "../../git/own-runs.ts";
import { pushRuns } from "../../git/push-runs.ts";
import { keptRuns, reportsOf } from "../../git/read-runs.ts";
import { keepRun } from "../../git/runs.ts";
import type { Report } from "../../model/report.ts";
import type { StoredRun, RunFacts } from "../../model/run.ts";
import { defaultKeptRuns, type RunRetention, runRefs } from "../../model/settings.ts";
import { countOutcomes } from "../../report/document/notes.ts";
import {
  type CatalogPath,
  type Location,
  openRepositories,
  rootOf,
} from "../../workflow/scope/repository.ts";
import { createdAt } from "../created-at.ts";
import { InputError, RunError } from "../errors.ts";
import type { Io } from "../io.ts";
import { catalogFor } from "../options/catalog.ts";
import { locationOf } from "../options/options.ts";
import { note } from "../output/messages.ts";
import { piecesOf } from "../output/print.ts";
import { parsedOrThrow } from "./saved-file.ts";

/**
 * If an apply changed the catalog, records it as a run in the repository of its manifests. If recording fails, prints a warning.
 */
export async function keepRunOf(
  repository: CatalogPath,
  { report, runs = {} }: { readonly report: Report; readonly runs: RunRetention | undefined },
  { quiet }: { readonly quiet?: boolean | undefined },
  io: Io,
): Promise<void> {
  if (runs === false || !wroteSomething(report)) return;
  const run = {
    report: () => piecesOf({ report }, { format: "json" }, io),
    facts: factsAt(createdAt(io), report),
    keep: runs.keep ?? defaultKeptRuns,
  };
  try {
    const id = await keepRun(rootOf(repository), run);
    io.measure?.({ run: id });
    if (quiet !== true) note(`Recorded as run ${id}; show it with: datahub-gitops runs show ${id}`, io);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const { fault } = error;
    // A catalog directory does not have to be in a Git repository.
    if (fault.fault === "no-git" || fault.fault === "no-repository") return;
    note(`warning: cannot record the run in ${runRefs.newest}: ${gitFaultText(fault)}`, io);
  }
}

/** Whether an apply changed, or may have changed, the catalog. */
function wroteSomething({ outcomes }: Report): boolean {
  return outcomes.some(
    (outcome) => outcome.status === "applied" || (outcome.status === "failed" && "found" in outcome),
  );
}

/** Derives the facts about a run from its report. `at` is the time when the run was recorded. */
function factsAt(at: string, { plan, outcomes, run }: Report): RunFacts {
  const { git, target } = plan;
  return {
    at,
    exitCode: run?.exitCode ?? 0,
    ...countOutcomes(outcomes),
    commit: git.commit,
    server: target,
  };
}

/** The options of the `runs` commands. */
export interface RunsOptions {
  readonly settings?: string;
  readonly quiet?: boolean;
}

/**
 * Returns the recorded runs, newest first, up to the number set in the settings. Throws `RunError` if there is no Git repository.
 */
export async function listRuns(
  dir: string | undefined,
  options: RunsOptions,
  io: Io,
): Promise<readonly StoredRun[]> {
  const { location, keep } = await openRuns(dir, options, io);
  return (await runsIn(location, keep, io)).slice(0, keep);
}

/** Pushes the runs of a repository to a remote. Throws `RunError` if Git fails. */
export async function pushKeptRuns(
  remote: string,
  dir: string | undefined,
  options: RunsOptions,
  io: Io,
): Promise<void> {
  const { location, keep = defaultKeptRuns } = await openRuns(dir, options, io);
  const isPushed = await pushRuns(rootOf(location), remote, keep).catch((error: unknown) =>
    refuse(error, "push"),
  );
  const name = withoutSecretsInAddresses(remote);
  if (options.quiet !== true)
    note(isPushed ? `Pushed runs to ${name}.` : `${name} already has all runs.`, io);
}

/**
 * Returns the location of a catalog, and the number of runs to keep, as set in the settings. The number is `undefined` if runs
 * are not recorded, and the same for all environments.
 */
async function openRuns(
  dir: string | undefined,
  options: RunsOptions,
  io: Io,
): Promise<{ readonly location: Location; readonly keep: number | undefined }> {
  const location = locationOf(catalogFor(dir, options, io), options, io);
  const [repository] = await openRepositories(location);
  const { runs = {} } = repository?.settings ?? {};
  return { location, keep: runs === false ? undefined : (runs.keep ?? defaultKeptRuns) };
}

/**
 * Returns the report of the run with the given id, and whether the run was recorded in this clone. Throws `InputError` if there
 * is no such run, and `RunError` if the run cannot be read.
 */
export async function readRun(
  name: string,
  dir: string | undefined,
  options: RunsOptions,
  io: Io,
): Promise<{ readonly report: Report; readonly isOwn: boolean }> {
  const { location, keep } = await openRuns(dir, options, io);
  const runs = await runsIn(location, keep, io);
  const found = runs.filter(({ object }) => object.startsWith(name.toLowerCase()));
  const [run, another] = found;
  if (!run) throw new InputError(`there is no run ${name}; use runs list to see all runs`, "unknown-run");
  if (another) {
    const names = found.map(({ id }) => id).join(", ");
    throw new InputError(`${found.length} run ids begin with ${name}: ${names}`, "ambiguous-run");
  }
  for await (const { reportOf, text } of reportsIn(location, [run]))
    return { report: reportOf(), isOwn: isOwnReport(rootOf(location), Buffer.from(text)) };
  throw new InputError(`run ${run.id} has no report`);
}

interface UnparsedRun {
  readonly run: StoredRun;
  readonly text: string;
  /** Parses the report. Throws `InputError` if the report is not valid or contradicts the message of its commit. */
  readonly reportOf: () => Report;
}

/** Yields the reports of runs in the given order. Throws `RunError` if Git cannot read a report. */
export async function* reportsIn(
  location: Location,
  runs: readonly StoredRun[],
): AsyncGenerator<UnparsedRun> {
  const { parseSaved } = await import("../../report/saved/saved-report.ts");
  try {
    for await (const { run, ...read } of reportsOf(rootOf(location), runs)) {
      const name = `run ${run.id}`;
      const reportOf = (): Report => {
        if ("fault" in read) throw new InputError(`${name} ${read.fault}`);
        const saved = parsedOrThrow(parseSaved(read.text), name, { a: "a report", valid: "a valid report" });
        if (!("report" in saved)) throw new InputError(`${name} is not a report`);
        if (isAsListed(saved.report, run)) return saved.report;
        throw new InputError(`${name} is ignored, because its report does not match its commit message`);
      };
      yield { run, text: "text" in read ? read.text : "", reportOf };
    }
  } catch (error) {
    refuse(error);
  }
}

/** Whether a report matches the commit of its run. `at` is not compared, because it is not in the report. */
function isAsListed(report: Report, { at, id: _, object: _object, ...listed }: StoredRun): boolean {
  return isDeepStrictEqual(factsAt(at, report), { at, ...listed });
}

async function runsIn(location: Location, keep: number | undefined, io: Io): Promise<readonly StoredRun[]> {
  const { runs, others } = await keptRuns(rootOf(location), keep ?? defaultKeptRuns).catch(refuse);
  warnOfForeignCommits(others, io);
  return runs;
}

/** Prints a warning about commits in the run refs that are not recorded runs. */
export function warnOfForeignCommits(others: readonly string[], io: Io): void {
  const [first] = others;
  if (first === undefined) return;
  const what = others.length === 1 ? `commit ${first}` : `${others.length} commits (such as ${first})`;
  note(
    `warning: ignored ${what} in ${runRefs.newest}, because ${others.length === 1 ? "it does" : "they do"} not belong to a recorded run`,
    io,
  );
}

/** Converts a `GitError` about runs into a `RunError`, and throws it. Rethrows any other error. */
export function refuse(error: unknown, what = "read"): never {
  if (!(error instanceof GitError)) throw error;
  throw new RunError(`cannot ${what} runs: ${gitFaultText(error.fault)}`, `${what}-runs`);
}

/** Returns the description of a Git fault, for use in messages. */
export function gitFaultText(fault: GitFault): string {
  if (fault.fault === "unreadable") return fault.words;
  if (fault.fault === "no-commits") return "the repository has no commit";
  return fault.fault === "no-git"
    ? "git is not installed"
    : "the catalog directory is not in a Git repository";
}

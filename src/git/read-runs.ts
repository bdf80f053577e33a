/** Reads recorded runs from a repository: the facts in their commit messages, and their reports. */

import type { RunObject, StoredRun } from "../model/run.ts";
import { GitError, outputOf, unreadable } from "./fault.ts";
import { textsOf } from "./git.ts";
import { objectOf } from "./objects.ts";
import { runIn } from "./run-message.ts";
import { commitsFrom, loggedRuns, reportFile, runTips } from "./runs.ts";

/** The runs and other commits in the history of the run refs. Anyone with push access may have added other commits. */
interface ReadRuns {
  /** The runs, newest first. */
  readonly runs: readonly StoredRun[];
  /** The abbreviated ids of commits that do not record a run. */
  readonly others: readonly string[];
}

/** The maximum size of a commit in bytes. A larger commit is not read and does not count as a run. */
const maxCommit = 16 * 1024;

/** The maximum size of a report in bytes. Larger reports are not read. */
export const maxReport = 64 * 1024 * 1024;

/** Returns the runs among the newest `keep` commits of each run ref. Throws `GitError` if git fails. */
export async function keptRuns(dir: string, keep: number): Promise<ReadRuns> {
  const listed = await allMessages(dir, keep);
  const runs = listed.map(({ object, id, message }) => ({ id, run: runIn(object, id, message) }));
  return {
    runs: runs.flatMap(({ run }) => run ?? []),
    others: runs.flatMap(({ id, run }) => (run ? [] : [id])),
  };
}

async function allMessages(dir: string, keep: number): Promise<readonly ListedCommit[]> {
  try {
    const { newest, earlier } = await loggedRuns(dir, "%H%n%h%n%B", keep);
    return [...newest, ...earlier].map(listedIn);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return await messagesBySize(dir, keep);
  }
}

/** Reads only the messages of commits that are small enough. Used if git's output for all commits would be too large. */
async function messagesBySize(dir: string, keep: number): Promise<readonly ListedCommit[]> {
  const { newest, earlier } = await runTips(dir);
  const chains = await Promise.all([newest, earlier].map((tip) => commitsFrom(dir, tip, keep)));
  const commits = [...new Set(chains.flat())];
  const sizes = commits.length === 0 ? new Map<string, number>() : await sizesOf(dir, commits);
  const isRead = (commit: string): boolean => (sizes.get(commit) ?? 0) <= maxCommit;
  const read = await messagesOf(dir, commits.filter(isRead));
  const long = commits.filter((commit) => !isRead(commit));
  return [...read, ...long.map((object) => ({ object, id: object.slice(0, 7), message: [] }))];
}

interface ListedCommit {
  readonly object: string;
  readonly id: string;
  readonly message: readonly string[];
}

async function messagesOf(dir: string, commits: readonly string[]): Promise<readonly ListedCommit[]> {
  if (commits.length === 0) return [];
  // If `log.showSignature` were enabled, git would print a signature before each commit.
  const log = ["-c", "log.showSignature=false", "log", "--no-walk=unsorted", "--stdin"];
  const listed = await outputOf(dir, [...log, "--format=%H%n%h%n%B%x00"], { input: lines(commits) });
  return textsOf(listed).map((text) => listedIn(text.trimStart()));
}

function listedIn(text: string): ListedCommit {
  const [object = "", id = "", ...message] = text.split("\n");
  return { object, id, message };
}

/** Returns object sizes in bytes, keyed by object name. Missing objects have no entry. Does not read any content. */
async function sizesOf(dir: string, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const checked = await outputOf(dir, ["cat-file", "--batch-check=%(objectsize)"], { input: lines(names) });
  const answers = checked.toString().split("\n");
  return new Map(
    names.flatMap((name, index) => {
      const answer = answers[index] ?? "";
      return /^\d+$/.test(answer) ? [[name, Number(answer)] as const] : [];
    }),
  );
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join("");
}

/** A report's text, or the reason why the report cannot be read. */
export type ReadReport = { readonly text: string } | { readonly fault: string };

/**
 * Yields the reports of recorded runs unchanged, one at a time, in the given order. Checks a report's size before reading it.
 * Throws `GitError` if this clone lacks the object for a report.
 */
export async function* reportsOf<Run extends RunObject>(
  dir: string,
  runs: readonly Run[],
): AsyncGenerator<ReadReport & { readonly run: Run }> {
  if (runs.length === 0) return;
  const sizes = await sizesOf(dir, runs.map(nameOf));
  for (const run of runs) {
    const size = sizes.get(nameOf(run));
    if (size === undefined) {
      await requireNone(dir, run);
      yield { run, fault: `has no ${reportFile}` };
    } else if (size > maxReport)
      yield { run, fault: `has a report that is larger than ${maxReport / 1024 / 1024} MiB` };
    else yield { run, ...(await readReport(dir, run)) };
  }
}

async function readReport(dir: string, run: RunObject): Promise<ReadReport> {
  const found = await objectOf(dir, nameOf(run));
  return "id" in found && found.type === "blob"
    ? { text: found.bytes.toString() }
    : { fault: `has no ${reportFile}` };
}

/** Called if a report was not found. Throws `GitError` if the run's commit lists a report, but this clone lacks its object. */
async function requireNone(dir: string, run: RunObject): Promise<void> {
  const entry = await outputOf(dir, ["ls-tree", "--full-tree", run.object, "--", reportFile]);
  if (entry.length > 0)
    throw new GitError(unreadable(`the object ${nameOf(run)} of run ${run.id} is missing`));
}

function nameOf({ object }: RunObject): string {
  return `${object}:${reportFile}`;
}

/**
 * Records each run as a commit that contains its report. The commits form two chains, each with a ref. Reads and moves these
 * refs.
 */

import { isDeepStrictEqual } from "node:util";
import type { RunFacts } from "../model/run.ts";
import { runRefs } from "../model/settings.ts";
import { outputOf } from "./fault.ts";
import { textsOf } from "./git.ts";
import { commitIdOf, objectOf } from "./objects.ts";
import { noteOwnRun } from "./own-runs.ts";
import { messageOf } from "./run-message.ts";

/** The name of the report file in a run's commit. */
export const reportFile = "report.json";

interface NewRun {
  /**
   * Returns the report as JSON in chunks, ending with a newline. Called again if another process records a run at the same time.
   */
  readonly report: () => Iterable<string>;
  readonly facts: RunFacts;
  /** The minimum number of runs to keep. */
  readonly keep: number;
}

/**
 * Records a run as a commit that contains its report. The commit's parent is the previous run. A commit cannot drop its
 * ancestors. A chain that has reached `keep` runs is therefore moved to a second ref, where it replaces the previous chain. A new
 * chain then begins. Uses neither the work tree nor the index, and runs no hooks. Returns the run's abbreviated id. Throws
 * `GitError` if git fails.
 */
export async function keepRun(dir: string, { report, facts, keep }: NewRun): Promise<string> {
  const content = { report, message: messageOf(facts), at: Math.floor(Date.parse(facts.at) / 1000) };
  return await retryOnConflict(
    () => runChains(dir, keep),
    async (chains) => {
      const after = await appendRuns(dir, chains, [content], keep);
      await moveTips(dir, chains, after);
      noteOwnRun(dir, after.report);
      return await shortName(dir, after.newest);
    },
  );
}

/** The ids that the run refs point to. The ids are not validated, and anyone with push access may have changed the refs. */
export interface RunTips {
  readonly newest?: string | undefined;
  readonly earlier?: string | undefined;
}

/**
 * The tips of the run refs, plus the last commit and the length of the newest chain. The length is counted only up to the number
 * of runs to keep.
 */
export interface RunChains extends RunTips {
  readonly parent?: string | undefined;
  readonly length: number;
}

/** Returns the ids that a repository's run refs point to, without validating them. Throws `GitError` if git fails. */
export async function runTips(dir: string): Promise<RunTips> {
  const [newest, earlier] = await Promise.all(
    [runRefs.newest, runRefs.earlier].map(async (ref) => {
      const found = await objectOf(dir, ref);
      return "id" in found ? found.id : undefined;
    }),
  );
  return { newest, earlier };
}

async function runChains(dir: string, keep: number): Promise<RunChains> {
  const [tips, { newest }] = await Promise.all([runTips(dir), loggedRuns(dir, "%H", keep)]);
  return { ...tips, parent: newest[0], length: newest.length };
}

/** Returns the chains that end at a remote's tips. The commits must already have been fetched. Throws `GitError` if git fails. */
export async function chainsAt(dir: string, tips: RunTips, keep: number): Promise<RunChains> {
  const commits = await commitsFrom(dir, tips.newest, keep);
  return { ...tips, parent: commits[0], length: commits.length };
}

/** The formatted commits of each run ref, newest first. */
type LoggedRuns = Readonly<Record<keyof typeof runRefs, readonly string[]>>;

/**
 * Returns the newest `keep` commits of each run ref, formatted by git. Passes the refs to git as patterns, because git could
 * mistake the name of a missing ref for a branch. Throws `GitError`, for example if git prints more than `maxLog` bytes.
 */
export async function loggedRuns(dir: string, format: string, keep: number): Promise<LoggedRuns> {
  const refs = Object.values(runRefs).map((ref) => `--glob=${ref.replace(/[a-z]$/, "[$&]")}`);
  const log = ["-c", "log.showSignature=false", "log", "--first-parent", `--max-count=${2 * keep}`];
  const output = await outputOf(dir, [...log, `--format=%S%n${format}%x00`, ...refs], { maxOutput: maxLog });
  const commits = textsOf(output).map((each) => each.trimStart().split("\n"));
  const at = (ref: string): readonly string[] => {
    const own = commits.filter(([source]) => source === ref).slice(0, keep);
    return own.map(([, ...text]) => text.join("\n"));
  };
  return { newest: at(runRefs.newest), earlier: at(runRefs.earlier) };
}

/** The maximum size of git's output in bytes. The messages of many runs are far smaller than this. */
const maxLog = 8 * 1024 * 1024;

/**
 * Returns the newest `keep` commits in a chain, newest first; empty if the tip is not a commit. Throws `GitError` if git fails.
 */
export async function commitsFrom(
  dir: string,
  tip: string | undefined,
  keep: number,
): Promise<readonly string[]> {
  const commit = tip === undefined ? undefined : await commitIdOf(dir, tip);
  if (commit === undefined) return [];
  const listed = await outputOf(dir, ["rev-list", "--first-parent", `--max-count=${keep}`, commit]);
  return listed.toString().split("\n").slice(0, -1);
}

/** Parses the tips from the output of `git ls-remote`. Each line contains an id and a ref. */
export function tipsIn(lines: string): RunTips {
  const ids = new Map(
    lines.split("\n").map((line) => {
      const [id, ref] = line.split(/\s/);
      return [ref, id];
    }),
  );
  return { newest: ids.get(runRefs.newest), earlier: ids.get(runRefs.earlier) };
}

/** The content of a run's commit: a new report, or the tree of an existing commit that contains a report. */
export interface RunContent {
  readonly report: (() => Iterable<string>) | { readonly tree: string };
  readonly message: string;
  /** The commit's time, in seconds since the epoch. */
  readonly at: number;
}

/** The ref that git-fast-import requires for writing commits. The repository never contains this ref. */
const unnamed = "refs/datahub-gitops/unnamed";

// The line that ends a report in the input for git-fast-import. A line of JSON is never equal to this text.
const endOfReport = "end of report";

/** Appends runs to existing chains, oldest first. Returns the new chains, and the id of the last report if the report is new. */
export async function appendRuns(
  dir: string,
  chains: RunChains,
  contents: readonly RunContent[],
  keep: number,
): Promise<RunChains & { readonly newest: string; readonly report: string }> {
  let { newest, earlier, parent, length } = chains;
  const commits: RunCommit[] = [];
  for (const content of contents) {
    const isFull = length >= keep;
    const number = 2 * commits.length + 1;
    const commit = {
      ...content,
      parent: isFull ? undefined : parent,
      blob: `:${number}`,
      mark: `:${number + 1}`,
    };
    if (isFull) earlier = newest;
    length = isFull ? 1 : length + 1;
    newest = commit.mark;
    parent = commit.mark;
    commits.push(commit);
  }
  const last = commits.at(-1);
  const report = typeof last?.report === "function" ? last.blob : "";
  const marks = [newest, earlier, report].filter((tip) => tip?.startsWith(":") === true);
  const output = await outputOf(dir, ["fast-import", "--quiet", "--done"], {
    input: importOf(commits, marks),
  });
  const ids = output.toString().split("\n");
  const idAt = (tip: string): string => ids[marks.indexOf(tip)] ?? tip;
  return { newest: idAt(newest ?? ""), earlier: earlier && idAt(earlier), length, report: idAt(report) };
}

interface RunCommit extends RunContent {
  readonly parent: string | undefined;
  readonly mark: string;
  /** The fast-import mark for the report's blob. */
  readonly blob: string;
}

/**
 * Yields the input for git-fast-import: the commits, and requests for the ids of `marks`. The input does not move the run refs. A
 * later `update-ref` command moves both refs in one transaction.
 */
function* importOf(commits: readonly RunCommit[], marks: readonly (string | undefined)[]): Iterable<string> {
  for (const { report, message, at, parent, mark, blob } of commits) {
    const isNew = typeof report === "function";
    if (isNew) {
      yield `blob\nmark ${blob}\ndata <<${endOfReport}\n`;
      yield* report();
      yield `${endOfReport}\n`;
    }
    // The author is set explicitly, because the machine's git configuration may not specify one.
    const person = `datahub-gitops <datahub-gitops@localhost> ${at} +0000`;
    yield `reset ${unnamed}\ncommit ${unnamed}\nmark ${mark}\nauthor ${person}\ncommitter ${person}\n`;
    yield `data ${Buffer.byteLength(message)}\n${message}`;
    if (parent !== undefined) yield `from ${parent}\n`;
    yield isNew ? `M 100644 ${blob} ${reportFile}\n` : `M 040000 ${report.tree} ""\n`;
  }
  for (const mark of marks) yield `get-mark ${mark}\n`;
  yield `reset ${unnamed}\ndone\n`;
}

/** Returns the shortest unambiguous abbreviation of a commit id, with at least seven digits. */
async function shortName(dir: string, commit: string): Promise<string> {
  for (let length = 7; ; length += 1) {
    const name = commit.slice(0, length);
    const found = await objectOf(dir, name);
    if (!("fault" in found) || found.fault !== "ambiguous") return name;
  }
}

/** Moves both run refs. If another process has already moved either ref, moves neither and throws `GitError`. */
export async function moveTips(dir: string, from: RunTips, to: RunTips): Promise<void> {
  const moves = (["newest", "earlier"] as const).flatMap((each) => {
    const [before, now] = [from[each], to[each]];
    if (now === undefined) return [];
    return before === undefined
      ? [`create ${runRefs[each]} ${now}\n`]
      : [`update ${runRefs[each]} ${now} ${before}\n`];
  });
  await outputOf(dir, ["update-ref", "--no-deref", "--stdin"], { input: moves.join("") });
}

const maxTries = 5;

/**
 * Retries a failed attempt if the state has changed since it was read. In that case, another process has recorded or pushed a
 * run.
 */
export async function retryOnConflict<State, T>(
  read: () => Promise<State>,
  attempt: (state: State) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const state = await read();
    try {
      return await attempt(state);
    } catch (error) {
      if (tries === maxTries || isDeepStrictEqual(await read(), state)) throw error;
    }
  }
}

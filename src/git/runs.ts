import { isDeepStrictEqual } from "node:util";
import type { RunFacts } from "../model/run.ts";
import { runRefs } from "../model/settings.ts";
import { outputOf, outputUpTo } from "./fault.ts";
import { textsOf } from "./git.ts";
import { idOf, objectOf } from "./objects.ts";
import { noteOwnRun } from "./own-runs.ts";
import { messageOf } from "./run-message.ts";

/** The file in the commit of a run that holds its report. */
export const reportFile = "report.json";

/** A run that is to be kept. */
interface NewRun {
  /** Its report as JSON, in pieces; the last ends with a line. It is asked for again where another process has kept a run meanwhile. */
  readonly report: () => Iterable<string>;
  readonly facts: RunFacts;
  /** How many runs stay at least. */
  readonly keep: number;
}

/**
 * Keeps a run as a commit that holds its report, and whose parent is the run before. As a commit cannot lose its ancestors,
 * `keep` runs together move to a second ref, in place of those that it had, and a new chain begins. Uses neither the work
 * tree nor the index, and runs no hook. Returns the name of the run. Throws `GitError`.
 */
export async function keepRun(dir: string, { report, facts, keep }: NewRun): Promise<string> {
  const content = { report, message: messageOf(facts), at: Math.floor(Date.parse(facts.at) / 1000) };
  const read = async (): Promise<RunChains> => await runChains(dir, keep);
  return await repeatedly(read, async (chains) => {
    const { newest, report: written, ...next } = await withRuns(dir, chains, [content], keep);
    await moveTips(dir, chains, { newest, ...next });
    noteOwnRun(dir, written);
    return await shortName(dir, newest);
  });
}

/** What is at the refs of runs, where they are there. Whoever can push may have put anything there. */
export interface RunTips {
  readonly newest?: string | undefined;
  readonly earlier?: string | undefined;
}

/** The same, and the newest chain: its last commit, and how many it has, counted up to the number that is kept. */
export interface RunChains extends RunTips {
  readonly parent?: string | undefined;
  readonly length: number;
}

/** The refs of runs of a repository, whatever they name. Throws `GitError`. */
export async function runTips(dir: string): Promise<RunTips> {
  const [newest, earlier] = await Promise.all(
    [runRefs.newest, runRefs.earlier].map(async (ref) => {
      const found = await objectOf(dir, ref);
      return "id" in found ? found.id : undefined;
    }),
  );
  return { newest, earlier };
}

/** The refs of runs of a repository, with their newest chain. Throws `GitError`. */
async function runChains(dir: string, keep: number): Promise<RunChains> {
  const [tips, { newest }] = await Promise.all([runTips(dir), loggedRuns(dir, "%H", keep)]);
  return { ...tips, parent: newest[0], length: newest.length };
}

/** The same for the refs of a remote, whose commits are here. */
export async function chainsAt(dir: string, tips: RunTips, keep: number): Promise<RunChains> {
  const [parent, ...others] = await commitsFrom(dir, tips.newest, keep);
  return { ...tips, parent, length: parent === undefined ? 0 : others.length + 1 };
}

/** What git printed of the commits at each ref of runs, the newest first. */
type LoggedRuns = Readonly<Record<keyof typeof runRefs, readonly string[]>>;

/**
 * What git prints of the commits at each ref of runs, as many as are kept. The patterns match the refs alone: as a name, a ref that is
 * not there would mean a branch of that name. Throws `GitError`, also where it prints more than `maxLog`.
 */
export async function loggedRuns(dir: string, format: string, keep: number): Promise<LoggedRuns> {
  const refs = Object.values(runRefs).map((ref) => `--glob=${ref.replace(/[a-z]$/, "[$&]")}`);
  const log = ["-c", "log.showSignature=false", "log", "--first-parent", `--max-count=${2 * keep}`];
  const output = await outputUpTo(maxLog, dir, [...log, `--format=%S%n${format}%x00`, ...refs]);
  const at = (ref: string): readonly string[] =>
    textsOf(output)
      .flatMap((each) => {
        const [source, ...text] = each.trimStart().split("\n");
        return source === ref ? [text.join("\n")] : [];
      })
      .slice(0, keep);
  return { newest: at(runRefs.newest), earlier: at(runRefs.earlier) };
}

/** What git prints of the runs that are kept is far less, even of many. In bytes. */
const maxLog = 8 * 1024 * 1024;

/** The commits of a chain of runs, the newest first, as many as are kept; none where the ref names something else. Throws `GitError`. */
export async function commitsFrom(
  dir: string,
  tip: string | undefined,
  keep: number,
): Promise<readonly string[]> {
  const commit = tip === undefined ? undefined : await idOf(dir, tip);
  if (commit === undefined) return [];
  const listed = await outputOf(dir, ["rev-list", "--first-parent", `--max-count=${keep}`, commit]);
  return listed.toString().split("\n").slice(0, -1);
}

/** The same tips from lines that have an id and a ref each. */
export function tipsIn(lines: string): RunTips {
  const ids = new Map(
    lines.split("\n").map((line) => {
      const [id, ref] = line.split(/\s/);
      return [ref, id];
    }),
  );
  return { newest: ids.get(runRefs.newest), earlier: ids.get(runRefs.earlier) };
}

/** What the commit of a run has beside its parent: a report, or the tree of another commit that has one. */
export interface RunContent {
  readonly report: (() => Iterable<string>) | { readonly tree: string };
  readonly message: string;
  /** In seconds of the epoch. */
  readonly at: number;
}

/** Where the commits of runs are while they are written: no ref of this name is ever there. */
const unnamed = "refs/datahub-gitops/unnamed";

// No line of JSON is like this.
const endOfReport = "end of report";

/** Writes the commits of runs that come after others, the oldest first. Returns where the refs are to be then, and the id of the last report, if it is new. */
export async function withRuns(
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
  const output = await outputOf(dir, ["fast-import", "--quiet", "--done"], importOf(commits, marks));
  const ids = output.toString().split("\n");
  const idAt = (tip: string): string => ids[marks.indexOf(tip)] ?? tip;
  return { newest: idAt(newest ?? ""), earlier: earlier && idAt(earlier), length, report: idAt(report) };
}

interface RunCommit extends RunContent {
  readonly parent: string | undefined;
  readonly mark: string;
  /** The mark of the report. */
  readonly blob: string;
}

/** What git-fast-import reads: commits, and questions for the ids of some. It moves no ref, as `update-ref` does it for both at once. */
function* importOf(commits: readonly RunCommit[], asked: readonly (string | undefined)[]): Iterable<string> {
  for (const { report, message, at, parent, mark, blob } of commits) {
    const isNew = typeof report === "function";
    if (isNew) {
      yield `blob\nmark ${blob}\ndata <<${endOfReport}\n`;
      yield* report();
      yield `${endOfReport}\n`;
    }
    // The author is given, as a machine that runs this need not have one in its configuration.
    const person = `datahub-gitops <datahub-gitops@localhost> ${at} +0000`;
    yield `reset ${unnamed}\ncommit ${unnamed}\nmark ${mark}\nauthor ${person}\ncommitter ${person}\n`;
    yield `data ${Buffer.byteLength(message)}\n${message}`;
    if (parent !== undefined) yield `from ${parent}\n`;
    yield isNew ? `M 100644 ${blob} ${reportFile}\n` : `M 040000 ${report.tree} ""\n`;
  }
  for (const mark of asked) yield `get-mark ${mark}\n`;
  yield `reset ${unnamed}\ndone\n`;
}

/** The shortest name of a commit that is not one of another object, of seven digits or more. */
async function shortName(dir: string, commit: string): Promise<string> {
  for (let length = 7; ; length += 1) {
    const name = commit.slice(0, length);
    const found = await objectOf(dir, name);
    if (!("fault" in found) || found.fault !== "ambiguous") return name;
  }
}

/** Moves both refs, or none where another process has moved one. Throws `GitError`. */
export async function moveTips(dir: string, from: RunTips, to: RunTips): Promise<void> {
  const moves = (["newest", "earlier"] as const).flatMap((each) => {
    const [before, now] = [from[each], to[each]];
    if (now === undefined) return [];
    return before === undefined
      ? [`create ${runRefs[each]} ${now}\n`]
      : [`update ${runRefs[each]} ${now} ${before}\n`];
  });
  await outputOf(dir, ["update-ref", "--no-deref", "--stdin"], moves.join(""));
}

const maxTries = 5;

/** Tries again where git failed and what it was based on has changed meanwhile: another process has kept or pushed a run. */
export async function repeatedly<State, T>(
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

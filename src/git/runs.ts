import { isDeepStrictEqual } from "node:util";
import type { KeptRun, RunFacts } from "../model/run.ts";
import { runRefs } from "../model/settings.ts";
import { blobsOf } from "./commit.ts";
import { GitError, outputOf, unreadable } from "./fault.ts";
import type { GitInput } from "./git.ts";

/** The file in the commit of a run that holds its report. */
const reportFile = "report.json";

/** A run that is to be kept. */
interface NewRun {
  /** Its report as JSON. */
  readonly report: GitInput;
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
  const blob = await lineOf(dir, ["hash-object", "-w", "--stdin"], report);
  const tree = await lineOf(dir, ["mktree"], `100644 blob ${blob}\t${reportFile}\n`);
  const content = { tree, message: messageOf(facts), at: Math.floor(Date.parse(facts.at) / 1000) };
  const read = async (): Promise<RunTips> => await runTips(dir);
  return await repeatedly(read, async (tips) => {
    const next = await withRun(dir, tips, content, keep);
    await moveTips(dir, tips, next);
    return await lineOf(dir, ["rev-parse", "--short", next.newest]);
  });
}

/** The runs that are kept, the newest first; none where there are none yet. Throws `GitError`. */
export async function keptRuns(dir: string): Promise<readonly KeptRun[]> {
  const { newest, earlier } = await runTips(dir);
  return [...(await runsTo(dir, newest)), ...(await runsTo(dir, earlier))];
}

/** The reports of runs that are kept, in their order, as they were written. Throws `GitError` where this clone lacks one. */
export async function reportsOf(
  dir: string,
  runs: readonly Pick<KeptRun, "id" | "object">[],
): Promise<readonly string[]> {
  const files = runs.map(({ id, object }) => {
    return { path: `run ${id}`, type: "file", id: `${object}:${reportFile}` } as const;
  });
  return (await blobsOf(dir, files)).map((bytes) => bytes.toString());
}

async function lineOf(dir: string, args: readonly string[], input?: GitInput): Promise<string> {
  return (await outputOf(dir, args, input)).toString().trim();
}

/** The commits at the refs of runs, where they are there. */
export interface RunTips {
  readonly newest?: string | undefined;
  readonly earlier?: string | undefined;
}

/** The commits at the refs of runs of a repository. Throws `GitError`. */
export async function runTips(dir: string): Promise<RunTips> {
  const format = "--format=%(objectname) %(refname)";
  return tipsIn(await lineOf(dir, ["for-each-ref", format, ...Object.values(runRefs)]));
}

/** The same from lines that have an id and a ref each. */
export function tipsIn(lines: string): RunTips {
  const ids = new Map(
    lines.split("\n").map((line) => {
      const [id, ref] = line.split(/\s/);
      return [ref, id];
    }),
  );
  return { newest: ids.get(runRefs.newest), earlier: ids.get(runRefs.earlier) };
}

/** What the commit of a run has beside its parent. */
export interface RunContent {
  readonly tree: string;
  readonly message: string;
  /** In seconds of the epoch. */
  readonly at: number;
}

/** Writes the commit of a run that comes after others. Returns where the refs are to be then. */
export async function withRun(
  dir: string,
  { newest, earlier }: RunTips,
  { tree, message, at }: RunContent,
  keep: number,
): Promise<RunTips & { readonly newest: string }> {
  const isFull = newest !== undefined && Number(await lineOf(dir, ["rev-list", "--count", newest])) >= keep;
  const parent = newest === undefined || isFull ? "" : `parent ${newest}\n`;
  // The author is given, as a machine that runs this need not have one in its configuration.
  const person = `datahub-gitops <datahub-gitops@localhost> ${at} +0000`;
  const text = `tree ${tree}\n${parent}author ${person}\ncommitter ${person}\n\n${message}`;
  const commit = await lineOf(dir, ["hash-object", "-t", "commit", "-w", "--stdin"], text);
  return { newest: commit, earlier: isFull ? newest : earlier };
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

const mostTries = 5;

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
      if (tries === mostTries || isDeepStrictEqual(await read(), state)) throw error;
    }
  }
}

/** The fields of the message, each a line `Name: value` as `git interpret-trailers` reads them. */
const trailers = {
  at: "At",
  exitCode: "Exit-Code",
  applied: "Applied",
  failed: "Failed",
  skipped: "Skipped",
  stale: "Stale",
  commit: "Commit",
  server: "Server",
} as const satisfies Readonly<Record<keyof RunFacts, string>>;

function messageOf(facts: RunFacts): string {
  const lines = Object.entries(trailers).map(
    ([key, name]) => `${name}: ${facts[key as keyof RunFacts] ?? "none"}`,
  );
  return `apply: ${facts.applied} applied, ${facts.failed} failed\n\n${lines.join("\n")}\n`;
}

async function runsTo(dir: string, tip: string | undefined): Promise<readonly KeptRun[]> {
  if (tip === undefined) return [];
  // `rev-list` heads each with a line `commit <id>`.
  const listed = await outputOf(dir, ["rev-list", "--format=%H%n%h%n%B%x00", tip]);
  return listed
    .toString()
    .split("\0")
    .slice(0, -1)
    .map((each) => runIn(each.replace(/^\s*commit .*\n/, "")));
}

function runIn(listed: string): KeptRun {
  const [object = "", id = "", ...message] = listed.split("\n");
  const field = (key: keyof RunFacts): string => {
    const start = `${trailers[key]}: `;
    const line = message.find((each) => each.startsWith(start));
    if (line === undefined)
      throw new GitError(unreadable(`commit ${id} is not one of a run of datahub-gitops`));
    return line.slice(start.length);
  };
  const number = (key: keyof RunFacts): number => Number(field(key));
  const commit = field("commit");
  return {
    id,
    object,
    at: field("at"),
    exitCode: number("exitCode"),
    applied: number("applied"),
    failed: number("failed"),
    skipped: number("skipped"),
    stale: number("stale"),
    commit: commit === "none" ? null : commit,
    server: field("server"),
  };
}

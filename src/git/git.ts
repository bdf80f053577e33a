import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync, lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { withoutSecretsInAddresses } from "../model/text/address.ts";

/** What git reads from its standard input: a text, or a longer one in pieces. */
export type GitInput = string | Iterable<string>;

/** What git printed, or how it failed. */
export type GitAnswer = { readonly output: Buffer } | { readonly failure: GitFailure };

export interface GitFailure {
  /** Its exit status, or the system's name for why it did not run to its end: `ENOENT` where git is not installed. */
  readonly status: number | string;
  /** The first line that it printed, in English; addresses in it are without user names, passwords and tokens. */
  readonly words: string;
}

// A directory that looks like a repository, in a repository, would bring its own configuration, and that may name
// programs to run: what is committed must not run where a plan is made (git-config, safe.bareRepository).
// Hooks are programs, too, of the repository or of the directory that its configuration names. What they run could read the
// environment of this process, with its token.
const safeConfig = [
  "safe.bareRepository=explicit",
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
].flatMap((setting) => ["-c", setting]);

// A replace ref shows another commit under the id of the one that was applied (git-replace).
const withoutReplacements = ["--no-replace-objects"];

/** No call of ours takes as long; one that waits for something ends then. In milliseconds. */
export const maxDuration = 600_000;

/**
 * Runs git in a directory. It changes neither the work tree nor the index by itself, never prompts, and never throws. It
 * does not run on the terminal: Ctrl-C there would end it, which could not be told from a failure. A signal ends it.
 */
export async function git(
  dir: string,
  args: readonly string[],
  input?: GitInput,
  signal?: AbortSignal,
): Promise<GitAnswer> {
  // Unlike the option `timeout` of Node, this keeps no process alive that has nothing else to do.
  const late = AbortSignal.timeout(maxDuration);
  const started = start(dir, args, signal ? AbortSignal.any([signal, late]) : late);
  if ("failure" in started) return started;
  const { running } = started;
  const output: Buffer[] = [];
  running.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  Readable.from(typeof input === "string" ? [input] : (input ?? [])).pipe(running.stdin);
  const failure = await endOf(running);
  return failure ? { failure } : { output: Buffer.concat(output) };
}

type Running = ChildProcessWithoutNullStreams;

/** Starts git in a directory, under the conditions of `git`. */
export function start(
  dir: string,
  args: readonly string[],
  signal?: AbortSignal,
): { readonly running: Running } | { readonly failure: GitFailure } {
  const pipe = pipeInPath(resolve(dir));
  if (pipe !== undefined) return { failure: { status: "pipe", words: `${pipe} is not a regular file` } };
  const all = ["-C", dir, ...withoutReplacements, ...safeConfig, ...args];
  try {
    const options = { env: environment(args), detached: true, windowsHide: true, ...(signal && { signal }) };
    const running = spawn("git", all, options);
    // Git may end before it has read all of its input; its exit status is the reason.
    running.stdin.on("error", () => {});
    return { running };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

/** Waits for the end of git. Answers with its failure, `undefined` where it succeeded. */
export function endOf(running: Running): Promise<GitFailure | undefined> {
  const printed: Buffer[] = [];
  running.stderr.on("data", (chunk: Buffer) => printed.push(chunk));
  return new Promise((answer) => {
    running.on("error", (error) => answer(failureOf(error)));
    running.on("close", (code, signal) => {
      const status = code ?? signal ?? "unknown";
      answer(status === 0 ? undefined : { status, words: wordsOf(printed, status) });
    });
  });
}

function failureOf(error: unknown): GitFailure {
  const { code = "unknown", message } = error as NodeJS.ErrnoException;
  return { status: code, words: withoutSecretsInAddresses(message) };
}

/** A pipe in the place of a file that git opens to find its repository: git would wait until something writes into it. */
function pipeInPath(dir: string): string | undefined {
  const found = ["HEAD", ".git/HEAD", ".git/config"].find((path) => isPipe(join(dir, path)));
  if (found !== undefined) return join(dir, found);
  const isRoot = existsSync(join(dir, ".git")) || dirname(dir) === dir;
  return isRoot ? undefined : pipeInPath(dirname(dir));
}

// In a further work tree `.git` is a file, and nothing is below it. Git itself reports what cannot be read.
function isPipe(path: string): boolean {
  try {
    return lstatSync(path).isFIFO();
  } catch {
    return false;
  }
}

/** The texts of an answer of git that was asked for `-z`. */
export function textsOf(output: Buffer): readonly string[] {
  return output.toString("utf8").split("\0").slice(0, -1);
}

/** The commands that ask a remote, for which a credential helper may need the token of GitHub. */
const remoteCommands: ReadonlySet<string | undefined> = new Set(["fetch", "ls-remote", "push"]);

// In a hook or alias of git these may be set, relative to where it runs and not to where `-C` leads.
function environment([command]: readonly string[]): NodeJS.ProcessEnv {
  const { GIT_DIR, GIT_WORK_TREE = ".", DATAHUB_GMS_TOKEN: _, GITHUB_TOKEN, ...others } = process.env;
  return {
    ...others,
    ...(GITHUB_TOKEN !== undefined && remoteCommands.has(command) && { GITHUB_TOKEN }),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
    ...(GIT_DIR !== undefined && { GIT_DIR: resolve(GIT_DIR), GIT_WORK_TREE: resolve(GIT_WORK_TREE) }),
  };
}

function wordsOf(printed: readonly Buffer[], status: number | string): string {
  const lines = Buffer.concat(printed).toString().split("\n");
  const line = lines.find((each) => /^(?:fatal|error): /.test(each)) ?? lines.find((each) => each !== "");
  // If another user owns the repository, git prints the command that allows it on a later line.
  const way = lines.find((each) => each.startsWith("\tgit config --global --add safe.directory "));
  const words = line?.replace(/^(?:fatal|error): /, "") ?? `git ended with ${status}`;
  return withoutSecretsInAddresses(
    way === undefined ? words : `${words}; to allow it, run:${way.replace("\t", " ")}`,
  );
}

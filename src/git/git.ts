/**
 * Runs git safely: with a time limit, and without prompts, hooks, configured programs or the DataHub token. Also splits git's
 * output.
 */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync, lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { withoutSecretsInAddresses } from "../model/text/address.ts";

/** Options for a git command. */
export interface GitOptions {
  /** The standard input: a string, or an iterable of chunks for long input. */
  readonly input?: string | Iterable<string>;
  /** Stops git if it is aborted. */
  readonly signal?: AbortSignal;
  /** The maximum size of the output in bytes. A command that prints more fails. */
  readonly maxOutput?: number;
}

/** Git's output, or its failure. */
export type GitAnswer = { readonly output: Buffer } | { readonly failure: GitFailure };

export interface GitFailure {
  /** The exit status, a signal name, or a system error code such as `ENOENT` if git is not installed. */
  readonly status: number | string;
  /** The first error line that git printed, in English. User names, passwords and tokens in URLs are removed. */
  readonly words: string;
}

// A committed directory that looks like a bare repository can contain its own git configuration, which can specify programs to
// run. A plan must never run committed content (see `safe.bareRepository` in git-config). Hooks are also programs, and could read
// the token from this process's environment.
const safeConfig = [
  "safe.bareRepository=explicit",
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
].flatMap((setting) => ["-c", setting]);

// A replace ref could substitute a different commit for the applied commit (see git-replace).
const withoutReplacements = ["--no-replace-objects"];

/** The time limit for a git command, in milliseconds. Only a command that hangs reaches this limit. */
export const maxDuration = 600_000;

/**
 * Runs git in a directory. Never prompts and never throws. Git runs detached from the terminal. Otherwise, Ctrl-C would also stop
 * git, and this could not be distinguished from a failure.
 */
export async function git(
  dir: string,
  args: readonly string[],
  { input = [], signal, maxOutput = Infinity }: GitOptions = {},
): Promise<GitAnswer> {
  // Unlike Node's `timeout` option, this signal does not keep an otherwise finished process alive.
  const late = AbortSignal.timeout(maxDuration);
  const started = start(dir, args, signal ? AbortSignal.any([signal, late]) : late);
  if ("failure" in started) return started;
  const { running } = started;
  const output: Buffer[] = [];
  let length = 0;
  running.stdout.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length <= maxOutput) output.push(chunk);
    else running.kill();
  });
  Readable.from(typeof input === "string" ? [input] : input).pipe(running.stdin);
  const failure = await waitForExit(running);
  if (length > maxOutput)
    return { failure: { status: "too-much", words: `git printed more than ${maxOutput} bytes` } };
  return failure ? { failure } : { output: Buffer.concat(output) };
}

type Running = ChildProcessWithoutNullStreams;

/** Starts git in a directory, with the same safeguards as `git`. */
export function start(
  dir: string,
  args: readonly string[],
  signal?: AbortSignal,
): { readonly running: Running } | { readonly failure: GitFailure } {
  const pipe = pipeInPath(resolve(dir));
  if (pipe !== undefined) return { failure: { status: "pipe", words: `${pipe} is not a regular file` } };
  const all = ["-C", dir, ...withoutReplacements, ...safeConfig, ...args];
  try {
    const options = { env: environment(args), detached: true, windowsHide: true, signal };
    const running = spawn("git", all, options);
    // Git may exit before it has read all of its input. The exit status then gives the reason, so the write error is ignored.
    running.stdin.on("error", () => {});
    return { running };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

/** Waits until git exits. Returns its failure, or `undefined` if it succeeded. */
export function waitForExit(running: Running): Promise<GitFailure | undefined> {
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

/** Finds a named pipe at a path that git reads, such as `.git/HEAD`. Git would hang on such a pipe, waiting for a writer. */
function pipeInPath(dir: string): string | undefined {
  const found = ["HEAD", ".git/HEAD", ".git/config"].find((path) => isPipe(join(dir, path)));
  if (found !== undefined) return join(dir, found);
  const isRoot = existsSync(join(dir, ".git")) || dirname(dir) === dir;
  return isRoot ? undefined : pipeInPath(dirname(dir));
}

// Ignores errors. Git itself reports unreadable files. In a linked work tree, `.git` is a file, so paths below it do not exist.
function isPipe(path: string): boolean {
  try {
    return lstatSync(path).isFIFO();
  } catch {
    return false;
  }
}

/** Splits the output of a git command with the option `-z` into its NUL-terminated strings. */
export function textsOf(output: Buffer): readonly string[] {
  return output.toString("utf8").split("\0").slice(0, -1);
}

/** The git commands that contact a remote. A credential helper may need the GitHub token for these commands. */
const remoteCommands: ReadonlySet<string | undefined> = new Set(["fetch", "ls-remote", "push"]);

// Inside a git hook or alias, GIT_DIR and GIT_WORK_TREE may be relative to the current directory, not to the `-C` directory.
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
  // If the repository belongs to another user, git prints an additional line with the command that allows access.
  const hint = lines.find((each) => each.startsWith("\tgit config --global --add safe.directory "));
  const words = line?.replace(/^(?:fatal|error): /, "") ?? `git ended with ${status}`;
  return withoutSecretsInAddresses(
    hint === undefined ? words : `${words}; to allow it, run:${hint.replace("\t", " ")}`,
  );
}

/** Runs git safely (no prompts, hooks or configured programs, no DataHub token, a time limit), and splits its output into texts. */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync, lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { withoutSecretsInAddresses } from "../model/text/address.ts";

/** Git's standard input: a text, or a longer one in pieces. */
export type GitInput = string | Iterable<string>;

/** Git's output, or its failure. */
export type GitAnswer = { readonly output: Buffer } | { readonly failure: GitFailure };

export interface GitFailure {
  /** The exit status, or the system's error code or signal, such as `ENOENT` if git is not installed. */
  readonly status: number | string;
  /** The first error line that git printed, in English, without user names, passwords and tokens in addresses. */
  readonly words: string;
}

// A committed directory that looks like a bare repository would bring its own configuration, and that may name programs to
// run. A plan must never run committed content (git-config, safe.bareRepository). Hooks are programs, too, and could read the
// token in the environment of this process.
const safeConfig = [
  "safe.bareRepository=explicit",
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
].flatMap((setting) => ["-c", setting]);

// A replace ref would show another commit under the id of the applied one (git-replace).
const withoutReplacements = ["--no-replace-objects"];

/** A call's time limit, in milliseconds. Only a call that hangs reaches it. */
export const maxDuration = 600_000;

/**
 * Runs git in a directory. Never prompts and never throws. Git runs detached from the terminal: otherwise Ctrl-C would end it,
 * which could not be distinguished from a failure. An abort of `signal` ends git.
 */
export async function git(
  dir: string,
  args: readonly string[],
  input?: GitInput,
  signal?: AbortSignal,
): Promise<GitAnswer> {
  // Unlike Node's option `timeout`, this does not keep an otherwise finished process alive.
  const late = AbortSignal.timeout(maxDuration);
  const started = start(dir, args, signal ? AbortSignal.any([signal, late]) : late);
  if ("failure" in started) return started;
  const { running } = started;
  const output: Buffer[] = [];
  running.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  Readable.from(typeof input === "string" ? [input] : (input ?? [])).pipe(running.stdin);
  const failure = await waitForExit(running);
  return failure ? { failure } : { output: Buffer.concat(output) };
}

type Running = ChildProcessWithoutNullStreams;

/** Starts git in a directory, under the same conditions as `git`. */
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
    // Git may end before it has read all of its input. The exit status then gives the reason.
    running.stdin.on("error", () => {});
    return { running };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

/** Waits until git ends. Returns its failure, or `undefined` if it succeeded. */
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

/** Returns a pipe instead of a file that git opens to find its repository, if any. Git would wait for a writer. */
function pipeInPath(dir: string): string | undefined {
  const found = ["HEAD", ".git/HEAD", ".git/config"].find((path) => isPipe(join(dir, path)));
  if (found !== undefined) return join(dir, found);
  const isRoot = existsSync(join(dir, ".git")) || dirname(dir) === dir;
  return isRoot ? undefined : pipeInPath(dirname(dir));
}

// Failures do not matter: in a linked work tree `.git` is a file, so nothing is below it, and git itself reports unreadable files.
function isPipe(path: string): boolean {
  try {
    return lstatSync(path).isFIFO();
  } catch {
    return false;
  }
}

/** Splits git output with the option `-z` into its texts. */
export function textsOf(output: Buffer): readonly string[] {
  return output.toString("utf8").split("\0").slice(0, -1);
}

/** The commands that contact a remote. A credential helper may need the GitHub token for them. */
const remoteCommands: ReadonlySet<string | undefined> = new Set(["fetch", "ls-remote", "push"]);

// Inside a git hook or alias, GIT_DIR and GIT_WORK_TREE may be relative to the current directory, not to that of `-C`.
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
  const hint = lines.find((each) => each.startsWith("\tgit config --global --add safe.directory "));
  const words = line?.replace(/^(?:fatal|error): /, "") ?? `git ended with ${status}`;
  return withoutSecretsInAddresses(
    hint === undefined ? words : `${words}; to allow it, run:${hint.replace("\t", " ")}`,
  );
}

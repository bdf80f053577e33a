import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** All the blobs that are asked for come at once. More than this is a mistake. */
const mostOutput = 1024 ** 3;

/** What git printed, or how it failed. */
export type GitAnswer = { readonly output: Buffer } | { readonly failure: GitFailure };

export interface GitFailure {
  /** Its exit status, or the system's name for why it did not run to its end: `ENOENT` where git is not installed. */
  readonly status: number | string;
  /** The first line that it said, in English. */
  readonly words: string;
}

// A directory that looks like a repository, in a repository, would bring its own configuration, and that may name
// programs to run: what somebody commits must not run where somebody plans (git-config, safe.bareRepository).
const careful = ["-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false"];

// A replace ref shows another commit under the id of the one that was applied (git-replace).
const asCommitted = ["--no-replace-objects"];

/** Runs git in a directory. It changes neither the work tree nor the index by itself, never prompts, and never throws. */
export async function git(dir: string, args: readonly string[], input?: string): Promise<GitAnswer> {
  try {
    const running = run("git", ["-C", dir, ...asCommitted, ...careful, ...args], {
      encoding: "buffer",
      maxBuffer: mostOutput,
      env: environment(),
    });
    // Git may end before it has read all of its input; its exit status says why.
    running.child.stdin?.on("error", () => {});
    running.child.stdin?.end(input);
    return { output: (await running).stdout };
  } catch (error) {
    return { failure: failureOf(error as RunError) };
  }
}

/** The texts of an answer of git that was asked for `-z`. */
export function textsOf(output: Buffer): readonly string[] {
  return output.toString("utf8").split("\0").slice(0, -1);
}

// In a hook or alias of git these may be set, relative to where it runs and not to where `-C` leads.
function environment(): NodeJS.ProcessEnv {
  const { GIT_DIR, GIT_WORK_TREE = ".", DATAHUB_GMS_TOKEN: _, ...others } = process.env;
  return {
    ...others,
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
    ...(GIT_DIR !== undefined && { GIT_DIR: resolve(GIT_DIR), GIT_WORK_TREE: resolve(GIT_WORK_TREE) }),
  };
}

interface RunError extends Error {
  readonly code?: number | string | null;
  readonly signal?: string | null;
  readonly stderr?: Buffer;
}

function failureOf({ code, signal, stderr, message }: RunError): GitFailure {
  const lines = (stderr ?? "").toString().split("\n");
  const line = lines.find((each) => /^(?:fatal|error): /.test(each)) ?? lines.find((each) => each !== "");
  const words = line?.replace(/^(?:fatal|error): /, "") ?? message.split("\n")[0] ?? "";
  return { status: code ?? signal ?? "unknown", words };
}

/**
 * Reads a work tree's state: its commit or the reason why there is none, whether its files differ from the commit, and which
 * files git ignores.
 */

import type { GitState } from "../model/plan.ts";
import { faultOf, type GitFault } from "./fault.ts";
import { git, type GitFailure } from "./git.ts";

/** Returns the current commit (`null` if there is none), and whether a directory's files differ or may differ from it. */
export async function gitStateOf(dir: string): Promise<GitState> {
  const { ignored: _, ...state } = await stateOf(dir);
  return state;
}

interface StateWithIgnored extends GitState {
  /** The paths of ignored files below the directory. */
  readonly ignored: readonly string[];
}

/** Returns a directory's state, including the files that git ignores. */
export function gitStateWithIgnored(dir: string): Promise<StateWithIgnored> {
  return stateOf(dir, "--ignored=traditional");
}

async function stateOf(dir: string, ...flags: readonly string[]): Promise<StateWithIgnored> {
  // With these settings, paths are relative to the directory, and quoted only if they contain a quote or a control character.
  const paths = ["-c", "status.relativePaths=true", "-c", "core.quotePath=false"];
  // Inside a submodule, git would run the filters that the submodule's own configuration specifies.
  const notInside = "--ignore-submodules=dirty";
  const form = ["--porcelain=v2", "--branch", "--no-ahead-behind", "--untracked-files=all"];
  const options = [...form, notInside, ...flags];
  const answer = await git(dir, [...paths, "status", ...options, "--", "."]);
  if ("failure" in answer) return await stateWithoutStatus(dir, answer.failure);
  const status = answer.output.toString().trim();
  // The output has headers such as `# branch.oid 5716ca59…` or `# branch.oid (initial)`, followed by a line for each file that
  // differs, and a line that begins with `!` for each ignored file.
  const commit = /^# branch\.oid ([0-9a-f]+)$/m.exec(status)?.[1] ?? null;
  const ignored = [...status.matchAll(/^! "?(.*?)"?$/gm)].map(([, path = ""]) => path);
  return { commit, dirty: /^[^#!]/m.test(status), base: null, ignored };
}

/** Returns the reason why there is no readable commit: a git fault, or `no-commits`. */
export async function withoutCommit(dir: string): Promise<GitFault> {
  const answer = await git(dir, ["rev-parse", "--git-dir"]);
  return "failure" in answer ? faultOf(answer.failure) : { fault: "no-commits" };
}

async function stateWithoutStatus(dir: string, failure: GitFailure): Promise<StateWithIgnored> {
  const isNowhere = ["no-git", "no-repository"].includes(faultOf(failure).fault);
  const answer = isNowhere ? { failure } : await git(dir, ["rev-parse", "--verify", "--quiet", "HEAD"]);
  const commit = "output" in answer ? answer.output.toString().trim() : null;
  return { commit, dirty: commit !== null, base: null, ignored: [] };
}

import type { GitState } from "../model/plan.ts";
import { faultOf, type GitFault } from "./fault.ts";
import { git, type GitFailure } from "./git.ts";

/** The commit that is checked out, `null` without one, and whether the files of a directory differ from it, or may. */
export async function gitStateOf(dir: string): Promise<GitState> {
  const { ignored: _, ...state } = await stateOf(dir);
  return state;
}

interface StateWithIgnored extends GitState {
  /** The paths of files below the directory that are not tracked because git ignores them. */
  readonly ignored: readonly string[];
}

/** The same, with the files that git ignores. */
export function gitStateWithIgnored(dir: string): Promise<StateWithIgnored> {
  return stateOf(dir, "--ignored=traditional");
}

async function stateOf(dir: string, ...flags: readonly string[]): Promise<StateWithIgnored> {
  // So paths are relative to the directory, and are in quotes only where they contain a quote or a control character.
  const paths = ["-c", "status.relativePaths=true", "-c", "core.quotePath=false"];
  // To look into a submodule git would run the filters that its configuration names.
  const notInside = "--ignore-submodules=dirty";
  const form = ["--porcelain=v2", "--branch", "--no-ahead-behind", "--untracked-files=all"];
  const options = [...form, notInside, ...flags];
  const answer = await git(dir, [...paths, "status", ...options, "--", "."]);
  if ("failure" in answer) return await stateWithoutStatus(dir, answer.failure);
  const status = answer.output.toString().trim();
  // `# branch.oid 5716ca59…` or `# branch.oid (initial)` among other headers, then a line for each file that differs,
  // and one with `!` for each that is ignored.
  const commit = /^# branch\.oid ([0-9a-f]+)$/m.exec(status)?.[1] ?? null;
  const ignored = [...status.matchAll(/^! "?(.*?)"?$/gm)].map(([, path = ""]) => path);
  return { commit, dirty: /^[^#!]/m.test(status), base: null, ignored };
}

/** Why no commit of a repository can be read: git cannot tell, or there is none. */
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

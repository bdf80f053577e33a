import type { GitState } from "../model/plan.ts";
import { git } from "./git.ts";

/**
 * The commit that is checked out, and whether the files of a directory differ from it. Where git cannot tell, they do.
 * `null` where there is no repository or no commit.
 */
export async function gitStateOf(dir: string): Promise<GitState> {
  const { ignored: _, ...state } = await stateOf(dir);
  return state;
}

interface StateWithIgnored extends GitState {
  /** The paths of files below the directory that are not tracked because git is told to ignore them. */
  readonly ignored: readonly string[];
}

/** The same, with the files that git ignores. */
export function gitStateWithIgnored(dir: string): Promise<StateWithIgnored> {
  return stateOf(dir, "--ignored=traditional");
}

async function stateOf(dir: string, ...flags: readonly string[]): Promise<StateWithIgnored> {
  // So paths are relative to the directory, and are in quotes only where they hold a quote or a control character.
  const paths = ["-c", "status.relativePaths=true", "-c", "core.quotePath=false"];
  // To look into a submodule git would run the filters that its configuration names.
  const notInside = "--ignore-submodules=dirty";
  const form = ["--porcelain=v2", "--branch", "--no-ahead-behind", "--untracked-files=all"];
  const options = [...form, notInside, ...flags];
  const status = await printed(dir, [...paths, "status", ...options, "--", "."]);
  if (status === undefined) {
    const commit = await printed(dir, ["rev-parse", "--verify", "--quiet", "HEAD"]);
    return { commit: commit ?? null, dirty: commit !== undefined, base: null, ignored: [] };
  }
  // `# branch.oid 5716ca59…` or `# branch.oid (initial)` among other headers, then a line for each file that differs,
  // and one with `!` for each that is ignored.
  const commit = /^# branch\.oid ([0-9a-f]+)$/m.exec(status)?.[1] ?? null;
  const ignored = [...status.matchAll(/^! "?(.*?)"?$/gm)].map(([, path = ""]) => path);
  return { commit, dirty: /^[^#!]/m.test(status), base: null, ignored };
}

async function printed(dir: string, args: readonly string[]): Promise<string | undefined> {
  const answer = await git(dir, args);
  return "output" in answer ? answer.output.toString().trim() : undefined;
}

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { GitState } from "../model/plan.ts";

const run = promisify(execFile);

/** The commit that the manifests of a directory stand in, and whether they differ from it; nothing where there is no git. */
export async function gitStateOf(dir: string): Promise<GitState> {
  const [commit, changed] = await Promise.all([
    git(dir, ["rev-parse", "--verify", "--quiet", "HEAD"]),
    git(dir, ["status", "--porcelain", "--", "."]),
  ]);
  return { commit: commit || null, dirty: (changed ?? "") !== "", base: null };
}

async function git(dir: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await run("git", ["-C", dir, ...args], { maxBuffer: 64 * 1024 * 1024 });
    return stdout.trim();
  } catch {
    return undefined;
  }
}

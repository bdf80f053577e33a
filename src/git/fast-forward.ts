/** Finds the current branch's upstream, fetches it and fast-forwards the work tree to it. */

import { isAncestor } from "./commit.ts";
import { GitError, outputOf, unreadable } from "./fault.ts";
import { git } from "./git.ts";

/** The remote branch that the current branch tracks. */
export interface Upstream {
  readonly remote: string;
  /** The full name of the branch on the remote, such as `refs/heads/main`. */
  readonly branch: string;
  /** The local ref that tracks the branch. */
  readonly ref: string;
}

/**
 * Returns the current branch's upstream; `undefined` if HEAD is detached or the branch has no upstream. Throws `GitError` if git
 * fails.
 */
export async function upstreamOf(dir: string): Promise<Upstream | undefined> {
  await outputOf(dir, ["rev-parse", "--git-dir"]);
  const head = await git(dir, ["symbolic-ref", "--quiet", "HEAD"]);
  if ("failure" in head) return undefined;
  const format = "--format=%(upstream:remotename)%00%(upstream:remoteref)%00%(upstream)%00";
  const listed = await outputOf(dir, ["for-each-ref", format, head.output.toString().trim()]);
  const [remote = "", branch = "", ref = ""] = listed.toString().split("\0");
  return ref === "" ? undefined : { remote, branch, ref };
}

interface Fetching {
  /** Whether to also fetch the remote's other configured refs. Fetched refs overwrite their local copies. */
  readonly withOthers: boolean;
  readonly signal: AbortSignal;
}

/**
 * Fetches the upstream and fast-forwards the work tree to it. Runs no hooks. Throws `GitError`, and leaves the work tree
 * unchanged, if git fails or the two branches have diverged.
 */
export async function fastForward(dir: string, { withOthers, signal }: Fetching): Promise<void> {
  const upstream = await upstreamOf(dir);
  if (!upstream) throw new GitError(unreadable("the current branch has no upstream"));
  const { remote, branch, ref } = upstream;
  const fetch = ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"];
  await outputOf(dir, [...fetch, remote, ...(withOthers ? [] : [branch])], { signal });
  if (await isAncestor(dir, ref, "HEAD")) return;
  if (!(await isAncestor(dir, "HEAD", ref))) {
    const name = ref.replace(/^refs\/(?:remotes|heads)\//, "");
    throw new GitError(unreadable(`${name} and the current branch have diverged`));
  }
  await outputOf(dir, ["merge", "--quiet", "--ff-only", ref]);
}
